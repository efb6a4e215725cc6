import OffstageJSON
import OffstageTranscripts
import Testing

@testable import OffstageTranscripts

@Suite struct TranscriptTests {
  /// The example of the specification.
  static let example = #"""
    # A cleared field disables the button again; an unchanged value says nothing.
    $ showcase --deterministic --root signUp

    > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":1,"cause":1,
      "patch":[{"op":"replace","path":"","value":"$_"}],"navigation":"$_"}}
    < {"jsonrpc":"2.0","id":1,"result":{"protocol":1,"app":"$_","revision":1,"limits":"$_"}}

    > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"nameText"}}
    < {"jsonrpc":"2.0","id":2,"result":{"revision":1}}
    = exit 0

    """#

  @Test(arguments: [
    example,
    "$ core\n",
    "$ core",
    "# comment\n\n#another\n$ core -v  'x y'\n\n\n\n> 1\n\n# end\n\n",
    "$ core\r\n\r\n> 1\r\n< {\"a\":\r\n  1}\r\n= exit 0\r\n",
    "$ core\n \t \n< 1\n< [1,\n  2,\n   3]\n>! \\x00\n  \\n\n= exit 3\n# after\n",
    "$ core\n> e\u{301}\u{2028}\u{85}\u{FEFF}\n",
  ])
  func textRoundTrips(text: String) throws {
    let transcript = try Transcript(text, file: "x")
    #expect(transcript.text.utf8.elementsEqual(text.utf8))
    #expect(try Transcript(Array(text.utf8), file: "x") == transcript)
  }

  @Test func marksDecideTheKind() throws {
    let text = #"""
      # why
      $ core --name 'a b'

      > {"id":1}
      >! \xff\
        n\c
      <  [1,
        "a"]
      < "$x"
      = exit 7
      """#
    let transcript = try Transcript(text.replacing("\\\n  n", with: "\\n\n  n"), file: "x")
    #expect(
      transcript.entries.map(\.kind) == [
        .comment,
        .command(TranscriptCommand(program: "core", arguments: ["--name", "a b"])),
        .barrier,
        .sent(Array("{\"id\":1}\n".utf8)),
        .sent([0xFF, 0x0A, UInt8(ascii: "n")]),
        .expected([1, "a"]),
        .expected("$x"),
        .exit(7),
      ])
    #expect(transcript.entries.map(\.line) == [1, 2, 3, 4, 5, 7, 9, 10])
    #expect(transcript.runs.map(\.command.program) == ["core"])
  }

  @Test func responsesOfTheServerAreParsed() throws {
    let text = """
      $ core
      @ GET /a?b=1 -> 200 [X-Name: a b] [Retry-After: 3] [1,
        2]
      @ POST /c -> 503
      @ GET /d -> close

      """
    let responses = try Transcript(text, file: "x").runs[0].responses
    #expect(
      responses == [
        ScriptedResponse(
          line: 2, method: "GET", target: "/a?b=1", status: 200,
          headers: ["X-Name: a b", "Retry-After: 3"], body: Array("[1,2]".utf8)),
        ScriptedResponse(
          line: 4, method: "POST", target: "/c", status: 503, headers: [], body: []),
        ScriptedResponse(line: 5, method: "GET", target: "/d", status: nil, headers: [], body: []),
      ])
  }

  @Test(arguments: [("= exit 0", 0), ("", 0), ("= exit 255", 255)])
  func exitStatusIsZeroByDefault(line: String, expected: Int32) throws {
    #expect(try Transcript("$ core\n\(line)\n", file: "x").runs.map(\.exit.status) == [expected])
  }

  @Test func carriageReturnsBeforeLineEndsAreIgnored() throws {
    let kinds = { (text: String) in try Transcript(text, file: "x").entries.map(\.kind) }
    let text = "$ core\n\n> 1\n>! \\r\n< [1,\n  2]\n= exit 0\n"
    #expect(try kinds(text.replacing("\n", with: "\r\n")) == kinds(text))
  }
}

@Suite struct TranscriptErrorTests {
  @Test(arguments: [
    ("", 1, "expected a command such as '$ showcase --deterministic' before anything but comments"),
    ("# only\n# comments\n", 2, "expected a command"),
    ("# c\n> 1\n$ core\n", 2, "expected a command"),
    ("$  \n", 1, "missing program name"),
    ("$ core 'a\n", 1, "unterminated ' in the command"),
    ("$ core \"a\n", 1, "unterminated \" in the command"),
    ("$ core a\\\n", 1, "unterminated \\ in the command"),
    ("$ core\nhello\n", 2, "expected a line that begins with '$ ', '# ', '> ', '>! ', '< ', '@ '"),
    ("$ core\n>1\n", 2, "expected a line that begins with"),
    ("$ core\n<~ 1\n", 2, "expected a line that begins with"),
    ("$ core\n one space\n", 2, "expected a line that begins with"),
    ("$ core\n\n  1]\n", 3, "nothing to continue; two leading spaces continue a '$', '<', '@' or"),
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
    ("$ core\n@ GET /x 200\n", 2, "expected '@ METHOD TARGET -> STATUS [Name: value] BODY' or"),
    ("$ core\n@ GET x -> 200\n", 2, "expected '@ METHOD TARGET"),
    ("$ core\n@ GET /x -> 600\n", 2, "expected '@ METHOD TARGET"),
    ("$ core\n@ GET /x -> close it\n", 2, "expected '@ METHOD TARGET"),
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
  func errorsNameTheLine(text: String, line: Int, message: String) {
    check(line: line, message: message) { () throws(TranscriptError) in
      _ = try Transcript(text, file: "a/b.transcript")
    }
  }

  @Test func invalidUTF8NamesItsLine() {
    check(line: 2, message: "invalid UTF-8; write such bytes as \\xHH in a '>! ' line") {
      () throws(TranscriptError) in
      _ = try Transcript(Array("$ core\n> ".utf8) + [0xFF, 0x0A], file: "a/b.transcript")
    }
  }

  private func check(
    line: Int, message: String, _ parse: () throws(TranscriptError) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) {
    do throws(TranscriptError) {
      try parse()
      Issue.record("No error; expected line \(line): \(message)")
    } catch {
      #expect(error.line == line, sourceLocation: location)
      #expect(
        error.description.hasPrefix("a/b.transcript:\(line): \(message)"), sourceLocation: location)
    }
  }
}
