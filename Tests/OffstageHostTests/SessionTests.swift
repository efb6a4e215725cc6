import OffstageJSON
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct SessionTests {
  static let ok = #"{"revision":1}"#

  @Test(arguments: ["1", "1.0", #""1""#, #""\u0031""#, "null", "1e2", "123456789012345678901"])
  func idsAndCausesAreEchoedByteForByte(id: String) async throws {
    let talk = try await Conversation()
    talk.put(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"input","params":"#
        + #"{"screen":"1","name":"tell","value":1}}"#)
    let lines = talk.session.takeOutput()
    #expect(
      lines == [
        #"{"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":\#(id),"events":"#
          + #"[{"screen":"1","name":"told","value":1}]}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"result":{"revision":2}}"#,
      ])
  }

  @Test func batchGetsOneArrayOfResponses() async throws {
    let talk = try await Conversation()
    await talk.check(["[]"], [#"null: error -32600 {"line":2}"#])
    await talk.check(
      ["[1,2]"], [#"[null: error -32600 {"line":3}, null: error -32600 {"line":3}]"#])
    await talk.check(["[\(notification("state/settle"))]"], [])
    await talk.check(
      ["[\(input(1, "tell", "1")),\(notification("no/such")),\(input(2, "tell", "2"))]"],
      [
        "frame 2 by 1 1.told 1", "error -32601", "frame 3 by 2 1.told 2",
        #"[1: {"revision":2}, 2: {"revision":3}]"#,
      ])
    // The array comes after all of the batch, also after what has no response.
    let told = notification("input", #"{"screen":"1","name":"tell","value":4}"#)
    await talk.check(
      ["[\(input(3, "tell", "3")),\(told)]"],
      ["frame 4 by 3 1.told 3", "frame 5 1.told 4", #"[3: {"revision":4}]"#])
  }

  @Test func batchAnswersAreBounded() async throws {
    let talk = try await Conversation()
    let limit = talk.session.limits.out
    await talk.check(
      [notification("input", #"{"screen":"1","name":"text","value":"\#(long)"}"#)],
      [
        "frame 2 " + replaced("/screens/1/output/text", "\"\(long)\"")
      ])
    let calls = (1...100).map { call($0, "state/snapshot") }
    talk.put("[\(calls.joined(separator: ","))]")
    let line = try #require(talk.session.takeOutput().first)
    #expect(line.utf8.count < limit + 100 * 200)
    let responses = try JSON(parsing: line).array ?? []
    #expect(responses.map { $0["id"]?.int } == Array(1...100))
    let rejected = responses.filter { $0["error"]?["code"] == 1005 }.count
    #expect(rejected == 100 - limit / (long.utf8.count + 500), "\(rejected)")
    // After a result that did not fit, nothing is carried out.
    talk.put("[\(calls.joined(separator: ",")),\(input(101, "text", "\"y\""))]")
    #expect(talk.session.takeOutput().count == 1)
    // Frames count, too: the reader has to take them before anything else.
    let changes = (1...100).map { number in
      let text = number.isMultiple(of: 2) ? long : ""
      return input(number, "text", "\"\(text)\"") + "," + call(1000 + number, "state/snapshot")
    }
    talk.put("[\(changes.joined(separator: ","))]")
    #expect(talk.session.publisher.output.unsentCount < limit + (1 << 20))
    let answer = try JSON(parsing: talk.session.takeOutput().last ?? "").array ?? []
    #expect(Set(answer.compactMap { $0["id"]?.int }).count == 200)
    #expect(answer.last?["error"]?["code"] == 1005)
  }

  private var long: String { String(repeating: "x", count: 300_000) }

  /// Two peers that answer each other's errors would never stop.
  @Test func errorNotificationsAreIgnored() async throws {
    let talk = try await Conversation()
    await talk.check(
      [notification("error", #"{"code":1}"#), notification("errors")],
      [
        "error -32601"
      ])
    await talk.check([call(1, "error")], ["1: error -32601"])
  }

  @Test func queuedEffectsAreBounded() async throws {
    let talk = try await Conversation()
    let limit = talk.session.limits.queuedEffects
    let delays = "[" + String(repeating: "1,", count: limit) + "1]"
    _ = await talk.send(input(1, "queue", delays))
    await talk.check(
      [input(2, "queue", "[1]"), input(3, "text")], ["2: error 1005", "3: error 1005"])
    _ = await talk.send(call(4, "clock/advance", #"{"milliseconds":10}"#))
    await talk.check([input(5, "text")], [#"5: {"revision":\#(talk.session.publisher.revision)}"#])
    talk.session.core.closeAll()
    #expect(talk.session.core.queuedEffects == 0)
  }

  /// The array is sent once the last response is ready, in the order in which they became ready.
  @Test func batchWaitsForDeferredResponses() async throws {
    let talk = try await Conversation()
    talk.put(
      "[\(input(1, "work", "3", settle: true)),\(call(2, "no/such")),\(call(3, "state/settle")),7]")
    talk.put(input(4, "text"))
    #expect(talk.pull() == [#"4: {"revision":1}"#])
    await talk.turn()
    #expect(
      talk.pull() == [
        "frame 2 by 1 " + replaced("/screens/1/output/count", "1"),
        #"[2: error -32601, null: error -32600 {"line":2}, 1: {"revision":2}, 3: {"revision":2}]"#,
      ])
  }

  @Test func pendingIDsAreRejected() async throws {
    let talk = try await Conversation()
    await talk.check([input(1, "hold", settle: true)], [])
    await talk.check(
      [input(1, "text"), call(1, "state/settle")], ["1: error -32600", "1: error -32600"])
    let spelled = input(1, "text").replacing("\"id\":1", with: "\"id\":1.0")
    await talk.check([spelled], [#"1.0: {"revision":1}"#])
    await talk.check(
      [input(2, "release"), input(1, "text")],
      [
        #"2: {"revision":1}"#, "frame 2 by 1 " + replaced("/screens/1/output/count", "1"),
        #"1: {"revision":2}"#, #"1: {"revision":2}"#,
      ])
  }

  /// It ends by itself, unlike on a virtual clock. Nothing else may happen for a long time.
  @Test func debounceOnARealClockIsWaitedForEvenIfItChangesNothing() async throws {
    let talk = try await Conversation([])
    await talk.check(
      [input(1, "search", #""""#, settle: true), call(2, "state/settle")], [])
    #expect(talk.session.core.clock.fireNext(dueBy: .seconds(1 << 40)))
    CoreActor.executor.endTurn()
    #expect(talk.pull() == [#"1: {"revision":1}"#, #"2: {"revision":1}"#])
  }

  @Test func pendingRequestsAreBounded() async throws {
    let talk = try await Conversation()
    let limit = talk.session.limits.inFlight
    await talk.check((1...limit).map { input($0, "hold", settle: true) }, [])
    await talk.check(
      [input(5_000, "hold", settle: true), call(5_001, "state/settle")],
      ["5000: error 1005", "5001: error 1005"])
    await talk.check([input(5_002, "text")], [#"5002: {"revision":1}"#])
    await talk.check(
      [notification("$/cancelRequest", #"{"id":7}"#), call(5_003, "state/settle")],
      ["7: error -32800"])
    let lines = await talk.send(input(5_004, "release"))
    // The one that was refused has done nothing, and may be sent again.
    #expect(lines.first == #"5004: {"revision":1}"#)
    #expect(lines.count == 2 * limit)
    #expect(lines.last == #"5003: {"revision":\#(limit)}"#)
  }

  @Test func paramsArePassedByName() async throws {
    let talk = try await Conversation()
    for method in ["input", "state/settle", "navigation/back"] {
      await talk.check(
        [call(1, method, "[null]")],
        [#"1: error -32602 {"path":"","expected":"object","found":"array"}"#])
    }
    await talk.check(
      [#"{"jsonrpc":"2.0","id":1,"method":"state/settle"}"#], [#"1: {"revision":1}"#])
  }
}

/// Any line gets one answer, and the next line is handled.
@Suite @CoreActor struct HostileLinesTests {
  @Test(arguments: [
    ("{", -32700), ("}", -32700), ("nul", -32700), (#"{"a":1,}"#, -32700), ("[1,]", -32700),
    ("{} {}", -32700), ("'a'", -32700), ("01", -32700), ("1e400", -32700), ("NaN", -32700),
    ("\u{0}", -32700), ("\"\u{1}\"", -32700), ("\"\t\"", -32700), (#""\x""#, -32700),
    (#""\ud800""#, -32700), (#""\udc00\ud800""#, -32700), ("\u{FEFF}{}", -32700),
    ("\u{A0}1", -32700), ("{\"a\":\"", -32700),
    (String(repeating: "[", count: 513), -32700),
    (String(repeating: "[", count: 100_000), -32700),
    (String(repeating: #"{"a":"#, count: 100_000), -32700),
    ("1", -32600), ("\"a\"", -32600), ("null", -32600), ("{}", -32600), ("[]", -32600),
    (#"{"jsonrpc":"2.0"}"#, -32600), (#"{"jsonrpc":"2.0","method":"","id":{}}"#, -32600),
    (#"{"jsonrpc":"2.0","method":"","id":1,"id":1}"#, -32600),
  ])
  func invalidTextIsRejected(line: String, code: Int) async throws {
    try await check(Array(line.utf8), code)
  }

  @Test(
    arguments: [
      [0xFF], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF5, 0x80, 0x80, 0x80],
      [0x22, 0xE2, 0x80, 0x22], [0x1F, 0x8B, 0x08, 0x00], [0xFE, 0xFF, 0x00, 0x31],
    ] as [[UInt8]])
  func invalidUTF8IsRejected(line: [UInt8]) async throws { try await check(line, -32700) }

  @Test func nestingUpToTheLimitIsAccepted() async throws {
    let talk = try await Conversation()
    let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    await talk.check(
      [call(1, "state/settle", #"{"x":\#(nested(510))}"#)], [#"1: {"revision":1}"#])
    #expect(
      await talk.send(call(1, "state/settle", #"{"x":\#(nested(511))}"#))[0]
        .hasPrefix("null: error -32700"))
  }

  @Test func limitsComeFromTheCommandLine() async throws {
    let talk = try await Conversation(
      ["--deterministic", "--max-line", "100", "--max-depth=4"], hello: nil)
    let fits = call(1, "state/settle", #"{"x":"\#(String(repeating: "y", count: 34))"}"#)
    #expect(fits.utf8.count == 100)
    #expect(await talk.send(fits).last == #"1: {"revision":1}"#)
    await talk.check(
      [fits.replacing("yy", with: "yyy", maxReplacements: 1), call(2, "state/settle")],
      [#"null: error -32700 {"line":2}"#, #"2: {"revision":1}"#])
    await talk.check(
      [call(3, "state/settle", #"{"x":[[[]]]}"#), call(4, "state/settle", #"{"x":[[]]}"#)],
      [#"null: error -32700 {"line":4,"offset":64}"#, #"4: {"revision":1}"#])
  }

  @Test func manyKeysParseQuickly() async throws {
    let talk = try await Conversation()
    let members = (0..<20_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    await talk.check([call(1, "state/settle", "{\(members)}")], [#"1: {"revision":1}"#])
    #expect(
      await talk.send(call(1, "state/settle", "{\(members),\"k19999\":1}"))[0]
        .hasPrefix("1: error -32602"))
  }

  @Test func outputNeverBreaksLines() async throws {
    let talk = try await Conversation()
    let text = "a\u{2028}b\u{2029}c\u{85}d\\ne"
    talk.put(input(1, "text", "\"\(text)\""))
    talk.put(input(2, "no\u{2028}such"))
    let lines = talk.session.takeOutput()
    #expect(lines.count == 3)
    for line in lines {
      #expect(
        !line.unicodeScalars.contains { "\u{2028}\u{2029}\u{85}\n".unicodeScalars.contains($0) })
    }
  }

  private func check(_ line: [UInt8], _ code: Int, _ location: SourceLocation = #_sourceLocation)
    async throws
  {
    let talk = try await Conversation()
    talk.put(line)
    talk.put(input(1, "tell", "1"))
    let lines = talk.pull()
    #expect(lines.count == 3, sourceLocation: location)
    #expect(
      lines[0].hasPrefix("null: error \(code) {\"line\":2"), "\(lines[0])", sourceLocation: location
    )
    #expect(
      Array(lines.dropFirst()) == ["frame 2 by 1 1.told 1", #"1: {"revision":2}"#],
      sourceLocation: location)
  }
}
