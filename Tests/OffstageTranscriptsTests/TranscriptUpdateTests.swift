import Testing

@testable import OffstageTranscripts

@Suite struct TranscriptUpdateTests {
  private func check(
    _ text: String, _ blocks: [[String]], _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let transcript = try Transcript("$ core\n" + text + "\n", file: "x")
    let output = [TranscriptOutput(blocks: blocks, exit: 0)]
    let updated = transcript.updated(with: output)
    #expect(updated.text == "$ core\n" + expected + "\n", sourceLocation: sourceLocation)
    #expect(updated.differences(from: output).isEmpty, sourceLocation: sourceLocation)
    #expect(try Transcript(updated.text, file: "x") == updated, sourceLocation: sourceLocation)
    #expect(updated.updated(with: output) == updated, sourceLocation: sourceLocation)
  }

  @Test func commentsAndUnchangedLinesStay() throws {
    try check(
      """
      # one

      > 0
      # two
      <   {"a" : 1,
        "b" : 2}
      # three
      < {"c":1,"d":1}
      # four
      = exit 0
      # five
      """, [[#"{"b":2,"a":1}"#, #"{"c":1,"d":2}"#]],
      """
      # one

      > 0
      # two
      <   {"a" : 1,
        "b" : 2}
      # three
      < {"c":1,"d":2}
      # four
      = exit 0
      # five
      """)
  }

  @Test func placeholdersThatHoldStay() throws {
    try check(
      #"""
      > 0
      < {"id":"$a","any":"$_","n":1,"text":"$$x"}
      < {"id":"$a","other":"$a","n":2}
      < {"late":"$b","n":1}
      """#,
      [
        [
          #"{"id":7,"any":[1],"n":2,"text":"$x"}"#, #"{"other":8,"id":7,"n":2}"#,
          #"{"late":9,"n":"$5"}"#,
        ]
      ],
      #"""
      > 0
      < {"id":"$a","any":"$_","n":2,"text":"$$x"}
      < {"other":8,"id":"$a","n":2}
      < {"late":"$b","n":"$$5"}
      """#)
  }

  @Test func placeholdersSurviveAnInsertedElement() throws {
    try check(
      #"< {"patch":["$_",{"id":"$a"}],"revision":1}"#,
      [[#"{"patch":[{"new":1},{"value":0},{"id":4}],"revision":1}"#]],
      #"< {"patch":[{"new":1},"$_",{"id":"$a"}],"revision":1}"#)
  }

  @Test func linesComeAndGo() throws {
    try check("> 0\n< 1\n# c\n< 2\n= exit 0", [["2"]], "> 0\n# c\n< 2\n= exit 0")
    // A new line goes before the next line that came, and its comment,
    try check(
      "> 0\n# c\n< 1\n# d\n< 2", [["5", "1", "6", "2"]],
      "> 0\n< 5\n# c\n< 1\n< 6\n# d\n< 2")
    // or else after everything sent.
    try check(
      "> 0\n< 1\n> 9\n# c\n= exit 0", [["1", "2", "3"]], "> 0\n< 1\n> 9\n< 2\n< 3\n# c\n= exit 0")
    try check("# c\n= exit 0", [["1"]], "# c\n< 1\n= exit 0")
    try check("> 0\n\n= exit 0", [["1"], ["2"]], "> 0\n< 1\n\n< 2\n= exit 0")
    try check("> 0\n# c", [["1"]], "> 0\n< 1\n# c")
  }

  @Test func aMissingFinalNewlineStaysMissing() throws {
    let transcript = try Transcript("$ core\n> 0", file: "x")
    let updated = transcript.updated(with: [TranscriptOutput(blocks: [["1"]], exit: 0)])
    #expect(updated.text == "$ core\n> 0\n< 1")
  }

  @Test func anUpdateKeepsTheExitStatus() throws {
    let transcript = try Transcript("$ core\n= exit 0\n", file: "x")
    let output = [TranscriptOutput(blocks: [[]], exit: 1)]
    #expect(transcript.updated(with: output) == transcript)
    #expect(transcript.differences(from: output).count == 1)
  }

  @Test func invalidJSONBecomesAComment() throws {
    let transcript = try Transcript("$ core\n> 0\n", file: "x")
    let output = [TranscriptOutput(blocks: [["fatal: \\ \u{e9}"]], exit: 0)]
    let updated = transcript.updated(with: output)
    #expect(
      updated.text
        == "$ core\n> 0\n# The core printed a line that is not JSON: fatal: \\\\ \\xC3\\xA9\n")
    #expect(updated.differences(from: output).count == 1)
  }
}
