import Testing

@testable import OffstageTranscripts

@Suite struct TranscriptDifferenceTests {
  /// Compares the lines after a command (so the first one is line 2) with the output of their
  /// blocks.
  private func check(
    _ text: String, _ blocks: [[String]], exit: Int32? = 0, _ expected: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let transcript = try Transcript("$ core\n" + text + "\n", file: "a.transcript")
    let output = [TranscriptOutput(blocks: blocks, exit: exit)]
    let found = transcript.differences(from: output).map(\.description).joined(separator: "\n")
    #expect(found == expected, sourceLocation: sourceLocation)
    // An update expects whatever came, except for the exit status.
    let updated = transcript.updated(with: output)
    let isText = blocks.joined().allSatisfy { $0 != "oops" }
    let rest = updated.differences(from: output).filter {
      !$0.message.hasPrefix("the core exited")
    }
    #expect(rest.isEmpty == isText, sourceLocation: sourceLocation)
    #expect(
      try Transcript(updated.text, file: "a.transcript") == updated, sourceLocation: sourceLocation)
    if expected.isEmpty { #expect(updated == transcript, sourceLocation: sourceLocation) }
  }

  @Test func valuesAreComparedNotTexts() throws {
    try check(#"< {"a":1,"b":[true,null]}"#, [[#" { "b" : [true, null], "a" : 1.0 }"#]])
    try check(#"< "é""#, [[#""\u00e9""#]])
    try check(
      #"< "e\#u{301}""#, [[#""\u00e9""#]],
      """
      a.transcript:1: unexpected line after this one
        found:    "\\u00e9"
      a.transcript:2: line is missing
        expected: "e\u{301}"
      """)
  }

  @Test func orderOfLinesCounts() throws {
    try check("< 1\n< 2", [["1", "2"]])
    try check(
      "< 1\n< 2", [["2", "1"]],
      """
      a.transcript:2: line is missing
        expected: 1
      a.transcript:3: unexpected line after this one
        found:    1
      """)
    try check("> 0\n< 1\n\n> 0\n< 2", [["1"], ["2"]])
    try check(
      "> 0\n< 1\n\n> 0\n< 2", [["1", "2"], []],
      """
      a.transcript:3: unexpected line after this one
        found:    2
      a.transcript:6: line is missing
        expected: 2
      """)
  }

  @Test func aChangedLineDoesNotShiftWildcards() throws {
    try check(
      "< [1,2,3]\n< \"$_\"", [["[1,2,4]", "5"]],
      """
      a.transcript:2: line differs
        expected: [1,2,3]
        found:    [1,2,4]
        at /2: expected 3, found 4
      """)
  }

  /// A request, its result, and the error in its place.
  private static let initialize = #"> {"jsonrpc":"2.0","id":1,"method":"initialize"}"#
  private static let welcome = #"{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}"#
  private static let refusal = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602}}"#

  @Test func resultOfInitializeNeedsNoLine() throws {
    let (initialize, welcome) = (Self.initialize, Self.welcome)
    try check("\(initialize)\n< 1\n< 2", [["1", welcome, "2"]])
    try check("\(initialize)\n> 0\n< 1\n\n> 0\n< 2", [[welcome, "1"], ["2"]])
    try check("\(initialize)\n< \"$_\"\n< \"$_\"", [["1", welcome]])
    try check("\(initialize)\n< \"$_\"\n< 2", [["1", welcome, "2"]])
    try check("\(initialize)\n< 1\n< \(Self.refusal)", [["1", Self.refusal]])
    try check(
      "\(initialize)\n< \(welcome)", [[welcome.replacing("1}", with: "2}")]],
      """
      a.transcript:3: line differs
        expected: \(welcome)
        found:    {"jsonrpc":"2.0","id":1,"result":{"protocol":2}}
        at /result/protocol: expected 1, found 2
      """)
  }

  @Test func initializeWithoutAResultIsADifference() throws {
    try check(
      "\(Self.initialize)\n< 1", [["1", Self.refusal]],
      """
      a.transcript:3: unexpected line after this one
        found:    \(Self.refusal)
      """)
    let transcript = try Transcript("$ core\n\(Self.initialize)\n\n> 0\n", file: "a.transcript")
    let late = TranscriptOutput(blocks: [[], [Self.welcome]], exit: 0)
    #expect(
      transcript.differences(from: [late]).map(\.description) == [
        "a.transcript:2: no response to this request",
        "a.transcript:4: unexpected line after this one\n  found:    \(Self.welcome)",
      ])
    // Raw bytes may be anything, so what they lead to has a line.
    try check(
      Self.initialize.replacing(">", with: ">!"), [[Self.welcome]],
      """
      a.transcript:2: unexpected line after this one
        found:    \(Self.welcome)
      """)
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":false,"method":"initialize"}"#,
    #"{"jsonrpc":"2.0","id":[1],"method":"initialize"}"#,
    #"{"jsonrpc":"2.0","id":1,"id":2,"method":"initialize"}"#,
    #"{"jsonrpc":"2.0","method":"initialize"}"#,
  ])
  func initializeWithAnIDThatNoResponseCanHaveNeedsNoResult(request: String) throws {
    try check("> \(request)\n< 1", [["1"]])
  }

  @Test func placeholdersMatchAnyValue() throws {
    try check(#"< {"a":"$_","b":"$_"}"#, [[#"{"a":1,"b":[2]}"#]])
    try check("< {\"a\":\"$x\",\"b\":\"$x\"}", [[#"{"a":{"c":[1,2]},"b":{"c":[1.0,2]}}"#]])
    try check("> 0\n< [\"$x\"]\n\n> 0\n< [\"$x\",\"$y\"]", [["[1]"], ["[1,2]"]])
    try check(#"< ["$$5","$$x","$$$","$$"]"#, [[#"["$5","$x","$$","$"]"#]])
    try check(
      #"< [0,"$$x"]"#, [["[0,1]"]],
      """
      a.transcript:2: line differs
        expected: [0,"$$x"]
        found:    [0,1]
        at /1: expected "$x", found 1
      """)
  }

  @Test func bindingsLastThroughTheFile() throws {
    try check(
      #"""
      > 0
      < {"id":"$id","result":null}

      > 0
      < {"jsonrpc":"2.0","id":"$id","result":null}
      """#, [[#"{"id":7,"result":null}"#], [#"{"jsonrpc":"2.0","id":8,"result":null}"#]],
      """
      a.transcript:6: line differs
        expected: {"jsonrpc":"2.0","id":"$id","result":null}
        found:    {"jsonrpc":"2.0","id":8,"result":null}
        at /id: expected $id, bound in line 3 to 7, found 8
      """)
  }

  @Test func placesThatDiffer() throws {
    try check(
      #"< {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":3,"a/b~c":[1,2]}}"#,
      [[#"{"jsonrpc":"2.0","method":"frame","params":{"revision":3,"a/b~c":[1,4],"new":{}}}"#]],
      """
      a.transcript:2: line differs
        expected: {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":3,"a/b~c":[1,2]}}
        found:    {"jsonrpc":"2.0","method":"frame","params":{"revision":3,"a/b~c":[1,4],"new":{}}}
        at /params/revision: expected 2, found 3
        at /params/a~1b~0c/1: expected 2, found 4
        at /params/new: expected nothing, found {}
        at /params/cause: expected 3, found nothing
      """)
  }

  @Test func onlyTheFirstPlacesAreShown() throws {
    try check(
      "< [1,2,3,4,5,6,7,0,0,0,0,0,0,0]", [["[0,0,0,0,0,0,0,0,0,0,0,0,0,0]"]],
      """
      a.transcript:2: line differs
        expected: [1,2,3,4,5,6,7,0,0,0,0,0,0,0]
        found:    [0,0,0,0,0,0,0,0,0,0,0,0,0,0]
        at /0: expected 1, found 0
        at /1: expected 2, found 0
        at /2: expected 3, found 0
        at /3: expected 4, found 0
        at /4: expected 5, found 0
        and in 2 more places
      """)
  }

  @Test func elementsAddedAndRemoved() throws {
    try check(
      "< [1,2,3]", [["[0,1,2,3]"]],
      """
      a.transcript:2: line differs
        expected: [1,2,3]
        found:    [0,1,2,3]
        at /0: expected nothing, found 0
      """)
    try check(
      "< [0,1,2,3]", [["[0,2,3]"]],
      """
      a.transcript:2: line differs
        expected: [0,1,2,3]
        found:    [0,2,3]
        at /1: expected 1, found nothing
      """)
    try check(
      "< [1,2,3]", [["[1,2,3,4]"]],
      """
      a.transcript:2: line differs
        expected: [1,2,3]
        found:    [1,2,3,4]
        at /3: expected nothing, found 4
      """)
  }

  @Test func missingAndSurplusLines() throws {
    try check(
      "> 0\n< 1", [[]],
      """
      a.transcript:3: line is missing
        expected: 1
      """)
    try check(
      "> 0\n> 9\n# c\n< 1", [["2", "1", "3"]],
      """
      a.transcript:3: unexpected line after this one
        found:    2
      a.transcript:5: unexpected line after this one
        found:    3
      """)
    try check(
      "> 0", [["1"]],
      """
      a.transcript:2: unexpected line after this one
        found:    1
      """)
    try check(
      "> 0\n\n= exit 0", [[], ["1"]],
      """
      a.transcript:4: unexpected line after this one
        found:    1
      """)
    try check(
      "> 0\n", [[], ["1"]],
      """
      a.transcript:3: unexpected line after this one
        found:    1
      """)
    try check(
      "> 0", [["oops"]],
      """
      a.transcript:2: line after this one is not JSON
        found:    oops
      """)
  }

  @Test func oneChangeDoesNotLeadToOthers() throws {
    let lines = (1...50).map { #"{"id":\#($0),"result":{"revision":\#($0),"value":"a"}}"# }
    let expected = lines.map { "< " + $0 }.joined(separator: "\n")
    var changed = lines
    changed[19] = #"{"id":20,"result":{"revision":20,"value":"b"}}"#
    changed.insert(#"{"error":{"code":1}}"#, at: 30)
    changed.remove(at: 40)
    try check(
      expected, [changed],
      """
      a.transcript:21: line differs
        expected: {"id":20,"result":{"revision":20,"value":"a"}}
        found:    {"id":20,"result":{"revision":20,"value":"b"}}
        at /result/value: expected "a", found "b"
      a.transcript:31: unexpected line after this one
        found:    {"error":{"code":1}}
      a.transcript:41: line is missing
        expected: {"id":40,"result":{"revision":40,"value":"a"}}
      """)
  }

  @Test func nullIsNotNothing() throws {
    try check("< {\"a\":null,\"b\":1}", [["{\"a\":null,\"b\":1}"]])
    try check("< null", [["null"]])
    try check(
      "> 0", [["null"]],
      """
      a.transcript:2: unexpected line after this one
        found:    null
      """)
    try check(
      #"< {"a":null,"b":1,"c":[0]}"#, [[#"{"b":1,"c":[0,null],"d":null}"#]],
      """
      a.transcript:2: line differs
        expected: {"a":null,"b":1,"c":[0]}
        found:    {"b":1,"c":[0,null],"d":null}
        at /c/1: expected nothing, found null
        at /d: expected nothing, found null
        at /a: expected null, found nothing
      """)
  }

  /// Twice the lines take twice the time, also if nothing fits and if arrays nest.
  @Test(.timeLimit(.minutes(10))) func comparisonIsLinear() throws {
    let expected = (0..<2_000).map { "< [\($0),0,0,0]" }.joined(separator: "\n")
    let transcript = try Transcript("$ core\n\(expected)\n", file: "x")
    let output = [TranscriptOutput(blocks: [(0..<2_000).map { "[\($0),1,1,1]" }], exit: 0)]
    #expect(transcript.differences(from: output).count == 4_000)
    #expect(transcript.updated(with: output).differences(from: output).isEmpty)
    let nested = String(repeating: "[0,", count: 300) + "1" + String(repeating: "]", count: 300)
    let shorter = String(repeating: "[", count: 300) + "2" + String(repeating: "]", count: 300)
    let deep = try Transcript("$ core\n< \(nested)\n", file: "x")
    #expect(!deep.differences(from: [TranscriptOutput(blocks: [[shorter]], exit: 0)]).isEmpty)
  }

  @Test func longLinesAreElided() throws {
    let long = String(repeating: "x", count: 300)
    try check(
      "> 0", [["\"\(long)\""]],
      """
      a.transcript:2: unexpected line after this one
        found:    "\(long.prefix(199))… (102 more)
      """)
  }

  @Test func exitStatusIsCompared() throws {
    try check("= exit 0", [[]])
    try check("= exit 3", [[]], exit: 3)
    try check("= exit 3", [[]], exit: nil)
    try check(
      "# c\n= exit 0", [[]], exit: 139,
      "a.transcript:3: the core exited with status 139, expected 0")
    try check("", [[]], exit: 9, "a.transcript:1: the core exited with status 9, expected 0")
  }
}
