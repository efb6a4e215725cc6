import Testing

@testable import OffstageTranscripts

@Suite struct TranscriptCommandTests {
  @Test(arguments: [
    ("core", ["core"]),
    ("  core \t --a  b ", ["core", "--a", "b"]),
    ("core 'a b' \"c d\" e\\ f", ["core", "a b", "c d", "e f"]),
    ("core '' \"\"", ["core", "", ""]),
    (#"core 'a\b"c' "a\"b\\c\d$x" a\'b"#, ["core", #"a\b"c"#, #"a"b\c\d$x"#, "a'b"]),
    ("core a'b'\"c\"d", ["core", "abcd"]),
    ("core $HOME * | >x", ["core", "$HOME", "*", "|", ">x"]),
    ("core e\u{301}", ["core", "e\u{301}"]),
  ])
  func wordsAreSplitAsByAShell(text: String, words: [String]) throws {
    let command = try TranscriptCommand(text)
    #expect([command.program] + command.arguments == words)
    #expect(try TranscriptCommand(command.text) == command)
  }

  @Test(arguments: [
    (["core", "--root", "signUp"], "core --root signUp"),
    (["./core", "a b", "it's", ""], #"./core 'a b' 'it'\''s' ''"#),
    (["core", "a\rb'\u{7}"], "core 'a\rb'\\''\u{7}'"),
    (["core", "$x", "\\", "\"", "é"], #"core '$x' '\' '"' 'é'"#),
  ])
  func wordsAreQuotedAsForAShell(words: [String], expected: String) throws {
    let command = TranscriptCommand(program: words[0], arguments: Array(words.dropFirst()))
    #expect(command.text == expected)
    #expect(try TranscriptCommand(expected) == command)
  }
}

@Suite struct RawLineTests {
  @Test(arguments: [
    ("", [0x0A]),
    ("ab", [0x61, 0x62, 0x0A]),
    (#"ab\c"#, [0x61, 0x62]),
    (#"\c"#, []),
    (#"\\c"#, [0x5C, 0x63, 0x0A]),
    (#"\\\c"#, [0x5C]),
    (#"a\r"#, [0x61, 0x0D, 0x0A]),
    (#"\n\r\t\\\"\'\c"#, [0x0A, 0x0D, 0x09, 0x5C, 0x22, 0x27]),
    (#"\0\c"#, [0]),
    (#"\0018\7\c"#, [1, 0x38, 7]),
    (#"\377\c"#, [0xFF]),
    (#"\xfF\x00A\c"#, [0xFF, 0, 0x41]),
    (#"\u{e9}\u{1F600}\c"#, [0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80]),
    (#"é\c"#, [0xC3, 0xA9]),
  ])
  func escapesStandForBytes(text: String, bytes: [UInt8]) throws {
    #expect(try RawLine.message(text) == bytes)
  }

  @Test(arguments: [
    (#"\"#, #"\"#), (#"a\qb"#, #"\q"#), (#"\x1"#, #"\x1"#), (#"\xg0"#, #"\xg0"#),
    (#"\x+1"#, #"\x+1"#), (#"\400"#, #"\400"#), (#"\u{}"#, #"\u{}"#), (#"\u{d800}"#, #"\u{d800}"#),
    (#"\u41"#, #"\u41"#), (#"\cx"#, #"\c"#), (#"\é"#, #"\é"#),
  ])
  func unknownEscapesAreRejected(text: String, escape: String) {
    let problem = #expect(throws: TranscriptError.Problem.self) { try RawLine.message(text) }
    #expect(problem?.description.hasPrefix("unknown escape '\(escape)'; ") == true)
  }

  @Test func everyByteRoundTrips() throws {
    let all = (0...255).map { UInt8($0) }
    let messages: [[UInt8]] =
      [
        [], [0x0A], [0x0A, 0x0A], all, all + [0x0A], [0x5C, 0x63], [0x5C, 0x63, 0x0A],
        [0x5C, 0x0A],
      ]
      + all.map { [$0] } + all.map { [$0, 0x0A] }
    for message in messages {
      #expect(try RawLine.message(RawLine.escapes(ofMessage: message).joined()) == message)
    }
  }

  @Test func asciiStaysReadable() {
    let message = Array("{\"a\": \"\\u00e9\", é\r\n".utf8)
    let text = RawLine.escapes(ofMessage: message).joined()
    #expect(text == #"{"a": "\\u00e9", \xC3\xA9\r"#)
  }
}
