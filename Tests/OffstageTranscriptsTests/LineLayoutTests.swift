import OffstageJSON
import Testing

@testable import OffstageTranscripts

@Suite struct LineLayoutTests {
  @Test func joinedLinesAreTheSameText() throws {
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
      ["op": "add", "path": "/a/\(index)", "value": [["x": "[{,\"\\é"], [], [:], nil, 1.5]]
    }
    let members = (0..<size).map { (key: "k,\($0)", value: JSON.string("\"},{\"")) }
    return [
      "jsonrpc": "2.0",
      "params": [
        "revision": 1, "patch": .array(operations), "events": .object(JSONObject(members)),
      ],
    ]
  }

  @Test func aLongStringIsNeverBroken() {
    let long = String(repeating: "a,", count: 100)
    let lines = LineLayout.lines(of: ["a": 1, "b": .string(long), "c": 2])
    #expect(lines == [#"< {"a":1,"#, "  \"b\":\"\(long)\",", #"  "c":2}"#])
    #expect(LineLayout.lines(of: .string(long)) == ["< \"\(long)\""])
  }
}
