internal import OffstageJSON

/// A part of a screen with ports of its own, such as a header or an editable row of a list.
///
/// It is declared like a screen, and an output of the screen shows it: ``Child`` holds one part,
/// ``Children`` a list of them.
/// ```swift
/// final class CartLine: Part, Identifiable {
///   struct Input: Ports {
///     let add = In<Trigger>()
///     let remove = In<Trigger>()
///   }
///   struct Output: Ports {
///     let title = Out("")
///     let count = Out(1)
///   }
///   let input = Input(), output = Output(), effects = Effects()
///   let id: Int
///
///   init(_ product: Product) {
///     id = product.id
///     output.title.value = product.title
///     input.add.observe { [output] in output.count.value += 1 }
///   }
/// }
/// ```
/// Its observations, effects, prompts, and timers end with it: when it is removed from its list,
/// and at the latest when the screen closes.
@CoreActor
public protocol Part: AnyObject {
  /// The values to create it with, such as repositories and a coordinator, in the form
  /// `init(dependency: Dependency)`. `Void` if it does not declare any.
  associatedtype Dependency = Void
  /// Its inputs and fields.
  associatedtype Input: Ports
  /// Its outputs and events.
  associatedtype Output: Ports

  var input: Input { get }
  var output: Output { get }
  /// Runs its work. Every screen and part has one, because it connects them to the core.
  var effects: Effects { get }
}

extension Part {
  /// The id in the document; nil if it has none that can be encoded.
  static func id(of part: Self) -> JSON? {
    func id(of element: some Identifiable) -> JSON? {
      (element.id as? any Encodable).map { JSON(encoding: $0) }
    }
    return (part as? any Identifiable).flatMap { id(of: $0) }
  }

  /// The type of the ids in the document; nil for a part without ids.
  static var idType: (any Decodable.Type)? {
    func idType<I: Identifiable>(of type: I.Type) -> (any Decodable.Type)? {
      I.ID.self as? any Codable.Type
    }
    return (Self.self as? any Identifiable.Type).flatMap { idType(of: $0) }
  }

  /// Names the part, or the screen, in a message about its declaration.
  package static var designation: String {
    if let screen = Self.self as? any Screen.Type { return screen.designation }
    return "the part \(Self.self)"
  }
}

extension Screen {
  /// The same for a screen, without the conformance lookup.
  static var designation: String { "the screen \"\(kind)\"" }
}
