package import OffstageJSON

/// An output: a value to show. The document contains it, so a front end may connect late.
///
/// Setting an equal value has no effect. Several changes within one turn reach the front end as
/// one. A value that has changed and changed back is not sent.
public final class Out<Value: Codable & Equatable & Sendable>: Port, OutputPort, Source {
  /// The current value. Setting it notifies observers at once, and the front end at the end of the
  /// turn.
  @inlinable public var value: Value {
    get {
      if extras != nil { update() }
      noteRead()
      return current
    }
    set {
      if extras != nil { checkWriter() }
      guard !isSame(newValue, current) else { return }
      noteWrite()
      if extras != nil { endGrowth() }
      current = newValue
      reportChange()
      observers?.send(newValue)
    }
  }

  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) @usableFromInline var current: Value
  @exclusivity(unchecked) private var published: Value
  /// nil until the output is observed, which few outputs of a screen are.
  @exclusivity(unchecked) @usableFromInline var observers: Relay<Value>?
  /// nil for most outputs.
  @exclusivity(unchecked) @usableFromInline var extras: OutExtras?

  /// Creates an output with its initial value, and what it means, where its name and type do not
  /// tell.
  public init(_ initial: Value, _ meaning: Meaning = []) {
    current = initial
    published = initial
    super.init(meaning)
    if meaning.isKept { restore() }
  }

  private func restore() {
    guard let node = ScreenNode.current, let saved = node.saved(for: self) else { return }
    do { current = try saved.decode(Value.self) } catch {
      node.core.logLeftOut("an output of \"\(node.kind)\"", error)
    }
  }

  override func attach(to node: ScreenNode, as name: String) {
    super.attach(to: node, as: name)
    // The value from before the restart wins over one that `init` has set.
    guard extras?.derivation == nil, let saved = node.savedValue(of: self) else { return }
    if let restored = try? saved.decode(Value.self) { value = restored }
  }

  /// Sets the value to the current and every later value of a source. If that is derived, reading
  /// the value computes it.
  @inlinable public func bind(_ source: some Source<Value>) {
    let signal = source.signal
    signal.observe { self.value = $0 }
    follow(signal.origins)
  }

  @usableFromInline func follow(_ origins: [Port]) {
    if !origins.isEmpty { makeExtras().origins += origins.map { WeakPort(port: $0) } }
  }

  private func makeExtras() -> OutExtras {
    let extras = self.extras ?? OutExtras()
    self.extras = extras
    return extras
  }

  /// Brings the value up to date, if it depends on other ports.
  @usableFromInline func update() {
    guard let extras else { return }
    extras.derivation?.update()
    for origin in extras.origins { origin.port?.read() }
  }

  /// Computes the value from other ports: now, and whenever a port that `evaluate` has read
  /// changes.
  ///
  /// However many of them change in a turn, the closure runs once, at the end of the turn or when
  /// the value is read. Use it instead of a chain of `combineLatest` and `map`.
  /// ```swift
  /// output.canConfirm.derive { [input, output] in
  ///   input.name.value != "" && input.email.value != "" && !output.isSaving.value
  /// }
  /// ```
  /// The output cannot be set in any other way, and the closure must not change a port. Derive it
  /// while a screen is being created. An output that is derived elsewhere and belongs to no screen
  /// is computed only when it is read.
  public func derive(
    fileID: StaticString = #fileID, line: UInt = #line, _ evaluate: @escaping () -> Value
  ) {
    let extras = makeExtras()
    require(
      extras.derivation == nil, "the output \(label) is already derived", file: fileID, line: line)
    let derivation = Derivation(of: self, fileID: fileID, line: line) { [unowned self] in
      value = Derivation.track($0, evaluate)
    }
    #if DEBUG
      derivation.isCurrent = { [unowned self] in isSame(current, evaluate()) }
    #endif
    extras.derivation = derivation
    derivation.update()
  }

  /// The current value and every value after it.
  public var signal: Signal<Value> {
    Signal(from: [self]) { receive in
      // Update before subscribing: the update sends a changed value, too.
      self.read()
      let observers = self.observers ?? Relay()
      self.observers = observers
      let subscription = observers.add(receive)
      receive(self.current)
      return subscription
    }
  }

  /// Stops the program if the author sets a derived output.
  @usableFromInline func checkWriter() {
    guard let derivation = extras?.derivation else { return }
    require(
      derivation.isRefreshing,
      "the output \(label) is derived here, and cannot be set elsewhere",
      file: derivation.location.fileID, line: derivation.location.line)
  }

  /// True if a change of the value reaches an observer or a derived output.
  var isUsed: Bool { observers?.hasObservers == true || dependents.areCurrent }

  @usableFromInline func reportChange() { node?.changed(self) }

  override func read() { _ = value }

  override func detach() {
    super.detach()
    observers?.removeAll()
    extras?.derivation?.end()
    extras?.derivation = nil
    extras?.origins = []
  }

  package func write(to writer: inout JSONWriter) {
    hasChanged = false
    published = current
    extras?.lengthInDocument = nil
    writer.value(current, of: "The output \(label)")
  }

  // SE-0460, which Swift 6.2 does not support.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
  #endif
  package func writeChanges(to writer: inout JSONWriter) {
    hasChanged = false
    if let length = extras?.lengthInDocument { return writeGrowth(after: Int(length), to: &writer) }
    guard !isSame(published, current) else { return }
    writer.change(at: path, from: published, to: current, of: "The output \(label)")
    published = current
  }

  package override var asOutput: (any OutputPort)? { self }

  override var ownRelay: AnyObject? { observers }

  package var valueType: any Any.Type { Value.self }
}

/// What few outputs need. Apart, since a host has hundreds of thousands of outputs.
@CoreActor
@usableFromInline final class OutExtras {
  // Unchecked on the hot path; see `CoreActor`.
  /// nil for an output that is not derived.
  @exclusivity(unchecked) var derivation: Derivation?
  /// The outputs that this one is bound to.
  @exclusivity(unchecked) var origins: [WeakPort] = []
  /// The length of the text in the document, in UTF-8, while the value is that text and what was
  /// appended. `published` is then empty, so that appending need not copy the text.
  @exclusivity(unchecked) var lengthInDocument: Int32?
}

/// Weak, since it sends to the output that is bound to it.
struct WeakPort {
  weak var port: Port?
}

extension Out where Value == String {
  /// Adds to the end of the text, as with an answer that arrives in pieces. Costs what is added, however
  /// long the text is, and so does the patch for a front end that can append.
  /// ```swift
  /// for try await piece in replies.pieces { output.answer.append(piece) }
  /// ```
  /// A text that is ``Meaning/kept`` is kept as a whole after each turn.
  public func append(_ text: String) {
    guard !text.isEmpty else { return }
    checkWriter()
    noteWrite()
    beginGrowth()
    current += text
    reportChange()
    observers?.send(current)
  }

  private func beginGrowth() {
    guard extras?.lengthInDocument == nil, isSame(published, current) else { return }
    makeExtras().lengthInDocument = Int32(published.utf8.count)
    published = ""
  }
}

extension Out {
  /// Makes `published` the text in the document again.
  @usableFromInline @inline(never)
  func endGrowth() {
    guard let length = extras?.lengthInDocument.take(), let text = current as? String else {
      return
    }
    published = String(decoding: text.utf8.prefix(Int(length)), as: UTF8.self) as! Value
  }

  @inline(never)
  private func writeGrowth(after length: Int, to writer: inout JSONWriter) {
    guard let text = current as? String, text.utf8.count > length else { return }
    writer.append(at: path, text, after: length)
    extras?.lengthInDocument = Int32(text.utf8.count)
  }
}

extension Out: Keeper {
  var keptName: String? { node == nil ? nil : "output/\(name)" }

  func writeKept(to writer: inout JSONWriter) {
    writer.value(current, of: "The output \(label)")
  }
}

/// An output that is sent once, in order, and neither kept nor replayed: a failure, a confirmation.
public final class Event<Value: Codable & Sendable>: Port, Source {
  private let relay = Relay<Value>()

  /// Creates an event, with what it means, where its name and type do not tell. Values that are
  /// sent while the screen is being created reach observers only.
  public override init(_ meaning: Meaning = []) { super.init(meaning) }

  /// Sends a value to observers at once, and to the front end in the next frame.
  public func send(_ value: Value) {
    if let node { node.core.emit(value, named: name, of: node) }
    relay.send(value)
  }

  /// Every value from now on.
  public var signal: Signal<Value> { relay.signal }

  package override var eventType: (any Decodable.Type)? { Value.self }

  override var ownRelay: AnyObject? { relay }

  override func detach() {
    super.detach()
    relay.removeAll()
  }
}

/// True if two values are equal, with strings compared byte by byte and NaN equal to itself.
///
/// `==` is too loose on strings: "é" equals "e" with a combining accent. It is too strict on
/// floating-point numbers: NaN differs from itself.
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
