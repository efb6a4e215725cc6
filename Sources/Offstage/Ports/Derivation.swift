/// The closure of a derived output, which is evaluated again after a port that it has read changes.
@CoreActor
@usableFromInline final class Derivation {
  @exclusivity(unchecked) @usableFromInline static var current: Derivation?

  /// nil once it is released: a port that it has read may outlive it.
  private weak var port: Port?
  /// The node whose screen was being created, until it ends.
  private var owner: ScreenNode?
  /// The call that derives the output, for errors.
  let location: (fileID: StaticString, line: UInt)
  /// nil once the screen of the output has closed: a port that outlives it may still refer to this.
  private var refresh: ((Derivation) -> Void)?
  private var isStale = true
  /// True while the core is to update the output at the end of the turn.
  var isListed = false
  /// True while the closure is evaluated and its result is set.
  @usableFromInline private(set) var isRefreshing = false
  fileprivate private(set) var evaluations = 0

  /// - Parameter refresh: Evaluates the closure with `track(_:_:)` and sets the output.
  init(
    of port: Port, fileID: StaticString, line: UInt, _ refresh: @escaping (Derivation) -> Void
  ) {
    self.port = port
    location = (fileID, line)
    self.refresh = refresh
    owner = ScreenNode.current
    owner?.keep(self, of: port)
  }

  func invalidate() {
    guard !isStale else { return }
    isStale = true
    guard let port else { return }
    if let node = port.node ?? owner, node.part != nil { node.core.becameStale(self) }
    port.invalidateDependents()
  }

  /// Tells the core to update an output that went out of date while its screen was being created.
  func screenWasCreated() {
    if isStale { (port?.node ?? owner)?.core.becameStale(self) }
  }

  /// Ends the derivation of a list or an output that is not a port of a screen.
  func screenEnded() {
    owner = nil
    if port?.node == nil { end() }
  }

  @usableFromInline func update() {
    guard isStale, let refresh else { return }
    isStale = false
    evaluations += 1
    isRefreshing = true
    defer { isRefreshing = false }
    // Setting the output runs its observers. What they read must not count as read by an enclosing
    // derivation.
    Self.track(nil) { refresh(self) }
  }

  /// True if the output is up to date and an evaluation is its latest.
  fileprivate func isCurrent(_ evaluation: Int) -> Bool { !isStale && evaluation == evaluations }

  func end() {
    refresh = nil
    isStale = true
    #if DEBUG
      isCurrent = nil
    #endif
  }

  #if DEBUG
    /// Evaluates the closure again, and compares; nil once a difference has been reported.
    var isCurrent: (() -> Bool)?
    private var checks = 0
    /// The number of checks, which bounds their cost.
    private static let mostChecks = 100

    /// Reports a closure whose result has changed although no port that it has read has changed.
    func check() {
      guard !isStale, checks < Self.mostChecks, let isCurrent, let node = port?.node ?? owner
      else { return }
      checks += 1
      guard !Self.track(self, isCurrent) else { return }
      self.isCurrent = nil
      node.core.report(
        Fault(
          "The closure of derive at \(location.fileID):\(location.line) reads something that is not a "
            + "port and has changed, so what it computes is out of date. Keep what it reads in an Out, "
            + "Rows, or Field."))
    }
  #endif

  static func track<Value>(_ derivation: Derivation?, _ body: () -> Value) -> Value {
    let outer = current
    current = derivation
    defer { current = outer }
    return body()
  }
}

/// The derived outputs that have read the value of a port, the oldest read first. With many, one may be
/// there twice.
///
/// A port may outlive many screens that read it. Entries that no longer count, because their output
/// has ended or has been computed again without this port, are dropped before the list takes more
/// memory.
@CoreActor
@usableFromInline struct Dependents {
  @CoreActor
  @usableFromInline struct Entry {
    fileprivate let derivation: Derivation
    /// The evaluation that has read the port.
    fileprivate var evaluation: Int

    /// True if this read is part of the latest evaluation of the output.
    fileprivate var isCurrent: Bool { derivation.isCurrent(evaluation) }
  }

  @usableFromInline private(set) var entries: [Entry] = []
  /// So many entries are searched for the one of an output. Beyond, it may have several.
  private static let searched = 8

  @usableFromInline init() {}

  @inlinable var isEmpty: Bool { entries.isEmpty }

  /// True if a change of the port makes an output stale.
  var areCurrent: Bool { entries.contains(where: \.isCurrent) }

  mutating func insert(_ derivation: Derivation) {
    if let index = entries.suffix(Self.searched).lastIndex(where: { $0.derivation === derivation })
    {
      entries[index].evaluation = derivation.evaluations
      return
    }
    if entries.count >= Self.searched, entries.count == entries.capacity { dropOutdated() }
    entries.append(Entry(derivation: derivation, evaluation: derivation.evaluations))
  }

  func invalidate() {
    for entry in entries where entry.isCurrent { entry.derivation.invalidate() }
  }

  private mutating func dropOutdated() {
    var seen: Set<ObjectIdentifier> = []
    entries.removeAll { !$0.isCurrent || !seen.insert(ObjectIdentifier($0.derivation)).inserted }
    // Otherwise, a list that stays almost full would be searched again and again.
    if entries.count * 2 > entries.capacity { entries.reserveCapacity(entries.capacity * 2) }
  }
}
