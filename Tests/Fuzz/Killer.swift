import Foundation
import OffstageJSON
import TestSupport

/// Kills a program at random instants while it handles a burst of requests, and starts it again with
/// the same state.
///
/// A second process, which is not disturbed, takes the same steps, and tells what is to be seen after
/// each. The first document after a kill must be that after the last step that was answered, or after
/// a later one. Then the steps that were not answered are sent again with their keys, and must lead
/// where they have led the other process, which shows that none of them was done twice.
///
/// Compared are the navigation, and the kinds, URLs, and fields of all screens: the rest is loaded
/// again. Every second start ends in order, since two in a row that die early set the state aside.
///
/// With faults, a call of the system fails in each process that is killed: the n-th that opens, writes,
/// syncs, or renames a file, or all from there on. Only a process that has said on standard error that
/// it cannot keep the place may come back earlier, and only one that has said so starts afresh.
struct Killer {
  /// The kills of one pair of processes, so that the stacks do not grow forever.
  private static let killsPerReference = 40
  private static let longestBurst = 30

  let program: String
  /// The library that makes calls fail; nil for no faults.
  let faults: String?
  private var random: SplitMix64
  /// The longest wait from a burst to its kill, in microseconds. It follows what the kills have hit, so
  /// that most of them hit the core at work.
  private var longestWait: UInt32 = 2_000
  private(set) var figures = Figures()

  /// Where the kills have hit.
  struct Figures: CustomStringConvertible {
    var (before, within, after, ahead, steps) = (0, 0, 0, 0, 0)
    /// Processes that have reported faults, and those that came back earlier.
    var (notKept, afresh, earlier) = (0, 0, 0)

    var description: String {
      var text =
        "\(steps) steps; the core came back before the burst \(before) times, within it \(within) "
        + "times, and at its end \(after) times; it was ahead of its answers \(ahead) times"
      if notKept + afresh > 0 {
        text +=
          "; \(notKept) processes could not keep the place, of which \(earlier) came back earlier, "
          + "and \(afresh) started afresh"
      }
      return text
    }
  }

  init(program: String, seed: UInt64, faults: String? = nil) {
    self.program = program
    self.faults = faults
    random = SplitMix64(seed: seed)
  }

  mutating func run(kills: Int) throws {
    var left = kills
    while left > 0 { left -= try run(min(left, Self.killsPerReference)) }
  }

  /// - Returns: The number of kills, which is smaller if a fault has made the app start afresh.
  private mutating func run(_ kills: Int) throws -> Int {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "offstage-kills-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try? FileManager.default.removeItem(atPath: directory)
    let reference = try CoreSession(program, arguments: [], capabilities: [])
    var last: CoreSession?
    let errors = directory + ".errors"
    defer { try? FileManager.default.removeItem(atPath: errors) }
    func start(
      mayStartAfresh: Bool = false, _ faults: [String: String] = [:]
    ) throws -> CoreSession {
      try CoreSession(
        program, arguments: ["--state", directory], capabilities: [], resuming: last,
        mayStartAfresh: mayStartAfresh, faults: faults, errors: errors)
    }
    func said(_ words: String) throws -> Bool {
      try String(contentsOfFile: errors, encoding: .utf8).contains(words)
    }
    var number = 0
    for kill in 1...kills {
      let killed = try start(mayStartAfresh: faults != nil, fault())
      last = killed
      if faults != nil, try said("starts afresh") {
        figures.afresh += 1
        try killed.kill()
        try reference.end()
        return kill
      }
      try compare(Self.seen(killed.firstDocument), [Self.seen(reference.document)], "after an end")
      let begun = Self.seen(killed.document)
      let steps = try self.steps(on: reference, from: number)
      let first = killed.requestCount + 1
      for step in steps { killed.send(step.method, step.params) }
      number += steps.count
      try killed.flush()
      usleep(UInt32.random(in: 0...longestWait, using: &random))
      // Long enough for a checkpoint, which is what fails most.
      if faults != nil, Bool.random(using: &random) { usleep(500_000) }
      try killed.kill()
      var answered = max(0, killed.lastAnswered - first + 1)
      let isNotKept = try faults != nil && said("cannot keep where the user is")
      let next = try start(mayStartAfresh: isNotKept)
      last = next
      // What the steps lead to, from the last one that was answered on.
      let seen = Self.seen(next.firstDocument)
      if isNotKept {
        figures.notKept += 1
        let kept = seen == begun ? 0 : 1 + (steps.firstIndex { $0.seen == seen } ?? answered)
        if kept < answered { figures.earlier += 1 }
        answered = min(answered, kept)
      }
      let earlier = answered == 0 ? [isNotKept ? begun : Self.seen(killed.document)] : []
      let expected = earlier + steps[max(0, answered - 1)...].map(\.seen)
      try compare(seen, expected, "after kill \(kill), with \(answered) answers")
      note(seen, expected, of: steps)
      for step in steps[answered...] { next.send(step.method, step.params) }
      let outcome = try next.settle()
      if let fault = outcome.faults.first { throw Failure("after kill \(kill): \(fault)") }
      try compare(
        Self.seen(next.document), [Self.seen(reference.document)],
        "after the steps since kill \(kill) were sent again")
      try next.end()
    }
    try reference.end()
    return kills
  }

  /// Returns the variables that make calls of a process fail.
  private mutating func fault() -> [String: String] {
    guard let faults else { return [:] }
    let kind = ["open", "write", "sync", "rename"].randomElement(using: &random)!
    // A start opens several files; a checkpoint writes, syncs, and renames one.
    let number = Int.random(in: 1...(kind == "open" ? 8 : 2), using: &random)
    let repeats = Int.random(in: 0...1, using: &random)
    return ["LD_PRELOAD": faults, "FAULT": "\(kind) \(number) \(repeats)"]
  }

  /// - Parameters:
  ///   - seen: What came back.
  ///   - expected: What the burst leads to, from the last answer on.
  private mutating func note(_ seen: JSON, _ expected: [JSON], of steps: [Step]) {
    figures.steps += steps.count
    if seen == steps.last?.seen {
      figures.after += 1
      longestWait = max(longestWait / 2, 100)
    } else if steps.contains(where: { $0.seen == seen }) {
      figures.within += 1
    } else {
      figures.before += 1
      longestWait = min(longestWait * 2, 1_000_000)
    }
    if seen != expected.first { figures.ahead += 1 }
  }

  private func compare(_ seen: JSON, _ expected: [JSON], _ place: String) throws {
    guard !expected.contains(seen) else { return }
    throw Failure(
      "\(place), the front end sees\n\(seen)\ninstead of\n"
        + expected.map { "\($0)" }.joined(separator: "\nor\n"))
  }

  /// The part of a document that comes back as it was.
  private static func seen(_ document: JSON) -> JSON {
    var navigation = document["navigation"] ?? .null
    let tabs = navigation["root"]?["tabs"]?.array ?? []
    let bare = tabs.map { tab in
      JSON.object(JSONObject(tab.members.filter { $0.key != "badge" }))
    }
    if !bare.isEmpty { navigation["root"]?["tabs"] = .array(bare) }
    let screens = (document["screens"]?.members ?? []).map { id, screen in
      let members = screen.members.filter { ["kind", "url", "fields"].contains($0.key) }
      return (key: id, value: JSON.object(JSONObject(members)))
    }
    return ["navigation": navigation, "screens": .object(JSONObject(screens))]
  }

  // MARK: Steps

  private struct Step {
    let method: String
    let params: JSON
    /// What is to be seen after it.
    let seen: JSON
  }

  /// Takes random steps with keys.
  private mutating func steps(on session: CoreSession, from number: Int) throws -> [Step] {
    try (1...Int.random(in: 1...Self.longestBurst, using: &random)).map { index in
      var (method, params) = step(session.document)
      params["key"] = .string("step \(number + index)")
      session.send(method, .object(params))
      _ = try session.settle()
      return Step(
        method: method, params: .object(params), seen: Self.seen(session.document))
    }
  }

  private mutating func step(_ document: JSON) -> (method: String, params: JSONObject) {
    let screens = document["screens"]?.members ?? []
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8:
      let fields = screens.flatMap { id, screen in
        (screen["fields"]?.members ?? []).filter { $0.value["value"]?.string != nil }
          .filter { $0.key.hasSuffix("Text") }.map { (id, $0.key) }
      }
      guard let (id, name) = fields.randomElement(using: &random) else { fallthrough }
      let text = String(Int.random(in: 0..<1_000_000, using: &random), radix: 36)
      return ("input", ["screen": .string(id), "name": .string(name), "value": .string(text)])
    case 8..<12:
      let link = Self.links.randomElement(using: &random)!
      return ("navigation/open", ["url": .string("showcase://\(link)")])
    case 12..<15:
      let tabs = document["navigation"]?["root"]?["tabs"]?.array?.compactMap { $0["id"] } ?? []
      return ("navigation/selectTab", ["tab": tabs.randomElement(using: &random) ?? .null])
    case 15..<17: return ("navigation/back", [:])
    default:
      let (kind, name) = Self.taps.randomElement(using: &random)!
      let id = screens.last { $0.value["kind"]?.string == kind }?.key ?? "0"
      return ("input", ["screen": .string(id), "name": .string(name)])
    }
  }

  private static let links = [
    "map", "map/all", "map/place/3", "explore", "explore/cooks", "chats", "chats/mina",
    "avatars/ada", "pokedex/25", "library/parasite", "profile", "profile/settings",
  ]

  private static let taps = [
    ("profile", "createAvatarTapped"), ("profile", "createAccountTapped"),
    ("createAccount", "signUpTapped"), ("profile", "didAppear"), ("chats", "didAppear"),
    ("pokedex", "didAppear"), ("explore", "didAppear"), ("map", "didAppear"),
    ("library", "didAppear"), ("chat", "didAppear"),
  ]
}
