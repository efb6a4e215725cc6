package import OffstageJSON

/// A screen without its user interface: a view model or presenter.
///
/// It declares what it receives and what it shows. The protocol, the schema, and the tests see
/// only its ports.
/// ```swift
/// final class Greeter: Screen {
///   static let kind = "greeter"
///   struct Input: Ports { let nameText = Field("") }
///   struct Output: Ports { let greeting = Out("") }
///   let input = Input(), output = Output(), effects = Effects()
///
///   init() {
///     output.greeting.bind(input.nameText.map { "hello " + $0 })
///   }
/// }
/// ```
@CoreActor
public protocol Screen: Part {
  /// The data that the screen is opened with. It is part of the screen's route.
  associatedtype Argument: Codable & Sendable = Empty
  /// The data that the screen returns when it finishes.
  associatedtype Result: Codable & Sendable = Empty

  /// The name on the wire, the same for every screen of this type.
  static var kind: String { get }

  /// Called when the user wants to leave: by going back, by swiping the screen away, by following a
  /// link, or by a button that calls a closing method of ``Router``. A screen with unsaved changes
  /// returns false and asks the user. If the user agrees, it calls ``Router/leave()``, which goes
  /// where the user wanted. `mayLeave` is not called if a screen finishes or the root is replaced.
  func mayLeave() -> Bool

  /// Changes what another build of the app has kept of the screen, so that it comes back in this one.
  ///
  /// Called before the screen is created, if the build had another version or other ports.
  /// ```swift
  /// static func migrate(_ screen: inout SavedScreen, from version: String) throws {
  ///   screen.rename("fields/nameText", to: "fields/titleText")
  /// }
  /// ```
  /// `version` is that of the app. Throw an error to leave the screen out, as one whose argument does
  /// not decode is left out. A line in the log says so.
  static func migrate(_ screen: inout SavedScreen, from version: String) throws
}

extension Screen {
  /// Returns true.
  public func mayLeave() -> Bool { true }

  /// Changes nothing.
  public static func migrate(_ screen: inout SavedScreen, from version: String) throws {}

  /// Closes the screen with a result, without asking ``mayLeave()``. The screen that presented it
  /// receives it exactly once, and the front end gets it as the event `finished`. The root of a stack
  /// stays open.
  public func finish(_ value: Result) { effects.node.finish(value) }
}

extension Screen where Result == Empty {
  /// Closes the screen, without asking ``mayLeave()``.
  public func finish() { finish(Empty()) }
}

/// The argument or result of a screen that has none.
public struct Empty: Codable, Hashable, Sendable {
  /// The only value of this type.
  public init() {}
}

/// The id of a screen. Ids count up from 1 and are never reused during a run.
package struct ScreenID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
  package let rawValue: Int

  /// The id of the app's scope, written as `app`.
  package static let app = ScreenID(0)

  package init(rawValue: Int) { self.rawValue = rawValue }

  package init(_ number: Int) { rawValue = number }

  package var number: Int { rawValue }

  /// Parses an id as the core writes it; nil for any other spelling, such as `01` or `+1`.
  package init?(_ text: String) {
    let number = Self.app.description.utf8.elementsEqual(text.utf8) ? 0 : Int(text)
    guard let number, Self(number).description == text else { return nil }
    self.init(number)
  }

  /// Parses the id in a request, as `init(_:)` does but without creating a string.
  package init?(_ view: JSONView) {
    let number = view.withBytes { quoted -> Int? in
      // 17 digits cannot overflow, and no run gets that far.
      guard (3...19).contains(quoted.count), quoted[0] == UInt8(ascii: "\""), quoted[1] != 0x30
      else { return nil }
      var number = 0
      for byte in quoted[1..<quoted.count - 1] {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      return number
    }
    // An id may also be spelled with escapes.
    guard let number = number ?? view.string.flatMap({ Self($0)?.number }) else { return nil }
    self.init(number)
  }

  package var description: String { number == 0 ? "app" : String(number) }
}
