import Foundation
import OffstageJSON
import TestSupport

/// A user who taps around in an app at random, in odd orders and with double taps, and a device
/// that answers, refuses, or ignores its prompts.
///
/// The steps come from the app's description. After every step, the core settles, and then the
/// invariants of any app must hold; see `problem(after:_:_:)`.
///
/// With the option `--data`, the clock is real, and one run of the program takes all steps. It prints
/// its memory after every 100,000 requests.
struct RandomWalk {
  /// The steps of one run of the program. The next run starts without its accounts and chats.
  private static let stepsPerRun = 2_000

  private static let requestsPerReport = 100_000

  let program: String
  let arguments: [String]
  /// True if work may wait for the clock, which nothing can advance.
  private var isReal: Bool { arguments.contains("--data") }
  private var random: SplitMix64
  private var session: CoreSession
  private let description: AppDescription
  /// The steps of the current run.
  private var log: [Step] = []
  private var nextReport = requestsPerReport

  /// - Parameter arguments: options of the program, such as the URL of a server.
  init(program: String, arguments: [String], seed: UInt64) throws {
    self.program = program
    self.arguments = arguments
    random = SplitMix64(seed: seed)
    let session = try CoreSession(
      program, arguments: arguments, isDeterministic: !arguments.contains("--data"),
      capabilities: [])
    description = try AppDescription(session)
    try session.end()
    self.session = session
    try start()
  }

  /// Starts a run, in one of the languages of the app.
  private mutating func start() throws {
    session = try CoreSession(
      program, arguments: arguments, isDeterministic: !isReal, capabilities: description.prompts,
      locale: ["en", "ko", "en-GB"].randomElement(using: &random)!)
    log = []
  }

  /// - Throws: `Failure` for the first step that breaks an invariant.
  mutating func run(steps: Int) throws {
    for number in 1...steps {
      let step = Step(session.document, description, &random)
      log.append(step)
      do { try take(step) } catch {
        let steps = log.suffix(12).map { "  \($0)" }.joined(separator: "\n")
        throw Failure("step \(number): \(error)\nthe last steps:\n\(steps)")
      }
      if isReal {
        report()
      } else if number % Self.stepsPerRun == 0 {
        try session.end()
        try start()
      }
    }
    try session.end()
  }

  private mutating func report() {
    log.removeFirst(max(0, log.count - 12))
    guard session.requestCount >= nextReport else { return }
    nextReport += Self.requestsPerReport
    print("\(session.requestCount) requests: \(session.memory ?? "") resident")
    fflush(nil)
  }

  private mutating func take(_ step: Step) throws {
    let before = session.document
    for _ in 1...step.count { session.send(step.method, step.params) }
    var outcome = try session.settle()
    if !isReal, activity != nil {
      // A request to a slow or busy server may wait for the clock.
      session.send("clock/advance", ["milliseconds": 100_000])
      outcome += try session.settle()
    }
    if let problem = problem(after: step, before, outcome) { throw Failure(problem) }
  }

  /// Returns the broken invariant, if any.
  private func problem(
    after step: Step, _ before: JSON, _ outcome: CoreSession.Outcome
  ) -> String? {
    if let fault = outcome.faults.first { return "\(fault)" }
    let document = session.document
    let old = Set(before["screens"]?.members.map(\.key) ?? [])
    let new = document["screens"]?.members.filter { !old.contains($0.key) } ?? []
    if let most = step.mostOpened, new.count > most { return "a tap opened \(new.count) screens" }
    if isReal { return nil }
    if step.mustShow, outcome.frames == 0, outcome.errors.isEmpty {
      return "the tap has no effect and no error"
    }
    if let activity { return "\(activity) is stuck" }
    for (id, screen) in document["screens"]?.members ?? [] {
      let kind = screen["kind"]?.string ?? ""
      for (name, value) in screen["output"]?.members ?? [] {
        if let row = Self.repeatedRow(in: value) { return "\(kind).\(name) shows \(row) twice" }
      }
      if let content = Self.content[kind], screen["output"]?[content]?.isNull != false,
        screen["output"]?["failure"]?.isNull != false
      {
        return "screen \(id), a \(kind), is blank"
      }
    }
    return nil
  }

  /// The name of an output that indicates loading, if any. Replies and films may take longer.
  private var activity: String? { Self.activity(in: session.document) }

  static func activity(in document: JSON) -> String? {
    let names = ["isLoading", "isSaving", "isSearching", "isSigningIn"]
    for (_, screen) in document["screens"]?.members ?? [] {
      for (name, value) in screen["output"]?.members ?? [] where value.bool == true {
        if names.contains(where: name.hasPrefix) { return "\(screen["kind"] ?? .null).\(name)" }
      }
    }
    return nil
  }

  /// The outputs without which a screen shows nothing.
  private static let content = [
    "pokemonDetail": "detail", "titleDetail": "detail", "placeDetail": "place", "chat": "avatar",
  ]

  /// Returns the first id that two rows of a list share.
  private static func repeatedRow(in value: JSON) -> JSON? {
    var ids: Set<String> = []
    for row in value.array ?? [] {
      if let id = row["id"], !ids.insert("\(id)").inserted { return id }
      for (_, value) in row.members {
        if let id = repeatedRow(in: value) { return id }
      }
    }
    return nil
  }
}

extension JSON {
  /// The members of an object; empty for any other value.
  var members: [(key: String, value: JSON)] { object?.members.map { ($0.key, $0.value) } ?? [] }
}
