import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// A prompt is in the document until it ends, and the waiting work resumes once.
@Suite @CoreActor struct PromptsTests {
  struct Place: Codable, Equatable, Sendable { var lat: Double }

  @Test func answerReachesTheWork() async throws {
    try await check(["Place(lat: 2.5)"]) { core, _ in
      #expect(core.prompts.map(\.description) == ["q1 place of 1"])
      let isThere = try core.answer("q1", #"{"lat":2.5}"#)
      #expect(isThere)
    }
  }

  @Test func refusalThrowsItsMessage() async throws {
    try await check(["no signal"]) { core, _ in
      #expect(core.core.refuse("q1", .refused(message: "no signal")))
    }
  }

  @Test func dismissalThrows() async throws {
    try await check(["closed without an answer"]) { core, _ in
      #expect(core.core.refuse("q1", .dismissed))
    }
  }

  @Test func dismissalEndsWorkThatDoesNotCatchIt() async throws {
    let core = TestCore(capabilities: ["place"])
    let screen = core.show { Probe() }
    screen.effects.run { _ = try await screen.effects.ask(Prompt<Place>("place")) }
    await core.settle()
    try core.refuse(.dismissed)
    await core.settle()
    #expect(core.faults == [])
    #expect(core.liveCounts.effects == 0)
  }

  @Test func answerOfAnotherShapeKeepsThePrompt() async throws {
    try await check(["Place(lat: 1.0)"]) { core, _ in
      let error = #expect(throws: JSONMismatch.self) { try core.answer("q1", #"{"lat":"x"}"#) }
      #expect(error == JSONMismatch(path: "/lat", expected: "number", found: "string"))
      #expect(core.prompts.map(\.description) == ["q1 place of 1"])
      #expect(core.core.isSettled)
      try core.answer("q1", #"{"lat":1}"#)
    }
  }

  @Test func promptIsAnsweredOnce() async throws {
    try await check(["Place(lat: 1.0)"]) { core, _ in
      try core.answer("q1", #"{"lat":1}"#)
      #expect(try !core.answer("q1", #"{"lat":2}"#))
      #expect(!core.core.refuse("q1", .dismissed))
      #expect(try !core.answer("q2", "1"))
    }
  }

  @Test func disappearsWithItsScreen() async throws {
    try await check(["CancellationError()"]) { core, _ in core.closeAll() }
  }

  @Test func closingItsScreenCancelsAWaitOutsideOfEffects() async throws {
    let core = TestCore(capabilities: ["place"])
    let screen = core.show { Probe() }
    let asking = Task { @CoreActor in try await screen.effects.ask(Prompt<Place>("place")) }
    while core.prompts.isEmpty { await Task.yield() }
    core.closeAll()
    #expect(core.prompts.map(\.description) == [])
    await #expect(throws: CancellationError.self) { try await asking.value }
  }

  @Test func disappearsWhenItsWorkIsCanceled() async throws {
    try await check(["CancellationError()"]) { core, screen in screen.effects.cancel("ask") }
  }

  @Test func unsupportedPromptFailsAtOnce() async throws {
    let core = TestCore(capabilities: ["place"])
    let screen = core.show { Probe() }
    let log = Recorder<String>()
    screen.effects.run("ask") {
      _ = try await screen.effects.ask(Prompt<Int>("camera"))
    } catch: {
      log.append("\($0)")
    }
    await core.settle()
    #expect(log.values == ["the front end cannot answer \"camera\""])
    #expect(core.prompts.map(\.description) == [])
  }

  @Test(arguments: ["alert", "confirmationDialog"])
  func dialogsAreSupportedByAllFrontEnds(kind: String) async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let dialog = Dialog(
      "Sure?", buttons: [.ok, .init("no", "No", role: .cancel)],
      fields: [.init("name", placeholder: "Name")])
    let log = Recorder<Dialog.Answer>()
    screen.effects.run("ask") {
      log.append(
        try await screen.effects.ask(kind == "alert" ? .alert(dialog) : .confirmationDialog(dialog))
      )
    }
    await core.settle()
    #expect(core.prompts.map(\.description) == ["q1 \(kind) of 1"])
    let error = #expect(throws: JSONMismatch.self) { try core.answer("q1", #"{"button":"yes"}"#) }
    #expect(error?.path == "/button")
    #expect(error?.expected == #"one of "ok", "no""#)
    #expect(error?.found == "string")
    #expect(error?.value == #""yes""#)
    let unknown = #expect(throws: JSONMismatch.self) {
      try core.answer("q1", #"{"button":"no","fields":{"nmae":"Kim"}}"#)
    }
    #expect(unknown?.path == "/fields")
    #expect(unknown?.value == #""nmae""#)
    #expect(core.prompts.map(\.description) == ["q1 \(kind) of 1"])
    try core.answer("q1", #"{"button":"no","fields":{"name":"Kim"}}"#)
    await core.settle()
    #expect(log.values == [Dialog.Answer(button: "no", fields: ["name": "Kim"])])
  }

  /// As strings, the two ids are equal.
  @Test func fieldsAreNamedByTheirBytes() throws {
    let text = #"{"button":"ok","fields":{"\#u{e9}":"one","e\#u{301}":"two"}}"#
    let answer = try JSONText(text).withRoot { try $0.decode(Dialog.Answer.self) }
    #expect(answer.fields?["\u{e9}"] == "one")
    #expect(answer.fields?["e\u{301}"] == "two")
    #expect(answer != Dialog.Answer(button: "ok", fields: ["\u{e9}": "one"]))
    let again = try JSONText(JSON(encoding: answer).description)
    #expect(try again.withRoot { try $0.decode(Dialog.Answer.self) } == answer)
  }

  @Test func idsAreNotReused() async throws {
    let core = TestCore(capabilities: ["place"])
    let screen = core.show { Probe() }
    for number in 1...3 {
      screen.effects.run("ask") { _ = try await screen.effects.ask(Prompt<Int>("place")) }
      await core.settle()
      #expect(core.prompts.map(\.description) == ["q\(number) place of 1"])
    }
    screen.effects.run("ask more") { _ = try await screen.effects.ask(Prompt<Int>("place")) }
    await core.settle()
    #expect(core.prompts.map(\.description) == ["q3 place of 1", "q4 place of 1"])
  }

  @Test func containsItsParams() async throws {
    let core = TestCore(capabilities: ["share"])
    let screen = core.show { Probe() }
    screen.effects.run("ask") {
      _ = try await screen.effects.ask(Prompt<Empty>("share", ["text": "a\u{2028}b"]))
    }
    await core.settle()
    let params = try #require(core.core.prompt("q1")).params
    #expect(String(decoding: params, as: UTF8.self) == #"{"text":"a\u2028b"}"#)
  }

  /// Asks, calls `act`, and checks what the waiting work received.
  private func check(
    _ expected: [String], _ act: (TestCore, Probe) throws -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let core = TestCore(capabilities: ["place"])
    let screen = core.show { Probe() }
    let log = Recorder<String>()
    screen.effects.run("ask") {
      do { log.append("\(try await screen.effects.ask(Prompt<Place>("place")))") } catch {
        log.append("\(error)")
      }
    }
    await core.settle()
    try act(core, screen)
    #expect(
      core.prompts.map(\.description) == [], "it is gone within the same turn",
      sourceLocation: location)
    await core.turn()
    #expect(log.values == expected, sourceLocation: location)
    #expect(core.liveCounts.effects == 0, sourceLocation: location)
    #expect(core.faults == [], sourceLocation: location)
  }
}
