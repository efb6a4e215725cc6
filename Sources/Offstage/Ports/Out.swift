package import OffstageJSON

/// What to show: the newest value is kept, is part of the document, and reaches a front end that
/// comes late.
///
/// Setting an equal value says nothing; several within one turn are one change.
public final class Out<Value: Codable & Equatable & Sendable>: Port, OutputPort, Source {
  /// What is shown. Setting it tells observers at once, and the front end at the end of the turn.
  @inlinable public var value: Value {
    get { current }
    set {
      guard !isSame(newValue, current) else { return }
      current = newValue
      noteChange()
      relay.send(newValue)
    }
  }

  @exclusivity(unchecked) @usableFromInline var current: Value
  /// What the document holds.
  @exclusivity(unchecked) private var published: Value
  @exclusivity(unchecked) private var hasChanged = false
  @usableFromInline let relay = Relay<Value>()
  private var path = PatchPath()

  /// An output that shows `initial` from the start.
  public init(_ initial: Value) {
    current = initial
    published = initial
    super.init()
  }

  /// Follows a source from now on.
  @inlinable public func bind(_ source: some Source<Value>) {
    source.observe { self.value = $0 }
  }

  /// The current value and every one after it.
  public var signal: Signal<Value> {
    Signal { receive in
      // Added first: what the observer itself changes on hearing the current value, it hears too.
      let subscription = self.relay.add(receive)
      receive(self.current)
      return subscription
    }
  }

  @usableFromInline func noteChange() {
    guard let node, node.isPublished else { return }
    if hasChanged { return node.core.changedAgain() }
    hasChanged = true
    node.core.changed(self)
  }

  override func attach(to node: ScreenNode, as name: String) {
    super.attach(to: node, as: name)
    path = PatchPath(node.path(ofOutput: name))
  }

  override func detach() {
    super.detach()
    relay.removeAll()
  }

  package func write(to writer: inout JSONWriter) {
    hasChanged = false
    published = current
    writer.value(current, of: "The output \(label)")
  }

  // SE-0460, which Swift 6.2 does not know.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
  #endif
  package func writeChanges(to writer: inout JSONWriter) {
    hasChanged = false
    guard !isSame(published, current) else { return }
    writer.change(at: path, from: published, to: current, of: "The output \(label)")
    published = current
  }

  package var schema: JSON { get throws { try Schema.of(Value.self) } }
}

/// Whether two values print the same, as far as scalars go. Swift's own equality of strings is too
/// generous for a wire: it takes a letter and its accent for the same as the accented letter. That of
/// numbers is too strict: it takes what is no number for another each time. Values of other types are
/// the same when they say that they are equal.
@inlinable @inline(__always)
func isSame<Value: Equatable>(_ a: Value, _ b: Value) -> Bool {
  if Value.self == String.self {
    return a == b && (a as! String).utf8.elementsEqual((b as! String).utf8)
  }
  if Value.self == String?.self, let a = a as! String?, let b = b as! String? {
    return a == b && a.utf8.elementsEqual(b.utf8)
  }
  if Value.self == Double.self, (a as! Double).isNaN, (b as! Double).isNaN { return true }
  return a == b
}
