import OffstageTranscripts
import Testing

/// Every fault is found on its line, and the message says what to write instead.
@Suite struct TranscriptErrorTests {
  @Test(arguments: [
    ("", 1, "the first line that is no comment must be the command, as in '$ showcase"),
    ("# only\n# comments\n", 2, "the first line that is no comment must be the command"),
    ("# c\n> 1\n$ core\n", 2, "the first line that is no comment must be the command"),
    ("$ core\n$ core\n", 2, "there is a command already; a transcript runs one program"),
    ("$  \n", 1, "the command names no program"),
    ("$ core 'a\n", 1, "nothing closes the ' in the command"),
    ("$ core \"a\n", 1, "nothing closes the \" in the command"),
    ("$ core a\\\n", 1, "nothing closes the \\ in the command"),
    ("$ core $'\\xff'\n", 1, "this is no UTF-8"),
    ("$ core\nhello\n", 2, "a line begins with '$ ', '# ', '> ', '>! ', '< ', '<~ ', '= ' or two"),
    ("$ core\n>1\n", 2, "a line begins with"),
    ("$ core\n one space\n", 2, "a line begins with"),
    ("$ core\n\n  1]\n", 3, "two leading spaces continue a '$', '<', '<~' or '>!' line"),
    ("$ core\n# c\n  more\n", 3, "two leading spaces continue"),
    ("$ core\n> [1,\n  2]\n", 3, "a '> ' line cannot be continued, so that sed finds it whole"),
    ("$ core\n>! \\q\n", 2, #"'\q' is no escape; known are \n \r \t \\ \" \' \xHH \ooo \u{…}"#),
    ("$ core\n>! a\\c\n\n", 3, "the line above was left open with \\c, so there is nothing to"),
    ("$ core\n< {\"a\":1,}\n", 2, "no JSON at column 10: expected"),
    ("$ core\n< [1,\n  2,\n  x]\n", 4, "no JSON at column 3: expected a value, found 'x'"),
    ("$ core\n< [1,\n  2\n", 3, "no JSON at column 4: expected"),
    ("$ core\n< 1 2\n", 2, "no JSON at column 5: expected"),
    ("$ core\n<~ [\"$5\"]\n", 2, #""$5" is no placeholder: write "$name" or "$_", or "$$5" for"#),
    ("$ core\n< {\"a\":\"$\"}\n", 2, #""$" is no placeholder"#),
    ("$ core\n= exit\n", 2, "a run ends with '= exit N', N being 0 to 255, or with '= eof'"),
    ("$ core\n= exit 256\n", 2, "a run ends with"),
    ("$ core\n= exit x\n", 2, "a run ends with"),
    ("$ core\n= end\n", 2, "a run ends with"),
    ("$ core\n= eof\n# fine\n\n> 1\n", 5, "the run has ended; only comments and blank lines may"),
    ("$ core\n= eof\n= eof\n", 3, "the run has ended"),
  ])
  func fault(text: String, line: Int, message: String) {
    check(line: line, message: message) { () throws(TranscriptError) in
      _ = try Transcript(text, file: "a/b.transcript")
    }
  }

  @Test func bytesThatAreNoText() {
    check(line: 2, message: "this is no UTF-8; write other bytes in a '>! ' line, as \\xHH") {
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
