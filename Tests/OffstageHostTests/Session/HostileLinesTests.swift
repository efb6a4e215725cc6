import Testing

@testable import Offstage
@testable import OffstageHost

/// Whatever a line is, it gets one answer, and the next line is good again.
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
  func text(line: String, code: Int) async throws { try await check(Array(line.utf8), code) }

  @Test(
    arguments: [
      [0xFF], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF5, 0x80, 0x80, 0x80],
      [0x22, 0xE2, 0x80, 0x22], [0x1F, 0x8B, 0x08, 0x00], [0xFE, 0xFF, 0x00, 0x31],
    ] as [[UInt8]])
  func bytes(line: [UInt8]) async throws { try await check(line, -32700) }

  @Test func nestingAtTheLimitIsGood() async throws {
    let talk = try await Conversation()
    let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    await talk.check(
      [call(1, "state/settle", #"{"x":\#(nested(510))}"#)], [#"1: {"revision":1}"#])
    #expect(
      await talk.send(call(1, "state/settle", #"{"x":\#(nested(511))}"#))[0]
        .hasPrefix("null: error -32700"))
  }

  @Test func limitsAreThoseOfTheCommandLine() async throws {
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

  @Test func manyKeysAreReadQuickly() async throws {
    let talk = try await Conversation()
    let members = (0..<20_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    await talk.check([call(1, "state/settle", "{\(members)}")], [#"1: {"revision":1}"#])
    #expect(
      await talk.send(call(1, "state/settle", "{\(members),\"k19999\":1}"))[0]
        .hasPrefix("1: error -32602"))
  }

  @Test func whatGoesOutNeverBreaksALine() async throws {
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

  private func check(_ line: [UInt8], _ code: Int) async throws {
    let talk = try await Conversation()
    talk.put(line)
    talk.put(input(1, "tell", "1"))
    let lines = talk.pull()
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("null: error \(code) {\"line\":2"), "\(lines[0])")
    #expect(Array(lines.dropFirst()) == ["frame 2 by 1 1.told 1", #"1: {"revision":2}"#])
  }
}
