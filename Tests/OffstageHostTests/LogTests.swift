import OffstageJSON
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct LogTests {
  @Test(arguments: [
    ("debug", 2), ("info", 1), ("warning", 0), ("error", 0),
  ])
  func frontEndGetsTheLevelsThatItAskedFor(level: String, count: Int) async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"log":"\#(level)"}"#))
    talk.put(input(7, "note", #""a\u202eb""#))
    let lines = talk.session.takeOutput().filter { $0.contains(#""method":"log""#) }
    let expected = ["info", "debug"].prefix(count).map {
      #"{"jsonrpc":"2.0","method":"log","params":{"level":"\#($0)","message":"a\u202eb","#
        + #""cause":7,"screen":"1"}}"#
    }
    #expect(try lines.map { try JSON(parsing: $0) } == expected.map { try JSON(parsing: $0) })
  }

  @Test func logIsSentOnlyOnRequest() async throws {
    let talk = try await Conversation()
    await talk.check([input(1, "note", #""x""#)], [#"1: {"revision":1}"#])
  }

  @Test func levelIsChecked() async throws {
    let talk = try await Conversation(hello: nil)
    await talk.check(
      [call(1, "initialize", #"{"protocol":1,"log":"loud"}"#)],
      [
        #"1: error -32602 {"path":"/log","expected":"one of \"debug\", \"info\", \"warning\", \"error\"","#
          + #""found":"string","value":"loud"}"#
      ])
  }

  /// Evaluated while the frame is written, it would log within the frame's line.
  @Test func outputThatIsOutOfDateInInitIsEvaluatedBeforeTheFrame() async throws {
    final class Page: Screen {
      static let kind = "page"
      struct Row: Codable, Equatable, Identifiable, Sendable {
        let id: String
      }
      struct Input: Ports {
        let name = Field("")
      }
      struct Output: Ports {
        let title = Out("")
        let observed = Out("")
        let names = Rows<Row>()
        let derivedNames = Rows<Row>()
      }
      let input = Input(), output = Output(), effects = Effects()
      private let log = Log()

      init() {
        output.title.derive { [input, log] in
          log.debug("title")
          return "Hello \(input.name.value)"
        }
        output.title.observe { [output] in output.observed.value = $0 }
        output.derivedNames.derive(from: output.names) { [log] in
          log.debug("row")
          return $0
        }
        input.name.reset(to: "Kim")
        output.names.append(Row(id: "a"))
      }
    }
    let program = Program("page", version: "1.0") { _ in
      App(root: .stack(Route(Page.self)), screens: [ScreenFactory(Page.self) { _ in Page() }])
    }
    let talk = try await Conversation(in: program, hello: nil)
    talk.put(call(0, "initialize", #"{"protocol":1,"log":"debug"}"#))
    let lines = try talk.session.takeOutput().map { try JSON(parsing: $0) }
    let messages = lines.filter { $0["method"] == "log" }.map { $0["params"]?["message"]?.string }
    #expect(messages == ["title", "title", "row"])
    let frame = try #require(lines.first { $0["method"] == "frame" })
    let state = frame["params"]?["state"] ?? frame["params"]?["patch"]?[0]?["value"]
    let output = state?["screens"]?["1"]?["output"]
    #expect(output?["title"] == "Hello Kim")
    #expect(output?["observed"] == "Hello Kim")
    #expect(output?["derivedNames"] == output?["names"])
  }

  @Test func faultsAndSlowTurnsAreLogged() async throws {
    let talk = try await Conversation(hello: call(0, "initialize", #"{"protocol":1,"log":"info"}"#))
    talk.put(input(1, "fail"))
    await talk.turn()
    talk.session.warnOfSlowTurn(.milliseconds(80))
    let lines = talk.session.takeOutput().filter { $0.contains(#""method":"log""#) }
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""level":"error""#) == true)
    #expect(lines.first?.contains(#""cause":1"#) == true)
    #expect(lines.last?.contains("80 ms") == true)
  }

  /// Running effects have nothing to do with a request that takes long.
  @Test(arguments: [
    (input(1, "text", #""x""#), #"80 ms in the input "text" of screen 1 delayed"#),
    (call(1, "state/settle"), "80 ms in state/settle delayed"),
    ("[\(input(1, "text")),\(input(2, "text"))]", "80 ms in a batch of 2 delayed"),
    ("[", "80 ms delayed"),
  ])
  func slowTurnNamesItsRequest(_ line: String, _ expected: String) async throws {
    let talk = try await Conversation(hello: call(0, "initialize", #"{"protocol":1,"log":"info"}"#))
    talk.put(input(1, "work", "100"))
    var line = line
    line.withUTF8 {
      talk.session.warnOfSlowTurn(.milliseconds(80), handling: UnsafeRawBufferPointer($0))
    }
    let lines = talk.session.takeOutput().filter { $0.contains(#""method":"log""#) }
    let message = try JSON(parsing: try #require(lines.first))["params"]?["message"]?.string
    #expect(message?.contains(expected) == true, "\(lines)")
  }

  @Test func slowFrontEndMissesLines() async throws {
    let talk = try await Conversation(hello: call(0, "initialize", #"{"protocol":1,"log":"info"}"#))
    let long = String(repeating: "x", count: 600_000)
    for number in 1...5 { talk.put(input(number, "note", #""\#(long)""#)) }
    let lines = talk.session.takeOutput().filter { $0.contains(#""method":"log""#) }
    #expect(lines.count == 2)
    talk.put(input(6, "note", #""x""#))
    let after = talk.session.takeOutput().filter { $0.contains(#""method":"log""#) }
    #expect(after.count == 2)
    #expect(after.first?.contains("3 lines of the log were dropped") == true)
  }

  @Test(arguments: [
    (["--log"], "info"), (["--log", "debug"], "debug"), (["--log=error"], "error"),
    (["--log", "--drain", "1"], "info"),
  ])
  func logOptionMayHaveALevel(words: [String], level: String) throws {
    #expect(try Desk.program.parse(words).values["log"] == level)
    #expect(
      try Desk.program.makeSession(words).publisher.log.standardError == LogLevel(rawValue: level))
  }

  @Test func unknownLevelIsRejected() {
    #expect(throws: UsageError.self) { try Desk.program.makeSession(["--log=loud"]) }
    #expect(throws: UsageError.self) { try Desk.program.parse(["--log", "loud"]) }
  }
}
