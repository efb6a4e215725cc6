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
  func split(text: String, words: [String]) throws {
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
  func text(words: [String], expected: String) throws {
    let command = TranscriptCommand(program: words[0], arguments: Array(words.dropFirst()))
    #expect(command.text == expected)
    #expect(try TranscriptCommand(expected) == command)
  }
}
