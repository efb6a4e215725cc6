import OffstageJSON
import TestSupport
import Testing

@Suite struct JSONTests {
  @Test(
    arguments: [
      (["a": 1, "b": 2], ["b": 2, "a": 1.0]), (.null, .null), ([1, [true]], [1.0, [true]]),
      ("x", "x"), ([:], [:]), (["a": ["b": []]], ["a": ["b": []]]),
    ] as [(JSON, JSON)])
  func treesAreEqual(_ left: JSON, _ right: JSON) {
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
  }

  @Test(
    arguments: [
      (1, "1"), (.null, false), ([], [:]), ([1, 2], [2, 1]), (["a": 1], ["a": 2]),
      (["a": 1], ["b": 1]),
      (["a": .null], [:]), ("é", "e\u{301}"), (["é": 1], ["e\u{301}": 1]), ([1], [1, 1]),
    ] as [(JSON, JSON)])
  func treesDiffer(_ left: JSON, _ right: JSON) { #expect(left != right) }

  @Test func descriptionIsCompactJSON() throws {
    let value: JSON = ["b": [1, 2.5, .null, true], "a": ["x": "\n\u{2028}"], "": -7]
    #expect(value.description == #"{"b":[1,2.5,null,true],"a":{"x":"\n\u2028"},"":-7}"#)
    #expect(try JSON(parsing: value.description) == value)
  }

  @Test func treeIsReadAsItsTextIs() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let tree = random.json()
      let text = JSONText(of: tree)
      #expect(text.withRoot(\.json) == tree)
      #expect(text.withRoot { String(decoding: $0.bytes, as: UTF8.self) } == "\(tree)")
    }
    #expect(
      try (["é\n": [1, .null, 2.5]] as JSON).decode([String: [Double?]].self) == [
        "é\n": [1, nil, 2.5]
      ])
  }

  @Test func mismatchInATreeHasItsPath() throws {
    struct Book: Decodable { let pages: [Int] }
    let tree: JSON = ["a/b": ["pages": [1, "two"]]]
    let mismatch = #expect(throws: JSONMismatch.self) { try tree.decode([String: Book].self) }
    #expect(
      mismatch == JSONMismatch(path: "/a~1b/pages/1", expected: "integer", found: "string"))
    let text = "\(tree)"
    let other = #expect(throws: JSONMismatch.self) {
      try JSONText(text).withRoot { try $0.decode([String: Book].self) }
    }
    #expect(mismatch == other)
  }

  /// Deeper than a text may be.
  @Test func deepTreeIsDecoded() throws {
    var tree: JSON = []
    for _ in 0..<1_000 { tree = [tree] }
    #expect(try tree.decode(Nest.self).depth == 1_000)
  }

  private struct Nest: Decodable {
    let depth: Int

    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      depth = elements.isAtEnd ? 0 : try elements.decode(Nest.self).depth + 1
    }
  }

  @Test func accessorsLookInside() {
    let value: JSON = ["a": [1, "x", 1.5, true, .null]]
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

  @Test func firstOfRepeatedMembersStays() throws {
    #expect(try JSON(parsing: #"{"a":1,"b":2,"a":3}"#).description == #"{"a":1,"b":2}"#)
  }

  /// Small objects are searched; large ones have an index.
  @Test(arguments: [3, 8, 9, 10, 50])
  func objectsOfAnySizeAreEdited(_ count: Int) {
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
}

@Suite struct JSONNumberTests {
  struct Token: Sendable {
    let raw: String
    let int: Int?
    let double: Double

    init(_ raw: String, _ int: Int?, _ double: Double) {
      (self.raw, self.int, self.double) = (raw, int, double)
    }
  }

  static let tokens: [Token] = [
    Token("0", 0, 0), Token("-0", 0, -0.0), Token("0.0", 0, 0), Token("0e0", 0, 0),
    Token("-0e9", 0, 0), Token("7", 7, 7),
    Token("-7", -7, -7), Token("1.0", 1, 1), Token("1e2", 100, 100), Token("1E+2", 100, 100),
    Token("100e-2", 1, 1),
    Token("1.50e1", 15, 15), Token("0.00012e5", 12, 12),
    Token("1000000000000000e0", 1_000_000_000_000_000, 1e15),
    Token("9007199254740992", 1 << 53, 9_007_199_254_740_992),
    Token("-9007199254740992", -(1 << 53), -9_007_199_254_740_992),
    Token("9007199254740991.000", 1 << 53 - 1, 9_007_199_254_740_991),
    Token("9007199254740993", nil, 9_007_199_254_740_992),
    Token("-9007199254740993", nil, -9_007_199_254_740_992),
    Token("9007199254740991.5", nil, 9_007_199_254_740_992),
    Token("18446744073709551616", nil, 18_446_744_073_709_551_616),
    Token("99999999999999999999999999999999", nil, 1e32),
    Token("1e16", nil, 1e16), Token("1.5", nil, 1.5), Token("-0.1", nil, -0.1),
    Token("0.3", nil, 0.3),
    Token("123456789.123456", nil, 123_456_789.123456), Token("1e-400", 0, 0),
    Token("-1e-400", 0, -0.0),
    Token("1e-99999999999999999999", 0, 0), Token("0e99999999999999999999", 0, 0),
    Token("4.9406564584124654e-324", nil, .leastNonzeroMagnitude),
    Token("2.2250738585072011e-308", nil, .leastNormalMagnitude.nextDown),
    Token("1.7976931348623157e308", nil, 1.7976931348623157e308),
    Token("0.1000000000000000055511151231257827021181583404541015625", nil, 0.1),
    Token("9007199254740993.0000000000000000000000000001", nil, 9_007_199_254_740_994),
  ]

  @Test(arguments: tokens)
  func numbersConvertToIntAndDouble(_ token: Token) throws {
    let (int, double) = (token.int, token.double)
    let text = try JSONText(token.raw)
    #expect(text.root.int == int)
    #expect(text.root.double == double)
    #expect(text.root.double?.sign == (token.raw.hasPrefix("-") ? .minus : .plus))
    #expect(text.root.json.int == int)
    #expect(text.root.json.double == double)
    #expect(text.root.json.description == token.raw)
  }

  @Test(arguments: [
    ("1", "1.0"), ("1", "1e0"), ("1", "10e-1"), ("1", "0.1e1"), ("100", "1e2"), ("0", "-0"),
    ("0", "0e5"), ("0", "0.000"), ("-1.50", "-15e-1"),
    ("0.00000000000000000000000000000001", "1e-32"), ("10.010", "10.01"),
  ])
  func numbersAreEqualByValue(_ left: String, _ right: String) throws {
    let (left, right) = (try JSON(parsing: left), try JSON(parsing: right))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
  }

  @Test(arguments: [
    ("1", "-1"), ("1", "10"), ("0.1", "0.01"), ("9007199254740992", "9007199254740993"),
    ("12345678901234567890", "12345678901234567891"), ("1", "1.000000000000001"),
    ("101", "11"), ("1e-300", "0"),
  ])
  func numbersDifferByValue(_ left: String, _ right: String) throws {
    #expect(try JSON(parsing: left) != JSON(parsing: right))
  }
}

@Suite struct JSONPointerTests {
  @Test(arguments: [
    ([], ""), ([""], "/"), (["screens", "1"], "/screens/1"), (["a/b", "~", "~1"], "/a~1b/~0/~01"),
    (["e\u{301}/"], "/e\u{301}~1"), (["\u{301}"], "/\u{301}"),
  ])
  func escapesTildesAndSlashes(_ tokens: [String], _ text: String) {
    #expect(Array(JSONPointer(tokens.map(JSONKey.name)).description.utf8) == Array(text.utf8))
  }
}
