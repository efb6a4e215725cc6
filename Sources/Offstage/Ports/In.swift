package import OffstageJSON

/// What happened on stage: a value that the front end sends to a screen.
///
/// With an initial value it keeps the newest one and replays it to who observes; without, it only
/// hands on. Observers run at once, before the request is answered.
public final class In<Value: Codable & Sendable>: Port, InputPort, Source {
  /// The newest value; nil for an input that only hands on.
  public var value: Value? { newest?.value }

  private let relay = Relay<Value>()
  /// Nil for an input that only hands on. A box of its own, since storing into an optional of an
  /// unknown type looks that type up each time.
  private let newest: Box?

  private final class Box {
    @exclusivity(unchecked) var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// An input that only hands on.
  public override init() {
    newest = nil
    super.init()
  }

  /// An input that has a current value from the start.
  public init(_ initial: Value) {
    newest = Box(initial)
    super.init()
  }

  /// Sends from within the core, as if the front end had.
  public func send(_ value: Value) {
    newest?.value = value
    relay.send(value)
  }

  /// The current value, where there is one, and every value that is sent.
  public var signal: Signal<Value> {
    Signal { receive in
      // Added first: what the observer itself changes on hearing the current value, it hears too.
      let subscription = self.relay.add(receive)
      if let value = self.value { receive(value) }
      return subscription
    }
  }

  // SE-0460, which Swift 6.2 does not know.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
    @specialized(where Value == Trigger)
  #endif
  package func receive(_ value: JSONView?) throws(JSONMismatch) {
    if Value.self == Trigger.self {
      send(Trigger() as! Value)
    } else if let value {
      send(try value.decode(Value.self))
    } else if let optional = Value.self as? any ExpressibleByAbsence.Type {
      send(optional.absent as! Value)
    } else {
      throw JSONMismatch(path: "", expected: expectation, found: "nothing")
    }
  }

  /// What the error of a missing value asks for.
  private var expectation: String {
    guard case .object(let schema)? = try? schema, case .string(let type)? = schema["type"]
    else { return "a value" }
    return type
  }

  package var schema: JSON { get throws { try Schema.of(Value.self) } }

  override func detach() {
    super.detach()
    relay.removeAll()
  }
}

extension In where Value == Trigger {
  /// Fires from within the core, as if the front end had.
  public func send() { send(Trigger()) }
}

/// A type with a value for "not there".
private protocol ExpressibleByAbsence {
  static var absent: Self { get }
}

extension Optional: ExpressibleByAbsence {
  fileprivate static var absent: Self { nil }
}
