import OffstageJSON
import Testing

@Suite struct JSONViewTests {
  let text = try! JSONText(
    #"""
    {"null": null, "bool": [true, false], "number": 1.50, "string": "a\u0062\n", "k\u0065y": 1,
     "array": [[], {"deep": [1, 2]}, 3], "object": {"x": {"y": "z"}}, "": "empty"}
    """#)

  @Test(arguments: [
    ("null", JSONKind.null, 0), ("number", .number, 0), ("string", .string, 0),
    ("array", .array, 3), ("object", .object, 1), ("bool", .array, 2),
  ])
  func viewHasAKindAndACount(_ name: String, _ kind: JSONKind, _ count: Int) {
    #expect(text.root[name]?.kind == kind)
    #expect(text.root[name]?.count == count)
  }

  @Test func membersAreFoundByName() {
    let root = text.root
    #expect(root["key"]?.int == 1)
    #expect(root.member("key")?.int == 1)
    #expect(root[""]?.string == "empty")
    #expect(root.member("object")?.member("x")?.member("y")?.string == "z")
    #expect(root["nothing"] == nil)
    #expect(root.member("arra") == nil)
    #expect(root["array"]?["x"] == nil)
    #expect(root["string"]?.member("a") == nil)
  }

  @Test func elementsAreFoundByPosition() {
    let array = text.root["array"]!
    #expect(array[1]?["deep"]?[1]?.int == 2)
    #expect(array[2]?.int == 3)
    #expect(array[3] == nil)
    #expect(array[-1] == nil)
    #expect(text.root[0] == nil)
  }

  @Test func childrenAreInOrder() {
    let names = ["null", "bool", "number", "string", "key", "array", "object", ""]
    #expect(text.root.members.map { $0.key.string } == names)
    #expect(text.root["array"]!.elements.map(\.kind) == [.array, .object, .number])
    #expect(text.root["array"]!.members.map(\.key.string) == [])
    #expect(text.root.elements.map(\.kind) == [])
  }

  @Test func scalarsAreRead() {
    let root = text.root
    #expect(root["null"]?.isNull == true)
    #expect(root["bool"]?.elements.map(\.bool) == [true, false])
    #expect(root["string"]?.string == "ab\n")
    #expect(root["string"]?.int == nil)
    #expect(root["string"]?.bool == nil)
    #expect(root["number"]?.string == nil)
    #expect(root["number"]?.double == 1.5)
    #expect(root["null"]?.double == nil)
  }

  @Test func stringsAreComparedByBytes() {
    #expect(text.root["string"]!.equals("ab\n"))
    #expect(!text.root["string"]!.equals("ab"))
    #expect(text.root[""]!.equals("empty"))
    #expect(!text.root["number"]!.equals("1.50"))
  }

  @Test func bytesAreTheSource() {
    #expect(String(decoding: text.root["number"]!.bytes, as: UTF8.self) == "1.50")
    #expect(text.root["string"]!.withBytes { $0.count } == 11)
    #expect(text.root["array"]!.bytes == Array(#"[[], {"deep": [1, 2]}, 3]"#.utf8))
  }

  @Test(arguments: [
    (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0000""#, "\0"),
    (#""\u00e9\u00E9""#, "éé"), (#""\u20ac""#, "€"), (#""\ud83d\ude00!""#, "😀!"),
    (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\\u0041""#, "\\u0041"), (#""é😀""#, "é😀"),
  ])
  func escapesAreRemoved(_ text: String, _ string: String) throws {
    let read = try #require(try JSONText(text).root.string)
    #expect(Array(read.utf8) == Array(string.utf8))
  }
}
