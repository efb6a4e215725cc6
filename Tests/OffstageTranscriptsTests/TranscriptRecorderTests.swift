import OffstageJSON
import Testing

@testable import OffstageTranscripts

@Suite struct TranscriptRecorderTests {
  enum Step {
    case sent([UInt8])
    case received(String)
    case barrier

    static func sent(_ text: String) -> Step { .sent(Array(text.utf8)) }
  }

  private func check(
    _ steps: [Step], exit: Int32 = 0, _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var recorder = TranscriptRecorder()
    var text = recorder.start(TranscriptCommand(program: "core", arguments: ["--deterministic"]))
    var isAfterRest = false
    for step in steps {
      switch step {
      case .sent(let line):
        text += recorder.sent(line, afterRest: isAfterRest)
        isAfterRest = false
      case .received(let line): text += recorder.received(line)
      case .barrier: isAfterRest = true
      }
    }
    text += recorder.exit(exit)
    #expect(text == "$ core --deterministic\n" + expected + "\n", sourceLocation: sourceLocation)
    try await checkReplay(of: text, steps, exit: exit, sourceLocation)
  }

  /// Plays the recording to a core that answers as the recorded one did.
  private func checkReplay(
    of text: String, _ steps: [Step], exit: Int32, _ sourceLocation: SourceLocation
  ) async throws {
    let transcript = try Transcript(text, file: "x")
    #expect(transcript.text == text, sourceLocation: sourceLocation)
    var blocks: [[String]] = [[]]
    var sent: [UInt8] = []
    var isBarrierDue = false
    for step in steps {
      switch step {
      case .sent(let line):
        if isBarrierDue { blocks.append([]) }
        isBarrierDue = false
        sent += line + [0x0A]
      case .received(let line): blocks[blocks.count - 1].append(line)
      case .barrier: isBarrierDue = !sent.isEmpty
      }
    }
    let core = ScriptedCore(blocks: blocks, exit: exit)
    let output = try await transcript.play { _ in core }
    #expect(transcript.differences(from: output) == [], sourceLocation: sourceLocation)
    let sends = transcript.entries.map { entry in
      if case .sent(let bytes) = entry.kind { bytes } else { [UInt8]() }
    }
    #expect(Array(sends.joined()) == sent, sourceLocation: sourceLocation)
  }

  @Test func blankLinesSeparateGroups() async throws {
    try await check(
      [
        .barrier, .sent("1"), .received("10"), .sent("2"), .received("20"), .barrier, .barrier,
        .sent("3"), .received("30"), .barrier,
      ], exit: 2,
      """

      > 1
      < 10
      > 2
      < 20

      > 3
      < 30
      = exit 2
      """)
  }

  @Test func fragileLinesAreRaw() async throws {
    try await check(
      [
        .sent(#"{"a": "é"}"#), .sent("not json"), .sent([0xFF, 0x5C, 0x63]), .sent(""),
        .sent("1\r"), .sent("\t1"), .sent(" 1"), .sent("1 "), .sent("\"\u{2028}\""),
        .sent("\u{FEFF}1"), .sent("\"\u{0}\""), .barrier,
      ],
      #"""

      > {"a": "é"}
      >! not json
      >! \xFF\\c
      >! \n\c
      >! 1\r
      >! \t1
      >!  1
      >! 1\x20
      >! "\xE2\x80\xA8"
      >! \xEF\xBB\xBF1
      >! "\x00"
      = exit 0
      """#)
  }

  @Test func longRawLinesAreBroken() async throws {
    let line = "x" + String(repeating: "y ", count: 60) + String(repeating: "\u{1}", count: 40)
    try await check(
      [.sent(line)],
      """

      >! x\(String(repeating: "y ", count: 47))y\\x20
        \(String(repeating: "y ", count: 12))\(String(repeating: "\\x01", count: 18))
        \(String(repeating: "\\x01", count: 22))
      = exit 0
      """)
  }

  @Test func longSentLinesStayWhole() async throws {
    let line = "[" + String(repeating: "1,", count: 100) + "1]"
    try await check([.sent(line)], "\n> \(line)\n= exit 0")
  }

  @Test func dollarSignsAreEscaped() async throws {
    try await check(
      [.sent("1"), .received(#"{"a":["$5","$_","a$"],"$k":1}"#)],
      #"""

      > 1
      < {"a":["$$5","$$_","a$"],"$k":1}
      = exit 0
      """#)
  }

  @Test func resultOfInitializeIsLeftOut() async throws {
    let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#
    try await check(
      [
        .sent(initialize), .received("1"),
        .received(#"{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"session":"0"}}"#),
        .sent(initialize), .received(#"{"jsonrpc":"2.0","id":1,"error":{}}"#),
        .sent(#"{"id":1}"#), .received(#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
      ],
      #"""

      > \#(initialize)
      < 1
      > \#(initialize)
      < {"jsonrpc":"2.0","id":1,"error":{}}
      > {"id":1}
      < {"jsonrpc":"2.0","id":1,"result":{}}
      = exit 0
      """#)
  }

  @Test func framesAreBrokenAsInTheSpecification() async throws {
    try await check(
      [
        .sent("1"),
        .received(
          #"{"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":3,"#
            + #""patch":[{"op":"replace","path":"/screens/1/output/isConfirmEnabled","value":true}]}}"#
        ),
        .received(#"{"jsonrpc":"2.0","id":3,"result":{"revision":2}}"#),
      ],
      #"""

      > 1
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":3,
        "patch":[{"op":"replace","path":"/screens/1/output/isConfirmEnabled","value":true}]}}
      < {"jsonrpc":"2.0","id":3,"result":{"revision":2}}
      = exit 0
      """#)
  }

  @Test func patchOperationsStartLines() async throws {
    let title = String(repeating: "a, ", count: 50)
    try await check(
      [
        .sent("1"),
        .received(
          #"{"jsonrpc":"2.0","method":"frame","params":{"revision":2,"patch":["#
            + #"{"op":"remove","path":"/a"},{"op":"remove","path":"/b"},"#
            + #"{"op":"add","path":"/c","value":{"title":"\#(title)","rows":[],"n":1}}],"#
            + #""navigation":[{"type":"pop","screens":["4"]}],"events":[],"cause":"a,b"}}"#),
      ],
      #"""

      > 1
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,
        "patch":[{"op":"remove","path":"/a"},
        {"op":"remove","path":"/b"},
        {"op":"add","path":"/c",
        "value":{"title":"\#(title)",
        "rows":[],"n":1}}],"navigation":[{"type":"pop","screens":["4"]}],"events":[],"cause":"a,b"}}
      = exit 0
      """#)
  }

  @Test func invalidJSONFailsTheReplay() throws {
    var recorder = TranscriptRecorder()
    let text =
      recorder.start(TranscriptCommand(program: "core"))
      + recorder.sent([0x31], afterRest: false)
      + recorder.received("oops\u{1}")
    #expect(text == "$ core\n\n> 1\n# The core printed a line that is not JSON: oops\\x01\n")
    let output = TranscriptOutput(blocks: [["oops\u{1}"]], exit: nil)
    #expect(try Transcript(text, file: "x").differences(from: [output]).count == 1)
  }
}

@Suite struct LineLayoutTests {
  @Test func joinedLinesRestoreTheText() throws {
    for size in 0..<120 {
      let value = sample(size)
      let lines = LineLayout.lines(of: value)
      let joined =
        lines[0].dropFirst(2) + lines.dropFirst().map { $0.dropFirst(2) }.joined()
      #expect(joined == value.description)
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
      #expect(lines.allSatisfy { $0.unicodeScalars.count <= 100 })
      #expect((lines.count == 1) == (value.description.count + 2 <= 100))
      let text = "$ core\n" + lines.joined(separator: "\n") + "\n"
      #expect(
        try Transcript(text, file: "x").entries.last?.kind == .expected(value))
    }
  }

  /// A frame whose strings contain brackets, commas and quotes.
  private func sample(_ size: Int) -> JSON {
    let operations = (0..<(size / 7)).map { index -> JSON in
      ["op": "add", "path": "/a/\(index)", "value": [["x": "[{,\"\\é"], [], [:], .null, 1.5]]
    }
    let members = (0..<size).map { (key: "k,\($0)", value: JSON.string("\"},{\"")) }
    return [
      "jsonrpc": "2.0",
      "params": [
        "revision": 1, "patch": .array(operations), "events": .object(JSONObject(members)),
      ],
    ]
  }

  @Test func longStringsAreNeverBroken() {
    let long = String(repeating: "a,", count: 100)
    let lines = LineLayout.lines(of: ["a": 1, "b": .string(long), "c": 2])
    #expect(lines == [#"< {"a":1,"#, "  \"b\":\"\(long)\",", #"  "c":2}"#])
    #expect(LineLayout.lines(of: .string(long)) == ["< \"\(long)\""])
  }
}
