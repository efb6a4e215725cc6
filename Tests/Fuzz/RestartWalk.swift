import Foundation
import OffstageJSON
import TestSupport

/// One random walk on two cores. One of them ends and starts again after every so many steps, and must
/// show at every step what the other one shows, but for what the rules allow.
struct RestartWalk {
  /// The steps of one run. The next run starts without accounts and chats.
  private static let stepsPerRun = 1_000

  let program: String
  let arguments: [String]
  /// The number of steps from one restart to the next.
  let interval: Int
  private var random: SplitMix64
  private let description: AppDescription
  private var folder: TemporaryDirectory
  private var locale = "en"
  private var calm: CoreSession
  private var restarted: CoreSession
  private var log: [RandomWalk.Step] = []
  /// True if the last restart killed the process. Every other one ends it as a front end does: after
  /// two starts in a row that die early, the state would be set aside.
  private var kills = false
  /// True if the restart has asked the device again.
  private var isAskedAgain = false
  /// The newest answer to each kind of prompt.
  private var answers: [String: JSON] = [:]
  /// What the user has answered when the device asked; nil until then.
  private var areNotificationsGranted: Bool?
  /// How often each rule was used, by name.
  private(set) var uses: [String: Int] = [:]

  /// The rules that were used, and how often.
  var report: [String] {
    uses.sorted { $0.key < $1.key }.map { "rule: \($0.key): \($0.value)" }
  }

  /// - Parameter arguments: options of the program, such as the URL of a server.
  init(program: String, arguments: [String], seed: UInt64, interval: Int) throws {
    (self.program, self.arguments, self.interval) = (program, arguments, interval)
    random = SplitMix64(seed: seed)
    folder = try TemporaryDirectory()
    let session = try CoreSession(program, arguments: arguments, capabilities: [])
    description = try AppDescription(session)
    (calm, restarted) = (session, session)
    try session.end()
    try start()
  }

  /// Starts a run, in one of the languages of the app.
  private mutating func start() throws {
    locale = ["en", "ko", "en-GB"].randomElement(using: &random)!
    folder = try TemporaryDirectory()
    calm = try session("calm")
    restarted = try session("restarted")
    (log, kills, areNotificationsGranted) = ([], false, nil)
  }

  private func session(_ name: String, resuming earlier: CoreSession? = nil) throws -> CoreSession {
    let directory = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return try CoreSession(
      program,
      arguments: arguments + [
        "--data", directory.appending(path: "data").path,
        "--state", directory.appending(path: "state").path,
      ], capabilities: description.prompts, locale: locale, resuming: earlier)
  }

  /// - Throws: `Failure` for the first difference that no rule allows.
  mutating func run(steps: Int) throws {
    for number in 1...steps {
      let step = RandomWalk.Step(calm.document, description, &random)
      log.append(step)
      do {
        try take(step)
        if number % interval == 0 { try restart() }
        try compare()
      } catch {
        let steps = log.suffix(12).map { "  \($0)" }.joined(separator: "\n")
        throw Failure("step \(number): \(error)\nthe last steps:\n\(steps)")
      }
      if number % Self.stepsPerRun == 0 {
        try calm.end()
        try restarted.end()
        try start()
      }
    }
    try calm.end()
    try restarted.end()
  }

  private mutating func take(_ step: RandomWalk.Step) throws {
    if isOfferedByOne(step) { return }
    var (params, counterpart) = (step.params, step.params)
    if step.method == "answer", let id = step.params["prompt"]?.string,
      let prompt = calm.document["prompts"]?[id]
    {
      params = answer(to: prompt, id, of: step.params)
      counterpart = params
      if let other = restarted.document["prompts"]?.members.first(where: { $0.value == prompt }) {
        counterpart["prompt"] = .string(other.key)
      }
    }
    for (session, params) in [(calm, params), (restarted, counterpart)] {
      for _ in 1...step.count { session.send(step.method, params) }
      try settle(session)
    }
    guard RandomWalk.activity(in: calm.document) != nil else { return }
    for session in [calm, restarted] {
      session.send("clock/advance", ["milliseconds": 100_000])
      try settle(session)
    }
  }

  /// True for an input that one of the two does not offer, as a rule lets it.
  private func isOfferedByOne(_ step: RandomWalk.Step) -> Bool {
    guard let id = step.params["screen"]?.string, let screen = calm.document["screens"]?[id],
      let inputs = screen["kind"]?.string.flatMap({ description.inputs[$0] }),
      let input = inputs.first(where: { step.params["name"]?.string == $0.name }),
      let offer = input.schema["x-enabledBy"]?.string
    else { return false }
    return screen["output"]?[offer] != restarted.document["screens"]?[id]?["output"]?[offer]
  }

  private func settle(_ session: CoreSession) throws {
    let outcome = try session.settle()
    if let fault = outcome.faults.first { throw Failure("\(fault)") }
  }

  /// Ends the process and starts the next one. What the restart has cut by a rule is cut on the other
  /// core, too, by the user, so that the two stay alike.
  private mutating func restart() throws {
    // A normal end lets a reply save one more piece, so stop it before on both cores.
    kills.toggle()
    if !kills { try stopReplies(on: [calm, restarted]) }
    try kills ? restarted.kill() : restarted.end()
    restarted = try session("restarted", resuming: restarted)
    try refreshLists()
    try settlePrompts()
    if kills { try stopReplies(on: [calm]) }
  }

  /// A list is loaded again with the restart, and so it is on the other core, if another screen has
  /// changed what it shows.
  private mutating func refreshLists() throws {
    for (id, screen) in calm.document["screens"]?.members ?? [] {
      guard let other = restarted.document["screens"]?[id], screen != other else { continue }
      switch screen["kind"]?.string {
      case "chat", "chats", "profile": break
      case "explore":
        let offer = "showsPushPermission"
        if screen["output"]?[offer] == other["output"]?[offer] { continue }
      default: continue
      }
      note("a list that was loaded before another screen changed it is up to date")
      calm.send("input", ["screen": .string(id), "name": "didAppear"])
    }
    try settle(calm)
  }

  private mutating func stopReplies(on sessions: [CoreSession]) throws {
    for (id, screen) in calm.document["screens"]?.members ?? []
    where screen["output"]?["isReplying"]?.bool == true {
      note("a reply that was coming is cut, and can be continued")
      for session in sessions {
        session.send("input", ["screen": .string(id), "name": "stop"])
      }
    }
    for session in sessions { try settle(session) }
  }

  /// Answers on one core the prompts that the other one does not have.
  private mutating func settlePrompts() throws {
    // Each start asks the device for its status, on behalf of whichever work is first.
    for _ in 1...5 {
      for session in [calm, restarted] {
        for (id, prompt) in session.document["prompts"]?.members ?? []
        where prompt["kind"] == "notifications.status" {
          note("the device is asked for its permissions at each start")
          session.send("answer", answer(to: prompt, id, of: ["dismissed": true]))
        }
        try settle(session)
      }
    }
    isAskedAgain = Self.prompts(of: restarted).contains {
      ["notifications.authorize", "notifications.schedule"].contains($0["kind"])
    }
    for (id, prompt) in Self.prompts(of: calm, without: restarted) {
      let others = Self.prompts(of: restarted, without: calm)
      guard let other = others.first(where: { RestartRule.askTheSame($0.value, prompt) }) else {
        continue
      }
      note(RestartRule.newLanguage)
      for (session, id) in [(calm, id), (restarted, other.key)] {
        session.send("answer", ["prompt": .string(id), "dismissed": true])
        try settle(session)
      }
    }
    // One answer may lead to the next question.
    for round in 1...5 {
      for (id, prompt) in Self.prompts(of: calm, without: restarted) {
        let rule = RestartRule.ofPrompts.first { $0.allows(prompt) }?.name
        let consequence = round > 1 ? "an error that follows from the dismissal is closed" : nil
        guard let name = rule ?? consequence else {
          throw Failure("the prompt \(id) is not asked again: \(prompt)")
        }
        note(name)
        calm.send("answer", ["prompt": .string(id), "dismissed": true])
      }
      try settle(calm)
      for (id, prompt) in Self.prompts(of: restarted, without: calm) {
        guard RestartRule.isOfDevice(prompt) else {
          throw Failure("the prompt \(id) is new: \(prompt)")
        }
        note("the device is asked for its permissions at each start")
        let answer = answer(to: prompt, id, of: answers[prompt["kind"]?.string ?? ""])
        restarted.send("answer", answer)
      }
      try settle(restarted)
    }
  }

  /// Returns the answer of a device that remembers what the user has allowed.
  /// - Parameter proposal: The answer to any other question, and to the first one.
  private mutating func answer(to prompt: JSON, _ id: String, of proposal: JSON?) -> JSON {
    let kind = prompt["kind"]?.string ?? ""
    var answer = proposal ?? ["dismissed": true]
    switch (kind, areNotificationsGranted) {
    case ("notifications.status", let isGranted):
      let status = isGranted.map { $0 ? "granted" : "denied" } ?? "notDetermined"
      answer = ["value": ["status": .string(status)]]
    case ("notifications.authorize", let isGranted?):
      answer = ["value": ["granted": .bool(isGranted)]]
    case ("notifications.authorize", nil):
      areNotificationsGranted = answer["value"]?["granted"]?.bool
    default: break
    }
    answer["prompt"] = .string(id)
    answers[kind] = answer
    return answer
  }

  private static func prompts(of session: CoreSession) -> [JSON] {
    session.document["prompts"]?.members.map(\.value) ?? []
  }

  private static func prompts(
    of session: CoreSession, without other: CoreSession
  ) -> [(key: String, value: JSON)] {
    var known = prompts(of: other)
    return (session.document["prompts"]?.members ?? []).filter { _, prompt in
      guard let index = known.firstIndex(of: prompt) else { return true }
      known.remove(at: index)
      return false
    }
  }

  private mutating func note(_ rule: String) { uses[rule, default: 0] += 1 }

  private mutating func compare() throws {
    var unexplained: [Difference] = []
    if isAskedAgain {
      for (id, prompt) in Self.prompts(of: calm, without: restarted) where prompt["kind"] == "alert"
      {
        note("a refusal of the device that was asked again is not shown")
        calm.send("answer", ["prompt": .string(id), "dismissed": true])
      }
      try settle(calm)
    }
    for (id, prompt) in Self.prompts(of: calm, without: restarted) {
      unexplained.append(Difference(path: ["prompts", id], calm: prompt, restarted: nil))
    }
    for (id, prompt) in Self.prompts(of: restarted, without: calm) {
      unexplained.append(Difference(path: ["prompts", id], calm: nil, restarted: prompt))
    }
    for difference in Difference.between(calm.document, restarted.document)
    where difference.path.first != "prompts" {
      guard let rule = RestartRule.ofValues.first(where: { $0.allows(difference, calm.document) })
      else {
        unexplained.append(difference)
        continue
      }
      note(rule.name)
    }
    guard !unexplained.isEmpty else { return }
    throw Failure(
      "\(unexplained.count) differences:\n"
        + unexplained.prefix(8).map { "  \($0)" }.joined(separator: "\n"))
  }
}

/// A part of the document that the two cores do not have alike.
struct Difference: CustomStringConvertible {
  let path: [String]
  let calm: JSON?
  let restarted: JSON?

  var description: String {
    func short(_ value: JSON?) -> String { value.map { String("\($0)".prefix(160)) } ?? "nothing" }
    return "/\(path.joined(separator: "/")): \(short(calm)), after restarts \(short(restarted))"
  }

  static func between(_ calm: JSON?, _ restarted: JSON?, at path: [String] = []) -> [Difference] {
    if calm == restarted { return [] }
    if let left = calm?.object, let right = restarted?.object {
      let names = left.members.map(\.key) + right.members.map(\.key).filter { left[$0] == nil }
      return names.flatMap { between(left[$0], right[$0], at: path + [$0]) }
    }
    if let left = calm?.array, let right = restarted?.array, left.count == right.count {
      return left.indices.flatMap { between(left[$0], right[$0], at: path + ["\($0)"]) }
    }
    return [Difference(path: path, calm: calm, restarted: restarted)]
  }
}
