package import OffstageJSON

/// What happened off stage, told once: never part of the document, never replayed.
public final class Event<Value: Codable & Sendable>: Port, EventPort, Source {
  private let relay = Relay<Value>()

  /// An event that nobody has told yet. What is sent before its screen is shown reaches observers only.
  public override init() { super.init() }

  /// Tells the front end, in the next frame and in the order of sending.
  public func send(_ value: Value) {
    if let node { node.core.emit(value, named: name, of: node) }
    relay.send(value)
  }

  /// Every value that is sent, from now on.
  public var signal: Signal<Value> { relay.signal }

  package var schema: JSON { get throws { try Schema.of(Value.self) } }

  override func detach() {
    super.detach()
    relay.removeAll()
  }
}
