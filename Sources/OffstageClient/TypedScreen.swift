/// Typed access to a screen. `offstage generate swift` writes the types of an app.
/// ```swift
/// let form = try await core.wait(for: SignUpScreen.self)
/// form.nameText.value = "Kim"
/// if form.output?.isConfirmEnabled == true { form.confirm() }
/// ```
@MainActor
public protocol TypedScreen {
  /// The outputs.
  associatedtype Output: Codable, Sendable

  /// The kind of the screen, such as `signUp`.
  nonisolated static var kind: String { get }
  /// The untyped screen.
  var screen: RemoteScreen { get }

  /// Creates a typed screen from an untyped one of this kind.
  init(screen: RemoteScreen)
}

extension TypedScreen {
  /// Creates a typed screen from an untyped one; nil if that is of another kind.
  public init?(_ screen: RemoteScreen?) {
    guard let screen, screen.kind == Self.kind else { return nil }
    self.init(screen: screen)
  }

  /// The outputs; nil if they do not fit the type, as with a newer core. ``RemoteCore/problem`` then says
  /// why.
  public var output: Output? { screen.outputs(as: Output.self) }
}

extension RemoteCore {
  /// Returns the topmost visible screen of a type.
  public func find<S: TypedScreen>(_ type: S.Type) -> S? {
    document.visible.lazy.compactMap { S($0) }.first
  }

  /// Waits until a screen of a type is visible.
  /// - Throws: ``CoreEnded``, or `CancellationError`.
  public func wait<S: TypedScreen>(for type: S.Type) async throws -> S {
    var found: S?
    try await until {
      found = self.find(type)
      return found != nil
    }
    return found!
  }
}

/// An input without a value, such as a button.
public typealias TypedTrigger = TypedInput<Value>

extension TypedInput<Value> {
  /// Sends the input. If the core refuses it, sets ``RemoteCore/problem``.
  public func callAsFunction() { self(nil) }
}

/// An input with a value of a type.
@MainActor
public struct TypedInput<Content: Encodable> {
  private let screen: RemoteScreen
  private let name: String
  private let gate: String?

  /// Creates a typed input of a screen.
  /// - Parameters:
  ///   - screen: The screen.
  ///   - name: The name of the input.
  ///   - gate: The Boolean output that enables the input; nil if it is always enabled.
  public init(_ screen: RemoteScreen, _ name: String, enabledBy gate: String? = nil) {
    (self.screen, self.name, self.gate) = (screen, name, gate)
  }

  /// False while the input is disabled.
  public var isEnabled: Bool { gate.map { screen[$0].bool ?? true } ?? true }

  /// Sends a value. If the core refuses it, sets ``RemoteCore/problem``.
  public func callAsFunction(_ value: Content) {
    do { screen.send(name, try Value(encoding: value)) } catch {
      screen.core?.report("\(name): \(error)")
    }
  }
}

extension RemoteScreen {
  /// Returns the screen's events with a name, decoded, from now on until the core ends. Leaves out
  /// events that do not fit the type; ``RemoteCore/problem`` then says why.
  public func events<T: Decodable & Sendable>(_ name: String, as type: T.Type) -> AsyncStream<T> {
    guard let core else { return AsyncStream { $0.finish() } }
    return core.events(id, name) { [weak core] value in
      do { return try value.decode(type) } catch {
        core?.report("the event \(name) does not fit \(type): \(error)")
        return nil
      }
    }
  }
}
