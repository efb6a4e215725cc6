import OffstageJSON
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

  @Test(arguments: [("= exit 0", 0), ("", 0), ("= exit 255", 255)])
  func exitStatus(line: String, expected: Int32) throws {
    #expect(try Transcript("$ core\n\(line)\n", file: "x").runs.map(\.exit.status) == [expected])
  }

  @Test func carriageReturnsBeforeLineEndsAreIgnored() throws {
    let kinds = { (text: String) in try Transcript(text, file: "x").entries.map(\.kind) }
    let text = "$ core\n\n> 1\n>! \\r\n< [1,\n  2]\n= exit 0\n"
    #expect(try kinds(text.replacing("\n", with: "\r\n")) == kinds(text))
  }
}
