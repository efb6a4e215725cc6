internal import OffstageJSON

/// Private state of a screen or part that survives a restart of the core.
/// ```swift
/// private let query = Kept("")
///
/// input.queryText.edits.observe { [query] in query.value = $0 }
/// ```
/// Declare it as a stored property of the screen or part: its name is that of the property. A line of
/// code that creates one creates that of the same property each time. In a helper of the screen, pass a
/// `name`. Fields are kept without it, and an output is kept if it is declared with ``Meaning/kept``.
///
/// After a restart, the value is there when the `init` of the screen begins, and `init` cannot
/// replace it.
public final class Kept<Value: Codable & Sendable>: Port {
  /// The current value. A derived output that reads it is evaluated again after a change.
  public var value: Value {
    get {
      noteRead()
      return current
    }
    set {
      if isRestored, !owner.hasPart { return }
      noteWrite()
      current = newValue
      owner.noteKept(at: keeperIndex)
    }
  }

  private var current: Value
  private var isRestored = false
  private let owner: ScreenNode
  let line: UInt?

  /// Creates a value of the screen that is being created, as ``Effects/init(fileID:line:)`` does.
  /// `initial` is the value without a restart. Pass a `name` for a value that is not a property of the
  /// screen or part.
  public init(
    _ initial: Value, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    owner = ScreenNode.beingCreated(for: "Kept(_:)", fileID, line)
    current = initial
    // The file has one address in the program, of 48 bits.
    self.line = UInt(bitPattern: fileID.utf8Start) | line << 48
    super.init()
    let saved =
      if let name { owner.saved(for: self, named: name) } else { owner.saved(for: self) }
    guard let saved else { return }
    do {
      current = try saved.decode(Value.self)
      isRestored = true
    } catch { owner.core.logLeftOut("a kept value of \"\(owner.kind)\"", error) }
  }
}

extension Kept: Keeper, NamedKeeper {
  // It is a property of the screen, and found by reflection.
  var keptName: String? { nil }

  func writeKept(to writer: inout JSONWriter) {
    writer.value(current, of: "A kept value of \"\(owner.kind)\"")
  }

  var keptState: JSON? { JSON(encoding: current) }

  func goOn() {}
}

extension Meaning {
  /// Keeps the value of an output when the core restarts, such as the position of a sheet.
  /// ```swift
  /// let detent = Out(SheetDetent.half, .kept)
  /// ```
  /// The value is there when the `init` of the screen begins. Without it, an output has what the
  /// screen computes or loads after the restart.
  public static var kept: Meaning { Meaning(Statement(word: keptWord)) }

  private static let keptWord = ".kept"

  var isKept: Bool { statements.contains { $0.word == Self.keptWord } }
}

/// A port that a screen or part has with the same content when it is created again after a restart:
/// a field, an output, the parts that it shows.
@CoreActor
protocol Keeper: AnyObject {
  /// The name in the state once the screen has been created; nil for something else than a port.
  var keptName: String? { get }
  /// Writes the value, or nothing for something that is not kept, such as a secret. After a change
  /// of the value, the keeper calls `ScreenNode.noteKept(at:)`; a port does so with `changed(_:)`.
  func writeKept(to writer: inout JSONWriter)
  /// Identifies the line of the program that has created it; nil if that is not known.
  var line: UInt? { get }
}

extension Keeper {
  var line: UInt? { nil }
}

/// The names of the kept properties of a type, by the lines that create their values in order; nil for a
/// value that is not a property. To find them by reflection would take a tenth of the time to bring a
/// session back.
@CoreActor private var knownNames: [ObjectIdentifier: [[UInt]: [String?]]] = [:]

/// Something that has a name of its own, by which its state is found whenever it is declared: a loader,
/// a pager, a task, a value of a helper.
@CoreActor
protocol NamedKeeper: AnyObject {
  /// nil for nothing to go on with.
  var keptState: JSON? { get }
  /// Goes on with the work that the restart has interrupted. Called only if it had a state, once the
  /// screen has been created.
  func goOn()
}

/// The values that a screen or part had kept, in the order in which it had created the keepers.
///
/// A keeper needs its value while it is being created, before it has a name. So the first guess is
/// that the same screen creates the same keepers in the same order. `ScreenNode` compares the names
/// once the screen has been created, and creates it again with the right order if the guess was
/// wrong, as after a change of its code.
struct SavedValues {
  private var entries: [(name: String?, value: JSON?)]
  private var next = 0
  let appeared: Bool
  /// The states of keepers with names of their own.
  let named: [String: JSON]
  let json: JSON

  init(_ json: JSON) {
    self.json = json
    appeared = json["appeared"]?.bool == true
    let named = json["named"]?.object?.members ?? []
    self.named = Dictionary(named.map { ($0.key, $0.value) }) { first, _ in first }
    entries = (json["values"]?.array ?? []).map { ($0["name"]?.string, $0["value"]) }
  }

  var names: [String?] { entries.map(\.name) }

  /// Returns the value of the keeper that is being created.
  mutating func takeNext() -> JSON? {
    defer { next += 1 }
    return self[next]
  }

  /// The value of a keeper by its position.
  subscript(index: Int) -> JSON? { index < entries.count ? entries[index].value : nil }

  /// The same values for keepers that are created in another order.
  func ordered(by names: [String?]) -> SavedValues {
    var ordered = self
    ordered.next = 0
    ordered.entries = names.map { name in
      (name, name.flatMap { name in entries.first { $0.name == name }?.value })
    }
    return ordered
  }
}

/// A keeper by its name in the state.
struct NamedEntry {
  let baseName: String
  let keeper: any NamedKeeper
  /// Counts those of one base name from 1. Short, since a host has hundreds of thousands of entries.
  let number: Int32
  /// True if it had a state before the restart.
  var goesOn = false

  var name: String { number == 1 ? baseName : "\(baseName) (\(number))" }
}

extension ScreenNode {
  /// Adds a keeper with a name, and returns its state from before the restart. The second of a name
  /// gets a number.
  func saved(for keeper: some NamedKeeper, named name: String) -> JSON? {
    let count = namedKeepers.count { $0.baseName == name }
    var entry = NamedEntry(baseName: name, keeper: keeper, number: Int32(count + 1))
    let saved = unclaimed.removeValue(forKey: entry.name)
    entry.goesOn = saved != nil
    namedKeepers.append(entry)
    return saved
  }

  /// Adds what is being created, and returns its value from before the restart.
  func saved(for keeper: some Keeper) -> JSON? {
    (keeper as? Port)?.keeperIndex = keepers.count
    keepers.append(keeper)
    return saved?.takeNext()
  }

  /// Returns the value of one of its ports from before the restart.
  func savedValue(of port: Port) -> JSON? {
    let index = port.keeperIndex
    return keepers.indices.contains(index) && keepers[index] === port ? saved?[index] : nil
  }

  var hasPart: Bool { part != nil }

  var keeperNames: [String?] {
    if let foundKeeperNames { return foundKeeperNames }
    let names = findKeeperNames()
    if hasPart { foundKeeperNames = names }
    return names
  }

  private func findKeeperNames() -> [String?] {
    let unnamed = keepers.filter { $0.keptName == nil }
    guard let part, !unnamed.isEmpty else { return keepers.map { $0.keptName } }
    var names = knownNames(of: unnamed, in: part)[...]
    return keepers.map { $0.keptName ?? names.removeFirst() }
  }

  private func knownNames(of keepers: [any Keeper], in part: any Part) -> [String?] {
    let type = ObjectIdentifier(Swift.type(of: part))
    let lines = keepers.compactMap { $0.line }
    // Two values of one line can be any of its properties.
    let isKnowable = lines.count == keepers.count && Set(lines).count == lines.count
    if isKnowable, let known = Offstage.knownNames[type]?[lines] { return known }
    var names: [ObjectIdentifier: String] = [:]
    for (name, port) in properties { names[ObjectIdentifier(port)] = name }
    let found = keepers.map { names[ObjectIdentifier($0)] }
    if isKnowable { Offstage.knownNames[type, default: [:]][lines] = found }
    return found
  }

  /// The saved values in the order in which the screen has turned out to create its keepers; nil if
  /// that was the order.
  var reorderedValues: SavedValues? {
    guard let saved else { return nil }
    let names = keeperNames
    return saved.names == names ? nil : saved.ordered(by: names)
  }

  var state: JSONObject {
    var object = JSONObject()
    if !keepers.isEmpty {
      var writer = JSONWriter()
      writer.beginArray()
      for index in keepers.indices { writeValue(at: index, to: &writer) }
      writer.endArray()
      object["values"] = JSON(encoded: Array(writer.bytes))
    }
    // What is not declared yet keeps its state.
    var states = unclaimed
    for entry in namedKeepers { states[entry.name] = entry.keeper.keptState }
    if !states.isEmpty {
      object["named"] = .object(
        JSONObject(states.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }
    if hasAppeared { object["appeared"] = true }
    if let partID { object["id"] = partID }
    return object
  }

  func writeValue(at index: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    if let name = keeperNames[index] {
      writer.key("name")
      writer.string(name)
      let end = writer.bytes.count
      writer.key("value")
      let start = writer.bytes.count
      keepers[index].writeKept(to: &writer)
      if writer.bytes.count == start { writer.bytes.truncate(to: end) }
    }
    writer.endObject()
  }

  /// True if the current work only loads what is shown: neither has the user tapped something here since
  /// the screen was created, nor has something else than an appearance caused the work.
  var isLoading: Bool { !hasActed && core.cause?.isForDisplay ?? true }

  private var hasActed: Bool {
    inputs.contains { port in
      !["didAppear", "didDisappear"].contains(port.name)
        && (port as? In<Trigger>)?.newestReceipt ?? 0 > 0
    } || parent?.hasActed == true
  }

  private func lifecycle(_ name: String) -> In<Trigger>? {
    inputs.first { $0.name == name } as? In<Trigger>
  }

  /// True if the front end has said that the screen has appeared, and since then not that it has
  /// disappeared.
  var hasAppeared: Bool {
    let appearance = lifecycle("didAppear")?.newestReceipt ?? 0
    let disappearance = lifecycle("didDisappear")?.newestReceipt ?? 0
    return appearance == disappearance ? hadAppeared : appearance > disappearance
  }

  /// True if it has appeared and is hidden since, without being told: it has no input for that.
  private var isHidden: Bool {
    lifecycle("didDisappear") == nil && core.navigation.isHidden(id)
  }

  /// Goes on with the work that the restart has interrupted, here and in the parts that were created
  /// with this one. Sends `didAppear` to a screen or part that was on display and that the front end
  /// goes on showing. What the first document lacks is new to the front end, which sends it then.
  func goOn() {
    // Those that this shows go on by themselves.
    let parts = parts
    for entry in namedKeepers where entry.goesOn { entry.keeper.goOn() }
    if saved?.appeared == true, core.isStillShown, !root.isPublished {
      hadAppeared = true
      if !isHidden { lifecycle("didAppear")?.send() }
    }
    for part in parts { part.goOn() }
  }
}
