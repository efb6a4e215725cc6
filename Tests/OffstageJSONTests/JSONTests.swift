import OffstageJSON
import Testing

@Suite struct JSONTests {
  @Test(
    arguments: [
      (["a": 1, "b": 2], ["b": 2, "a": 1.0]), (nil, nil), ([1, [true]], [1.0, [true]]),
      ("x", "x"), ([:], [:]), (["a": ["b": []]], ["a": ["b": []]]),
    ] as [(JSON, JSON)])
  func isEqual(_ left: JSON, _ right: JSON) {
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
  }

  @Test(
    arguments: [
      (1, "1"), (nil, false), ([], [:]), ([1, 2], [2, 1]), (["a": 1], ["a": 2]),
      (["a": 1], ["b": 1]),
      (["a": nil], [:]), ("é", "e\u{301}"), (["é": 1], ["e\u{301}": 1]), ([1], [1, 1]),
    ] as [(JSON, JSON)])
  func isDifferent(_ left: JSON, _ right: JSON) { #expect(left != right) }

  @Test func printsCompactly() throws {
    let value: JSON = ["b": [1, 2.5, nil, true], "a": ["x": "\n\u{2028}"], "": -7]
    #expect(value.description == #"{"b":[1,2.5,null,true],"a":{"x":"\n\u2028"},"":-7}"#)
    #expect(try JSON(parsing: value.description) == value)
  }

  @Test func looksInside() {
    let value: JSON = ["a": [1, "x", 1.5, true, nil]]
    #expect(value["a"]?[0]?.int == 1)
    #expect(value["a"]?[1]?.string == "x")
    #expect(value["a"]?[2]?.double == 1.5)
    #expect(value["a"]?[3]?.bool == true)
    #expect(value["a"]?[4]?.isNull == true)
    #expect(value["a"]?[5] == nil)
    #expect(value["a"]?[-1] == nil)
    #expect(value["b"] == nil)
    #expect(value[0] == nil)
  }

  @Test func keepsTheFirstOfTheSameName() throws {
    #expect(try JSON(parsing: #"{"a":1,"b":2,"a":3}"#).description == #"{"a":1,"b":2}"#)
  }

  /// Small objects are searched, large ones have an index; both have to keep it right.
  @Test(arguments: [3, 8, 9, 10, 50])
  func changesMembers(_ count: Int) {
    var object = JSONObject((0..<count).map { ("k\($0)", JSON.number(JSONNumber($0))) })
    object["k1"] = nil
    object["new"] = "n"
    object["k0"] = "zero"
    object["absent"] = nil
    #expect(object.count == count)
    #expect(object.members.first?.key == "k0")
    #expect(object.members.last?.key == "new")
    #expect(object["k0"] == "zero")
    #expect(object["k1"] == nil)
    for index in 2..<count { #expect(object["k\(index)"]?.int == index) }
    for member in object.members { object[member.key] = nil }
    #expect(object.isEmpty)
    #expect(object == [:])
  }

  @Test func travelsWithinOtherTypes() throws {
    struct Envelope: Codable { var value: JSON, list: [JSON] }
    let text = try JSONText(#"{"value":{"b":1.50,"a":[null,"x"]},"list":[1,{}]}"#)
    var writer = JSONWriter()
    try writer.encode(try text.root.decode(Envelope.self))
    #expect(Array(writer.bytes) == text.root.bytes)
  }
}
