import OffstageJSON
import Testing

@Suite struct JSONPatchMakeTests {
  func check(
    _ old: JSON, _ new: JSON, _ expected: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let patch = JSONPatch(JSONPatch.make(from: old, to: new))
    let made = try patch.apply(to: old)
    #expect(made == new, "\(old) -> \(new) by \(patch)", sourceLocation: location)
    if let expected { #expect(patch.description == expected, sourceLocation: location) }
    let whole = JSONPatch([.replace(.root, new)])
    #expect(
      patch.description.utf8.count <= whole.description.utf8.count, sourceLocation: location)
  }

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
      #"["long enough to be kept",2,3]"#, #"["long enough to be kept",3]"#,
      #"[{"op":"remove","path":"/1"}]"#
    ),
    (
      #"["long enough to be kept",3]"#, #"["long enough to be kept",2,3]"#,
      #"[{"op":"add","path":"/1","value":2}]"#
    ),
  ])
  func makes(_ old: String, _ new: String, _ patch: String) throws {
    try check(JSON(parsing: old), JSON(parsing: new), patch)
  }

  @Test func editsRowsByTheirIDs() throws {
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

  @Test func putsThePathInFront() {
    let operations = JSONPatch.make(from: 1, to: 2, at: JSONPointer(["screens", "1"]))
    #expect(operations == [.replace(JSONPointer(["screens", "1"]), 2)])
  }

  /// Ids that are missing, doubled, or of other kinds are no ids.
  @Test(arguments: [
    (#"[{"id":1},{"id":1}]"#, #"[{"id":1},{"id":2}]"#), (#"[{"id":1},{}]"#, #"[{},{"id":1}]"#),
    (#"[{"id":null},{"id":[]}]"#, #"[{"id":[]},{"id":null}]"#),
    (#"[{"id":1},2]"#, #"[2,{"id":1}]"#),
    (#"[{"id":1},{"id":2}]"#, #"[{"id":2.0,"x":[]},{"id":1e0}]"#),
    (#"[{"id":"1"}]"#, #"[{"id":1}]"#),
  ])
  func survivesOddIDs(_ old: String, _ new: String) throws {
    try check(JSON(parsing: old), JSON(parsing: new))
  }

  @Test func makesAnythingOfAnything() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<3000 { try check(random.json(), random.json()) }
  }

  @Test func makesSmallChangesOfLargeValues() throws {
    var random = SeededRandom(seed: 6)
    for _ in 0..<300 {
      let old = JSON.array((0..<5).map { _ in random.json(depth: 5) })
      var new = old.array!
      new[Int.random(in: 0..<5, using: &random)] = random.json()
      new.swapAt(Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random))
      try check(old, .array(new))
    }
  }
}
