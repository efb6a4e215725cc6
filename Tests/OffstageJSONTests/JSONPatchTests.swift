import OffstageJSON
import TestSupport
import Testing

@Suite struct PatchWriterTests {
  struct Pair: Codable, Equatable { var a = 0, b: [String: Int]? = nil }

  static let path = Array("/x".utf8)

  @Test func operationsAreWritten() {
    check(#"{"op":"replace","path":"/x","value":1}"#) { $0.replace(at: Self.path) { $0.int(1) } }
    check(#"{"op":"add","path":"/x","value":[]}"#) { $0.add(at: Self.path) { $0.json([]) } }
    check(#"{"op":"remove","path":"/x"}"#) { $0.remove(at: Self.path) }
    check(#"{"op":"add","path":"/x/10","value":[]}"#) {
      $0.insert(in: Self.path, at: 10) { $0.json([]) }
    }
    check(#"{"op":"remove","path":"/x/0"}"#) { $0.remove(from: Self.path, at: 0) }
    check(#"{"op":"move","from":"/x/9","path":"/x/100"}"#) {
      $0.move(in: Self.path, from: 9, to: 100)
    }
    check(#"{"op":"remove","path":"/x"},{"op":"add","path":"/x","value":null}"#) {
      $0.remove(at: Self.path)
      $0.add(at: Self.path) { $0.null() }
    }
  }

  @Test func changesOnlyWhatDiffers() {
    check(#"{"op":"replace","path":"/x","value":"b"}"#) {
      $0.change(at: Self.path, from: "a", to: "b", of: "x")
    }
    check(#"{"op":"replace","path":"/x/a","value":1}"#) {
      $0.change(at: Self.path, from: Pair(), to: Pair(a: 1), of: "x")
    }
    check(#"{"op":"replace","path":"/x/b","value":{"/":1}}"#) {
      $0.change(at: Self.path, from: Pair(), to: Pair(b: ["/": 1]), of: "x")
    }
    check(#"{"op":"remove","path":"/x/b/~1"}"#) {
      $0.change(
        at: Self.path, from: Pair(b: ["/": 1, "k": 2, "l": 3]),
        to: Pair(b: ["k": 2, "l": 3]), of: "x")
    }
    check("") { $0.change(at: Self.path, from: Pair(), to: Pair(), of: "x") }
  }

  struct Tree: Codable, Equatable { var name = "", children: [Tree] = [] }

  @Test func depthOfAValueIsNotLimited() {
    func tree(_ name: String) -> Tree {
      (0..<300).reduce(Tree(name: name)) { inner, _ in Tree(children: [inner]) }
    }
    let path = "/x" + String(repeating: "/children/0", count: 300) + "/name"
    check(#"{"op":"replace","path":"\#(path)","value":"b"}"#) {
      $0.change(at: Self.path, from: tree("a"), to: tree("b"), of: "x")
    }
  }

  @Test func keepsTheShorterOfTwo() {
    let long: (inout JSONWriter) -> Void = { $0.replace(at: Self.path) { $0.string("long") } }
    let short: (inout JSONWriter) -> Void = { $0.remove(at: Self.path) }
    for (one, other) in [(long, short), (short, long)] {
      check(#"{"op":"remove","path":"/a"},{"op":"remove","path":"/x"}"#) {
        $0.remove(at: Array("/a".utf8))
        let start = $0.bytes.count
        one(&$0)
        $0.keepShorter(since: start, other)
      }
    }
  }

  private func check(
    _ expected: String, _ write: (inout JSONWriter) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(patch(write) == "[\(expected)]", sourceLocation: location)
  }
}

/// Differences of trees, applied by the strict patch of the test support.
@Suite struct DifferenceTests {
  static let rows: JSON = .array(
    (1...9).map { ["id": .string("\($0)"), "title": "A row of this list"] })

  @Test(arguments: [
    ("[1]", "[1.0]", "[]"),
    ("1", "2", #"[{"op":"replace","path":"","value":2}]"#),
    (
      #"{"a":"long enough to be kept","b":1}"#, #"{"b":2,"a":"long enough to be kept"}"#,
      #"[{"op":"replace","path":"/b","value":2}]"#
    ),
    (
      #"{"a/b":1}"#, #"{"~":null}"#,
      #"[{"op":"replace","path":"","value":{"~":null}}]"#
    ),
    (
      #"{"keep":"long enough to be kept","k":{"a":1}}"#,
      #"{"keep":"long enough to be kept","k":{}}"#,
      #"[{"op":"remove","path":"/k/a"}]"#
    ),
    (
      #"{"keep":"long enough to be kept","a/~\"b":1}"#,
      #"{"keep":"long enough to be kept","a/~\"b":2}"#,
      #"[{"op":"replace","path":"/a~1~0\"b","value":2}]"#
    ),
    (
      #"["long enough to be kept",2,3]"#, #"["long enough to be kept",3]"#,
      #"[{"op":"remove","path":"/1"}]"#
    ),
    (
      #"["long enough to be kept",3]"#, #"["long enough to be kept",2,3]"#,
      #"[{"op":"add","path":"/1","value":2}]"#
    ),
  ])
  func patchIsMinimal(_ old: String, _ new: String, _ patch: String) throws {
    try check(JSON(parsing: old), JSON(parsing: new), patch)
  }

  @Test func rowsAreComparedByID() throws {
    var rows = Self.rows.array!
    rows.insert(rows.remove(at: 0), at: 6)
    rows.remove(at: 7)
    rows.insert(["id": "new"], at: 2)
    rows[0] = ["id": "2", "title": "Changed"]
    try check(
      Self.rows, .array(rows),
      #"[{"op":"remove","path":"/7"},{"op":"add","path":"/3","value":{"id":"new"}},"#
        + #"{"op":"move","from":"/0","path":"/7"},"#
        + #"{"op":"replace","path":"/0/title","value":"Changed"}]"#)
  }

  /// Missing, repeated and structured ids do not count as ids.
  @Test(arguments: [
    (#"[{"id":1},{"id":1}]"#, #"[{"id":1},{"id":2}]"#), (#"[{"id":1},{}]"#, #"[{},{"id":1}]"#),
    (#"[{"id":null},{"id":[]}]"#, #"[{"id":[]},{"id":null}]"#),
    (#"[{"id":1},2]"#, #"[2,{"id":1}]"#),
    (#"[{"id":1},{"id":2}]"#, #"[{"id":2.0,"x":[]},{"id":1e0}]"#),
    (#"[{"id":"1"}]"#, #"[{"id":1}]"#),
  ])
  func oddIDsAreHandled(_ old: String, _ new: String) throws {
    try check(JSON(parsing: old), JSON(parsing: new))
  }

  @Test func randomTreesTurnIntoEachOther() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<3000 { try check(random.json(), random.json()) }
  }

  @Test func smallChangesOfLargeValuesApply() throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<300 {
      let old = JSON.array((0..<5).map { _ in random.json(depth: 5) })
      var new = old.array!
      new[Int.random(in: 0..<5, using: &random)] = random.json()
      new.swapAt(Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random))
      try check(old, .array(new))
    }
  }

  /// The patch leads from `old` to `new`, and is never longer than a replacement of the whole.
  private func check(
    _ old: JSON, _ new: JSON, _ expected: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let text = patch { $0.change(at: [], from: old, to: new) }
    var made = old
    try made.apply(JSON(parsing: text))
    #expect(made == new, "\(old) -> \(new) by \(text)", sourceLocation: location)
    if let expected { #expect(text == expected, sourceLocation: location) }
    let whole = patch { $0.replace(at: []) { $0.json(new) } }
    #expect(text.utf8.count <= whole.utf8.count, sourceLocation: location)
  }
}

/// The oracle itself: RFC 6902, appendix A, and refusals that a lenient one would miss.
@Suite struct AppliedPatchTests {
  @Test(arguments: [
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":1}]"#, #"{"baz":1,"foo":"bar"}"#),
    (#"[1,3]"#, #"[{"op":"add","path":"/1","value":2}]"#, "[1,2,3]"),
    (#"[1]"#, #"[{"op":"add","path":"/1","value":2}]"#, "[1,2]"),
    (#"{"a":1,"b":2}"#, #"[{"op":"remove","path":"/a"}]"#, #"{"b":2}"#),
    (#"[1,2,3]"#, #"[{"op":"remove","path":"/1"}]"#, "[1,3]"),
    (#"{"a":{"b":1}}"#, #"[{"op":"replace","path":"/a/b","value":null}]"#, #"{"a":{"b":null}}"#),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (#"[1,2,3,4]"#, #"[{"op":"move","from":"/1","path":"/3"}]"#, "[1,3,4,2]"),
    (#"{"/":9,"~1":10}"#, #"[{"op":"replace","path":"/~01","value":1}]"#, #"{"/":9,"~1":1}"#),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[1]}]"#, "[1]"),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":["b"]}"#, #"[{"op":"append","path":"/a/0","value":"c"}]"#, #"{"a":["bc"]}"#),
  ])
  func patchIsApplied(_ document: String, _ patch: String, _ result: String) throws {
    var document = try JSON(parsing: document)
    try document.apply(JSON(parsing: patch))
    #expect(try document == JSON(parsing: result))
  }

  @Test(arguments: [
    #"{"op":"add","path":"/b/c","value":1}"#, #"{"op":"add","path":"/a/3","value":1}"#,
    #"{"op":"add","path":"/a/01","value":1}"#, #"{"op":"add","path":"/a/0/x","value":1}"#,
    #"{"op":"remove","path":"/b"}"#, #"{"op":"remove","path":"/a/2"}"#,
    #"{"op":"remove","path":"/a/-"}"#, #"{"op":"remove","path":""}"#,
    #"{"op":"replace","path":"/b","value":1}"#, #"{"op":"replace","path":"/a/2","value":1}"#,
    #"{"op":"append","path":"/a","value":"x"}"#, #"{"op":"append","path":"/b","value":"x"}"#,
    #"{"op":"append","path":"/a/0","value":"x"}"#,
    #"{"op":"move","from":"/b","path":"/c"}"#, #"{"op":"move","from":"/a","path":"/a/0"}"#,
    #"{"op":"spam","path":"/a"}"#, #"{"op":"add","path":"/a"}"#, #"{"op":"remove"}"#,
    #"{"op":"remove","path":"a"}"#, #"{"op":"add","path":"/a~2","value":1}"#,
    #"{"op":"add","path":"/a~","value":1}"#,
  ])
  func invalidPatchThrows(_ operation: String) throws {
    let patch = try JSON(parsing: "[\(operation)]")
    var document: JSON = ["a": [1, 2]]
    #expect(throws: JSONPatchError.self) { try document.apply(patch) }
  }

  @Test func failureLeavesTheDocumentAsItWas() throws {
    let before: JSON = ["a": [1, ["b": 2]], "c": ["d": "e"]]
    let operations = [
      #"{"op":"add","path":"/a/0","value":0}"#, #"{"op":"add","path":"/c/d","value":1}"#,
      #"{"op":"remove","path":"/a/2/b"}"#, #"{"op":"move","from":"/a/1","path":"/c/f"}"#,
      #"{"op":"replace","path":"/c","value":7}"#, #"{"op":"add","path":"","value":[]}"#,
    ]
    for count in 0...operations.count {
      let text = operations.prefix(count) + [#"{"op":"remove","path":"/nowhere"}"#]
      let patch = try JSON(parsing: "[\(text.joined(separator: ","))]")
      var document = before
      #expect(throws: JSONPatchError.self) { try document.apply(patch) }
      #expect(document == before, "after \(count) operations")
    }
  }
}

private func patch(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  writer.beginArray()
  write(&writer)
  writer.endArray()
  return String(writer.bytes)
}
