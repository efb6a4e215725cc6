import OffstageJSON
import Testing

@Suite struct JSONTextTests {
  @Test(arguments: Grammar.accepted + Grammar.accepting)
  func validTextsAreAccepted(_ text: Grammar.Case) throws {
    _ = try JSONText(text.bytes)
  }

  @Test(
    arguments: [
      Grammar.refusedArrays, Grammar.refusedNumbers, Grammar.refusedObjects,
      Grammar.refusedStrings, Grammar.refusedStructures, Grammar.refusing,
    ].joined())
  func invalidTextsAreRejected(_ text: Grammar.Refusal) {
    let error = #expect(throws: JSONError.self) { try JSONText(text.bytes) }
    #expect(error?.offset == text.offset, "\(String(describing: error))")
  }

  /// The parser never reads past the end of a truncated text.
  @Test(arguments: Grammar.accepted)
  func truncatedTextsAreSafe(_ text: Grammar.Case) {
    for length in 0..<min(text.bytes.count, 200) {
      _ = try? JSONText(Array(text.bytes[..<length]))
    }
  }

  /// A tree that is printed and parsed is the same tree.
  @Test(arguments: Grammar.accepted + Grammar.accepting)
  func treesRoundTrip(_ text: Grammar.Case) throws {
    let tree = try JSONText(text.bytes).root.json
    #expect(try JSON(parsing: tree.description) == tree)
  }

  @Test(arguments: [
    ("[1,,2]", "expected a value at byte 3, found ','"),
    ("[1 2]", "expected ',' or ']' at byte 3, found '2'"),
    ("{\"a\" 1}", "expected ':' at byte 5, found '1'"),
    ("{,", "expected a key or '}' at byte 1, found ','"),
    ("{\"a\":1,}", "expected a key at byte 7, found '}'"),
    ("[", "expected a value or ']' at byte 1, found the end of the text"),
    ("", "expected a value at byte 0, found the end of the text"),
    ("\"a", "expected '\"' at byte 2, found the end of the text"),
    ("\"\n\"", "expected an escape for a control character at byte 1, found byte 0x0a"),
    ("\"\\ud800\"", "expected a surrogate pair at byte 1, found a lone surrogate"),
    ("01", "expected no digit after a leading zero at byte 1, found '1'"),
    ("1e400", "expected a number within the range of a double at byte 0, found a larger one"),
    ("\u{feff}1", "expected a value at byte 0, found byte 0xef"),
    ("1 1", "expected the end of the text at byte 2, found '1'"),
  ])
  func errorsNameTheCause(_ text: String, _ message: String) {
    let error = #expect(throws: JSONError.self) { try JSONText(text) }
    #expect(error?.description == message)
  }

  @Test(arguments: [(0, "1", true), (0, "[]", false), (1, "[]", true), (1, "[{}]", false)])
  func depthIsLimited(_ depth: Int, _ text: String, _ isAccepted: Bool) {
    let isRead = (try? JSONText(text, depth: depth)) != nil
    #expect(isRead == isAccepted)
  }

  @Test func siblingsDoNotAddToTheDepth() throws {
    _ = try JSONText("[[],[],{\"a\":[]},[]]", depth: 3)
  }

  @Test func textsAreReused() throws {
    let text = JSONText()
    #expect(text.root.isNull)
    for size in [1, 5000, 3, 600_000, 7, 100_000, 0] {
      let line = "[" + Array(repeating: "1", count: size).joined(separator: ",") + "]"
      try Array(line.utf8).withUnsafeBytes { try text.read($0) }
      #expect(text.root.count == size)
    }
  }

  @Test func textIsEmptyAfterAnError() throws {
    let text = try JSONText("[1]")
    #expect(throws: JSONError.self) { try Array("[1,".utf8).withUnsafeBytes { try text.read($0) } }
    #expect(text.root.isNull)
    #expect(text.root.bytes == [])
  }
}

@Suite struct DuplicateKeyTests {
  @Test(
    arguments: [
      (#"{"a":1,"b":2}"#, nil), (#"{}"#, nil), (#"[{"a":1},{"a":1}]"#, nil), (#""a""#, nil),
      (#"{"a":{"a":{"a":1}}}"#, nil), (#"{"a":"a","b":"a"}"#, nil),
      (#"{"abc":1,"axc":2}"#, nil), (#"{"abc":1,"axc":2,"abc":3}"#, "/abc"),
      (#"{"é":1,"e\u0301":2}"#, nil), (#"{"a":1,"A":2,"":3}"#, nil),
      (#"{"a":1,"a":2}"#, "/a"), (#"{"a":1,"b":[],"a":2}"#, "/a"), (#"{"":1,"":2}"#, "/"),
      (#"{"a":1,"\u0061":2}"#, "/a"), (#"{"\u0061":1,"a":2}"#, "/a"),
      (#"{"\u0061":1,"\u0061":2}"#, "/a"), (#"[0,{"x":{"k/~":1,"k/~":2}}]"#, "/1/x/k~1~0"),
      (#"{"p":[[],[{"d":1,"d":1}]]}"#, "/p/1/0/d"),
    ] as [(String, String?)])
  func repeatedKeysAreFound(_ text: String, _ pointer: String?) throws {
    let text = try JSONText(text)
    #expect(text.root.duplicateKey == pointer)
  }

  @Test func pathStartsAtTheView() throws {
    let text = try JSONText(#"{"id":1,"id":2,"params":[{"v":{"a":1,"a":2}}],"more":{}}"#)
    #expect(text.root["params"]!.duplicateKey == "/0/v/a")
    #expect(text.root["more"]!.duplicateKey == nil)
  }

  /// Above 16 members the filter is skipped.
  @Test(arguments: [15, 16, 17, 100, 100_000])
  func repeatedKeysAreFoundInLargeObjects(_ count: Int) throws {
    let members = (0..<count).map { "\"k\($0)\":0" }
    let distinct = try JSONText("{" + members.joined(separator: ",") + "}")
    #expect(distinct.root.duplicateKey == nil)
    let twice = try JSONText("{" + members.joined(separator: ",") + #","\u006b3":0,"z":1}"#)
    #expect(twice.root.duplicateKey == "/k3")
  }
}

extension JSONText {
  /// The root of a text that is never freed, so that a test may keep its views.
  var root: JSONView {
    _ = Unmanaged.passRetained(self)
    return withRoot { $0 }
  }
}
