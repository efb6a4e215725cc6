package import OffstageJSON

/// An input: something that happens, such as a tap, with the value that the front end sends.
///
/// It passes the value on and keeps nothing. Observers run at once, before the request is answered.
/// Use a ``Field`` for a value that stays, such as a text, a choice, or the position of a switch.
public final class In<Value: Codable & Sendable>: Port, InputPort, Source {
  private let relay = Relay<Value>()

  /// The number of this trigger among all that the core has received; 0 for none.
  private(set) var newestReceipt = 0

  /// Returns what the front end should have sent; nil for a value that it may send.
  private var objection: ((Value) -> String?)?

  /// Creates an input. Pass the roles that its name and type do not imply.
  public init(_ roles: Role<Value>...) { super.init(Meaning(roles)) }

  /// Sends a value from within the core, as the front end does.
  public func send(_ value: Value) {
    noteWrite()
    if Value.self == Trigger.self, let node {
      node.noteAppearance(name)
      newestReceipt = node.core.nextReceipt()
    }
    #if DEBUG
      if let node { node.core.noteHandler(node) }
    #endif
    relay.send(value)
  }

  /// Rejects values that refer to nothing, such as the id of a row that is gone. The request fails
  /// with an error, and observers are not called. Values sent from within the core are not checked.
  /// ```swift
  /// input.bookTapped.expect("the id of a book") { [output] in output.books[$0] != nil }
  /// ```
  public func expect(_ what: String, _ isMet: @escaping (Value) -> Bool) {
    objection = { isMet($0) ? nil : what }
  }

  /// Every value from now on.
  public var signal: Signal<Value> { relay.signal }

  // SE-0460, which Swift 6.2 does not support.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
    @specialized(where Value == Trigger)
  #endif
  package func receive(_ value: JSONView?) throws(JSONMismatch) {
    let new =
      if Value.self == Trigger.self {
        Trigger() as! Value
      } else if let value {
        try value.decode(Value.self)
      } else {
        try valueIfAbsent(Value.self)
      }
    if Value.self == PickedFile.self {
      let files = meaning.files ?? FileChoice()
      if let mismatch = files.mismatch(of: new as! PickedFile) { throw mismatch }
    }
    if let expected = objection?(new) {
      throw JSONMismatch(
        path: "", expected: expected, found: value?.kind.name ?? "nothing",
        value: isSecret(name.words) ? nil : value?.excerpt)
    }
    send(new)
  }

  package func receive(_ result: (any Sendable)?, of route: Route) {
    guard let type = Value.self as? any DeliveredResult.Type,
      let delivered = try? type.init(result: result, of: route)
    else { return }
    send(delivered as! Value)
  }

  package override var asInput: (any InputPort)? { self }

  override var ownRelay: AnyObject? { relay }

  package var valueType: any Decodable.Type { Value.self }

  override func detach() {
    super.detach()
    objection = nil
    relay.removeAll()
  }
}

/// The value of an input without content: a tap, a pull to refresh.
public struct Trigger: Codable, Hashable, Sendable {
  /// The only value of this type.
  public init() {}
}

extension In where Value == Trigger {
  /// Fires from within the core, as the front end does.
  public func send() { send(Trigger()) }
}

/// The value that stands for a missing one in a request: nil for an optional type.
/// - Throws: `JSONMismatch` for any other type.
func valueIfAbsent<Value: Decodable>(_ type: Value.Type) throws(JSONMismatch) -> Value {
  if let optional = type as? any OptionalType.Type { return optional.absent as! Value }
  let catalog = SchemaCatalog()
  let schema = try? catalog.schema(of: type)
  let expected = (schema?["type"] ?? catalog.schemas.members.first?.value["type"])?.string
  throw JSONMismatch(path: "", expected: expected ?? "a value", found: "nothing")
}

protocol OptionalType {
  static var wrapped: any Any.Type { get }
  /// The value of a missing member.
  static var absent: Self { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
  static var absent: Self { nil }
}
