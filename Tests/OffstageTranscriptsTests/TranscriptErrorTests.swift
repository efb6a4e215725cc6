import OffstageTranscripts
import Testing

@Suite struct TranscriptErrorTests {
  @Test(arguments: [
    ("", 1, "expected a command such as '$ showcase --deterministic' before anything but comments"),
    ("# only\n# comments\n", 2, "expected a command"),
    ("# c\n> 1\n$ core\n", 2, "expected a command"),
    ("$  \n", 1, "missing program name"),
    ("$ core 'a\n", 1, "unterminated ' in the command"),
    ("$ core \"a\n", 1, "unterminated \" in the command"),
    ("$ core a\\\n", 1, "unterminated \\ in the command"),
    ("$ core\nhello\n", 2, "expected a line that begins with '$ ', '# ', '> ', '>! ', '< ', '= '"),
    ("$ core\n>1\n", 2, "expected a line that begins with"),
    ("$ core\n<~ 1\n", 2, "expected a line that begins with"),
    ("$ core\n one space\n", 2, "expected a line that begins with"),
    ("$ core\n\n  1]\n", 3, "nothing to continue; two leading spaces continue a '$', '<' or '>!'"),
    ("$ core\n# c\n  more\n", 3, "nothing to continue"),
    ("$ core\n> [1,\n  2]\n", 3, "a '> ' line cannot be continued; write it on one line"),
    ("$ core\n>! \\q\n", 2, #"unknown escape '\q'; use \n \r \t \\ \" \' \xHH \ooo \u{…} or a"#),
    ("$ core\n>! a\\c\n\n", 3, "the line above ends in \\c; finish it before the blank line"),
    ("$ core\n< {\"a\":1,}\n", 2, "invalid JSON at column 10: expected"),
    ("$ core\n< [1,\n  2,\n  x]\n", 4, "invalid JSON at column 3: expected a value, found 'x'"),
    ("$ core\n< [1,\n  2\n", 3, "invalid JSON at column 4: expected"),
    ("$ core\n< 1 2\n", 2, "invalid JSON at column 5: expected"),
    ("$ core\n< [\"$5\"]\n", 2, #"invalid placeholder "$5"; write "$name", "$_", or "$$5" for"#),
    ("$ core\n< {\"a\":\"$\"}\n", 2, #"invalid placeholder "$""#),
    ("$ core\n= exit\n", 2, "expected '= exit N' with N from 0 to 255"),
    ("$ core\n= exit 256\n", 2, "expected '= exit N'"),
    ("$ core\n= exit x\n", 2, "expected '= exit N'"),
    ("$ core\n= eof\n", 2, "expected '= exit N'"),
    (
      "$ core\n= exit 0\n# fine\n\n> 1\n", 5,
      "the run has ended; start another one with a '$ ' line"
    ),
    ("$ core\n= exit 0\n= exit 0\n", 3, "the run has ended"),
  ])
  func fault(text: String, line: Int, message: String) {
    check(line: line, message: message) { () throws(TranscriptError) in
      _ = try Transcript(text, file: "a/b.transcript")
    }
  }

  @Test func invalidUTF8() {
    check(line: 2, message: "invalid UTF-8; write such bytes as \\xHH in a '>! ' line") {
      () throws(TranscriptError) in
      _ = try Transcript(Array("$ core\n> ".utf8) + [0xFF, 0x0A], file: "a/b.transcript")
    }
  }

  private func check(
    line: Int, message: String, _ parse: () throws(TranscriptError) -> Void
  ) {
    do throws(TranscriptError) {
      try parse()
      Issue.record("No error; expected line \(line): \(message)")
    } catch {
      #expect(error.line == line)
      #expect(error.description.hasPrefix("a/b.transcript:\(line): \(message)"))
    }
  }
}
