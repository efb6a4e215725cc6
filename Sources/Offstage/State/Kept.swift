internal import OffstageJSON

/// Private state of a screen or part that survives a restart of the core.
/// ```swift
/// private let query = Kept("")
///
/// input.queryText.edits.observe { [query] in query.value = $0 }
/// ```
/// Declare it as a stored property of the screen or part: its name is that of the property. Fields
/// are kept without it, and an output is kept if it is declared with ``Meaning/kept``.
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
    }
  }

  private var current: Value
  private var isRestored = false
  private let owner: ScreenNode

  /// Creates a value of the screen that is being created, as ``Effects/init(fileID:line:)`` does.
  public init(_ initial: Value, fileID: StaticString = #fileID, line: UInt = #line) {
    owner = ScreenNode.beingCreated(for: "Kept(_:)", fileID, line)
    current = initial
    super.init()
    guard let saved = owner.saved(for: self) else { return }
    do {
      current = try saved.decode(Value.self)
      isRestored = true
    } catch { owner.core.logLeftOut("a kept value of \"\(owner.kind)\"", error) }
  }
}

extension Kept: Keeper {
  // It is a property of the screen, and found by reflection.
  var keptName: String? { nil }

  var keptState: JSON? { JSON(encoding: current) }
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

/// Something that a screen or part has when it is created again after a restart: a field, an output,
/// the parts that it shows.
@CoreActor
protocol Keeper: AnyObject {
  /// The name in the state once the screen has been created; nil for something else than a port.
  var keptName: String? { get }
  /// nil for something that is not kept, such as a secret.
  var keptState: JSON? { get }
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
  /// The state that it was read from.
  let json: JSON

  init(_ json: JSON) {
    self.json = json
    appeared = json["appeared"]?.bool == true
    entries = (json["values"]?.array ?? []).map { ($0["name"]?.string, $0["value"]) }
  }

  var names: [String?] { entries.map(\.name) }

  /// Returns the value of the keeper that is being created.
  mutating func takeNext() -> JSON? {
    defer { next += 1 }
    return next < entries.count ? entries[next].value : nil
  }

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

extension ScreenNode {
  /// Adds what is being created, and returns its value from before the restart.
  func saved(for keeper: some Keeper) -> JSON? {
    keepers.append(keeper)
    return saved?.takeNext()
  }

  /// True once the screen or part has been created.
  var hasPart: Bool { part != nil }

  /// The names of the keepers in the order of their creation.
  private var keeperNames: [String?] {
    var names: [ObjectIdentifier: String] = [:]
    if keepers.contains(where: { $0.keptName == nil }) {
      for (name, port) in properties { names[ObjectIdentifier(port)] = name }
    }
    return keepers.map { $0.keptName ?? names[ObjectIdentifier($0)] }
  }

  /// The saved values in the order in which the screen has turned out to create its keepers; nil if
  /// that was the order.
  var reorderedValues: SavedValues? {
    guard let saved else { return nil }
    let names = keeperNames
    return saved.names == names ? nil : saved.ordered(by: names)
  }

  /// The state of the screen or part.
  var state: JSONObject {
    var object = JSONObject()
    let values: [JSON] = zip(keeperNames, keepers).map { name, keeper in
      var entry = JSONObject()
      if let name {
        entry["name"] = .string(name)
        entry["value"] = keeper.keptState
      }
      return .object(entry)
    }
    if !values.isEmpty { object["values"] = .array(values) }
    if isOnDisplay { object["appeared"] = true }
    return object
  }

  private func lifecycle(_ name: String) -> In<Trigger>? {
    inputs.first { $0.name == name }?.port as? In<Trigger>
  }

  /// True if the front end has said that the screen is on display.
  private var isOnDisplay: Bool {
    guard let newest = lifecycle("didAppear")?.newestReceipt, newest > 0 else { return false }
    return newest > (lifecycle("didDisappear")?.newestReceipt ?? 0)
  }

  /// Sends `didAppear` to a screen or part that was on display: the front end that shows it does not
  /// know of the restart. This starts its loads and tickers.
  func appearAgain() {
    if saved?.appeared == true { lifecycle("didAppear")?.send() }
  }
}
