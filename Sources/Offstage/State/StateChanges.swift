package import OffstageJSON

/// What has changed in the state of a core since it was last kept, as far as it takes to write the
/// changes alone.
///
/// A change of a field, the most frequent one, notes the position of the field. What changes rarely
/// is compared with what was kept, or written whole.
@CoreActor
final class StateChanges {
  // Unchecked on the hot path; see `CoreActor`.
  /// The screens with changed values, or the app's scope.
  @exclusivity(unchecked) fileprivate var changed: [ScreenNode] = []
  @exclusivity(unchecked) fileprivate var whole: [ScreenNode] = []
  /// Closed screens that the kept state contains.
  @exclusivity(unchecked) fileprivate var closed: [ScreenID] = []
  /// True if other members than the screens and the scope may have changed.
  @exclusivity(unchecked) fileprivate var members = false
  /// True if the inputs may have changed to which results are delivered.
  @exclusivity(unchecked) fileprivate var receivers = false
  /// The other members that were kept, as JSON; nil if nothing was. A tree would take five times the
  /// memory for as long as a visitor stays.
  @exclusivity(unchecked) fileprivate var kept: [UInt8]?
  /// True if nothing has been kept because the state that the core has started from still says it.
  @exclusivity(unchecked) fileprivate var isSaved = false

  nonisolated init() {}

  var isEmpty: Bool {
    (kept != nil || isSaved) && changed.isEmpty && !members && whole.isEmpty && closed.isEmpty
      && !receivers
  }

  /// The time among them, which a virtual clock compares in every turn.
  fileprivate var keptTime: JSON?

  fileprivate var keptMembers: JSONObject? {
    get { kept.flatMap { JSON(encoded: $0).object } }
    set { (kept, keptTime) = (newValue.map { JSON.object($0).encoded }, newValue?["time"]) }
  }
}

extension Core {
  /// Starts to note what changes in the state.
  package func noteStateChanges() {
    if stateChanges == nil { stateChanges = StateChanges() }
  }

  package var hasStateChanges: Bool {
    guard let stateChanges else { return false }
    return !stateChanges.isEmpty || clock.isVirtual && stateChanges.keptTime != time
  }

  package var hasKeptState: Bool { stateChanges?.kept != nil }

  /// Notes that another start from the same state would lead to this one.
  func noteIsSaved() {
    guard stateChanges != nil else { return }
    let changes = StateChanges()
    (changes.isSaved, changes.keptTime) = (true, time)
    stateChanges = changes
    for node in screens.values { noteIsKept(node) }
  }

  /// Writes the operations of a patch (RFC 6902) that takes the state from when it was last kept to
  /// now. It then counts as kept.
  /// - Precondition: `hasKeptState`.
  package func writeStateChanges(to writer: inout JSONWriter) {
    guard let changes = stateChanges else { return }
    if changes.members || clock.isVirtual {
      let members = self.members
      if let kept = changes.keptMembers { writer.changeMembers(at: [], from: kept, to: members) }
      changes.keptMembers = members
      changes.members = false
    }
    if !changes.closed.isEmpty || changes.receivers || !changes.whole.isEmpty {
      writeScreens(changes, to: &writer)
    }
    while let node = changes.changed.popLast() { node.writeChangedValues(to: &writer) }
  }

  @inline(never)
  private func writeScreens(_ changes: StateChanges, to writer: inout JSONWriter) {
    for id in changes.closed { writer.remove(at: Array("/screens/\(id)".utf8)) }
    var whole = changes.whole
    if changes.receivers { whole += screens.values.filter { !$0.receivers.isEmpty } }
    for node in whole where screens[node.id] === node { writeState(of: node, to: &writer) }
    (changes.closed, changes.whole, changes.receivers) = ([], [], false)
  }

  /// Returns the state, which then counts as kept.
  package func keptState() -> JSON {
    let changes = StateChanges()
    let members = self.members
    changes.keptMembers = members
    stateChanges = changes
    for node in screens.values { noteIsKept(node) }
    return state(members)
  }

  private func writeState(of node: ScreenNode, to writer: inout JSONWriter) {
    noteIsKept(node)
    if let state = state(of: node) { writer.add(at: node.path) { $0.json(state) } }
  }

  private func noteIsKept(_ node: ScreenNode) {
    node.isStateKept = node.route != nil
    node.changedKeepers = []
    node.changedParts = []
  }

  // MARK: Noting

  func noteMembers() { stateChanges?.members = true }

  func noteReceivers() { stateChanges?.receivers = true }

  /// Notes that a screen is to be written whole, such as a new one.
  func noteWhole(_ node: ScreenNode) {
    if stateChanges?.whole.last !== node { stateChanges?.whole.append(node) }
  }

  func noteClosed(_ node: ScreenNode) {
    guard stateChanges != nil else { return }
    stateChanges?.members = true
    stateChanges?.receivers = true
    if node.isStateKept { stateChanges?.closed.append(node.id) }
  }
}

extension ScreenNode {
  /// Notes a change of something that is kept.
  /// - Parameter index: Its position among the keepers; -1 for a keeper with a name of its own, which
  ///   changes rarely.
  func noteKept(at index: Int = -1) {
    guard let changes = core.stateChanges else { return }
    if let parent { return notePart(in: parent) }
    guard index >= 0 else { return core.noteWhole(self) }
    guard !changedKeepers.contains(index) else { return }
    if changedKeepers.isEmpty, changedParts.isEmpty { changes.changed.append(self) }
    changedKeepers.append(index)
  }

  /// From so many changed parts on, all of them are written in one piece.
  private static var mostChangedParts: Int { 32 }

  /// Notes a change within a part. Its state is in the value of the port that shows it.
  private func notePart(in parent: ScreenNode) {
    if let screen = parent.parent { return parent.notePart(in: screen) }
    guard let container, container.keeperIndex >= 0,
      !parent.changedKeepers.contains(container.keeperIndex),
      !parent.changedParts.contains(where: { $0 === self })
    else { return }
    guard parent.changedParts.count < Self.mostChangedParts else {
      return parent.noteKept(at: container.keeperIndex)
    }
    if parent.changedKeepers.isEmpty, parent.changedParts.isEmpty {
      core.stateChanges?.changed.append(parent)
    }
    parent.changedParts.append(self)
  }

  /// Notes that a screen or part is about to be told that it has appeared or disappeared.
  func noteAppearance(_ trigger: String) {
    guard trigger == "didAppear" || trigger == "didDisappear" else { return }
    core.cause?.isForDisplay = true
    guard core.stateChanges != nil, hasAppeared != (trigger == "didAppear") else { return }
    guard let parent else { return core.noteWhole(self) }
    notePart(in: parent)
  }

  fileprivate func writeChangedValues(to writer: inout JSONWriter) {
    if !changedParts.isEmpty {
      for part in changedParts { writeState(of: part, to: &writer) }
      changedParts = []
    }
    // Keeps its memory, as `removeAll(keepingCapacity:)` does, which is slower for one element.
    while let index = changedKeepers.popLast() {
      if index < keepers.count { writeChangedValue(at: index, to: &writer) }
    }
  }

  /// Writes the state of a part, unless that of all parts of its port is to be written.
  private func writeState(of part: ScreenNode, to writer: inout JSONWriter) {
    guard let container = part.container, !changedKeepers.contains(container.keeperIndex),
      let end = container.keptPath(of: part)
    else { return }
    writer.replace(at: path + "/values/\(container.keeperIndex)/value\(end)".utf8) {
      $0.json(.object(part.state))
    }
  }

  private func writeChangedValue(at index: Int, to writer: inout JSONWriter) {
    if valuePrefixes.count < keepers.count { valuePrefixes = keepers.map { _ in nil } }
    guard let prefix = valuePrefixes[index] ?? makeValuePrefix(at: index) else { return }
    let start = writer.bytes.count
    writer.raw(prefix)
    let value = writer.bytes.count
    keepers[index].writeKept(to: &writer)
    if writer.bytes.count > value { return writer.fragment("}}") }
    writer.bytes.truncate(to: start)
    writer.replace(at: path + "/values/\(index)".utf8) { writeValue(at: index, to: &$0) }
  }

  /// One piece, because a text that is being typed changes with every input.
  private func makeValuePrefix(at index: Int) -> [UInt8]? {
    guard let name = keeperNames[index] else { return nil }
    var writer = JSONWriter()
    writer.replace(at: path + "/values/\(index)".utf8) { writer in
      writer.beginObject()
      writer.key("name")
      writer.string(name)
      writer.key("value")
    }
    // Without the brace that `replace` adds.
    let prefix = Array(Array(writer.bytes).dropLast())
    valuePrefixes[index] = prefix
    return prefix
  }
}
