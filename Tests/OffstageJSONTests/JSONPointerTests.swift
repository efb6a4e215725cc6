import OffstageJSON
import Testing

@Suite struct JSONPointerTests {
  /// RFC 6901, section 5.
  static let document: JSON = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
    " ": 7, "m~n": 8,
  ]

  @Test(
    arguments: [
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1),
      ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ] as [(String, JSON)])
  func resolves(_ text: String, _ value: JSON) throws {
    let pointer = try JSONPointer(parsing: text)
    #expect(pointer.resolve(in: Self.document) == value)
    #expect(pointer.description == text)
  }

  @Test(arguments: [
    "/bar", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/1e0", "/foo/",
    "/foo/99999999999999999999", "/foo/0/x", "//", "/m~1n", "/FOO",
  ])
  func findsNothing(_ text: String) throws {
    #expect(try JSONPointer(parsing: text).resolve(in: Self.document) == nil)
  }

  @Test(arguments: [
    ("a", 0, "'/'"), ("/~", 2, "'0' or '1' after '~'"), ("/a/~2", 4, "'0' or '1' after '~'"),
    ("#/a", 0, "'/'"),
  ])
  func refuses(_ text: String, _ offset: Int, _ expected: String) {
    let error = #expect(throws: JSONError.self) { try JSONPointer(parsing: text) }
    #expect(error?.offset == offset)
    #expect(error?.expected == expected)
  }

  @Test(arguments: [("/~01", ["~1"]), ("/~10", ["/0"]), ("/a//b/", ["a", "", "b", ""])])
  func undoesEscapes(_ text: String, _ tokens: [String]) throws {
    #expect(try JSONPointer(parsing: text).tokens == tokens)
  }

  @Test func grows() {
    var pointer = JSONPointer.root
    pointer.append("a/b")
    pointer.append(3)
    #expect(pointer.appending("~").appending(0).description == "/a~1b/3/~0/0")
  }

  @Test func comparesBytes() {
    #expect(JSONPointer(["é"]) != JSONPointer(["e\u{301}"]))
    #expect(JSONPointer.root.appending("é").resolve(in: ["e\u{301}": 1]) == nil)
  }
}
