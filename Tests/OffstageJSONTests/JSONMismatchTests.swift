import OffstageJSON
import Testing

@Suite struct JSONMismatchTests {
  func check<T: Decodable>(
    _ type: T.Type, _ text: String, _ path: String, _ expected: String, _ found: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let kinds = ["nothing", "null", "boolean", "number", "string", "array", "object"]
    // The path is the same wherever in a text the value stands.
    let texts = [
      try JSONText(text), try JSONText("[0,\(text)]"),
      try JSONText("{\"a\":[],\"p/q\":[[\(text)]]}"),
    ]
    for view in [texts[0].root, texts[1].root[1]!, texts[2].root["p/q"]![0]![0]!] {
      let error = #expect(throws: JSONMismatch.self, sourceLocation: location) {
        try view.decode(type)
      }
      #expect(error?.path == path, sourceLocation: location)
      #expect(error?.expected == expected, sourceLocation: location)
      #expect(error?.value ?? error?.found == found, sourceLocation: location)
      #expect(kinds.contains(error?.found ?? ""), sourceLocation: location)
    }
  }

  @Test func scalarsStateTheirExpectation() throws {
    try check(String.self, "1", "", "string", "number")
    try check(String.self, "null", "", "string", "null")
    try check(String?.self, "[]", "", "string", "array")
    try check(Bool.self, #""true""#, "", "boolean", "string")
    try check(Double.self, "{}", "", "number", "object")
    try check(Int.self, "true", "", "integer", "boolean")
    try check(Int.self, "1.5", "", "integer", "1.5")
    try check(UInt8.self, "256", "", "integer from 0 to 255", "256")
    try check(Int8.self, "-1e3", "", "integer from -128 to 127", "-1e3")
    try check(
      Int.self, "9007199254740993", "", "integer from -9007199254740992 to 9007199254740992",
      "9007199254740993")
    try check(UInt64.self, "-1", "", "integer from 0 to 9007199254740992", "-1")
    try check(UInt128.self, "-1", "", "integer from 0 to 9007199254740992", "-1")
    try check(Float.self, "1e300", "", "number within the range of a 32-bit float", "1e300")
  }

  @Test func collectionsStateTheirExpectation() throws {
    try check([Int].self, "{}", "", "array", "object")
    try check([Int].self, #"[1,"2"]"#, "/1", "integer", "string")
    try check([String: [Int?]].self, #"{"a/b":[null,false]}"#, "/a~1b/1", "integer", "boolean")
    try check([String: Int].self, "[]", "", "object", "array")
    try check(Set<Int>.self, "1", "", "array", "number")
    try check([Int: Int].self, #"{"1":null}"#, "/1", "integer", "null")
  }

  @Test func pathsPointAtTheMember() throws {
    try check(Point.self, #"{"lat":1,"lon":"2"}"#, "/lon", "number", "string")
    try check(Point.self, #"{"lat":1}"#, "/lon", "number", "nothing")
    try check(Point.self, #"{"lon":1,"lat":null}"#, "/lat", "number", "null")
    try check(Point.self, "[]", "", "object", "array")
    try check(
      [[Point]].self, #"[[],[{"lat":1,"lon":2},{"lat":1}]]"#, "/1/1/lon", "number", "nothing")
    try check(Shape.self, #"{"line":{"from":{"lat":1,"lon":1}}}"#, "/line/to", "value", "nothing")
    try check(Nested.self, #"{"outer":{"a":[]}}"#, "/outer/a", "integer", "array")
    try check(
      Nested.self, #"{"outer":{"a":1},"c":"","list":[[1]]}"#, "/list/0/1", "value", "nothing")
    try check(
      Nested.self, #"{"outer":{"a":1},"c":"","list":[[]]}"#, "/list/0/0", "integer", "nothing")
    try check(Nested.self, #"{"outer":{"a":1},"c":"","list":[1]}"#, "/list/0", "array", "number")
    try check(Nested.self, #"{"c":""}"#, "/outer", "object", "nothing")
    try check(Dog.self, #"{"tricks":[]}"#, "/super", "value", "nothing")
    try check(Dog.self, #"{"tricks":[],"super":{}}"#, "/super/name", "string", "nothing")
  }

  @Test func enumerationsListTheirCases() throws {
    let cases = #"one of "asc", "desc""#
    try check(Order.self, #""up""#, "", cases, #""up""#)
    try check(Order.self, "1", "", "string", "number")
    try check([Order?].self, #"["asc","up"]"#, "/1", cases, #""up""#)
    try check([String: Order].self, #"{"o":"up"}"#, "/o", cases, #""up""#)
    struct Sorted: Codable { var order: Order }
    try check(Sorted.self, #"{"order":"up"}"#, "/order", cases, #""up""#)
    try check(Sorted.self, "{}", "/order", cases, "nothing")
    try check(Level.self, "2", "", "value of Level", "2")
  }

  @Test func authorsErrorsArePassedOn() throws {
    try check(Email.self, #""kim""#, "", "an address with @", #""kim""#)
    try check([Email].self, #"["a@b",["x"]]"#, "/1", "string", "array")
    struct Account: Codable { var email: Email, backup: [Email]? }
    try check(Account.self, #"{"email":"kim"}"#, "/email", "an address with @", #""kim""#)
    try check(
      Account.self, #"{"email":"a@b","backup":["a@b","kim"]}"#, "/backup/1", "an address with @",
      #""kim""#)
    try check(Either.self, "[]", "", "string", "array")
    try check(Range.self, #"{"low":2,"high":1}"#, "/high", "a number above low", "1")
    try check([Strange].self, #"[1]"#, "", "strange", "array")
    try check([Pathless].self, #"[1]"#, "/0", "no path", "1")
  }

  struct Range: Decodable {
    enum Key: CodingKey { case low, high }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let low = try container.decode(Int.self, forKey: .low)
      if try container.decode(Int.self, forKey: .high) < low {
        throw DecodingError.dataCorruptedError(
          forKey: .high, in: container, debugDescription: "a number above low")
      }
    }
  }

  struct Strange: Decodable, Error, CustomStringConvertible {
    var description: String { "strange" }
    init() {}
    init(from decoder: any Decoder) throws { throw Strange() }
  }

  struct Pathless: Decodable {
    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no path"))
    }
  }

  enum Figure: Decodable {
    case circle(radius: Double)
    case dot
  }

  @Test func casesOfAnEnumAreMembers() throws {
    let expected = "object with one member, named after a case"
    for text in ["{}", #"{"oval":{}}"#, #"{"dot":{},"circle":{"radius":1}}"#] {
      try check(Figure.self, text, "", expected, "object")
    }
    try check(Figure.self, "5", "", "object", "number")
    try check(Figure.self, #"{"circle":{"radius":"x"}}"#, "/circle/radius", "number", "string")
  }

  @Test func authorsCatchDecodingErrors() throws {
    struct Probe: Decodable {
      let error: String

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Range.Key.self)
        do {
          _ = try container.decode([Int].self, forKey: .low)
          error = "none"
        } catch DecodingError.typeMismatch(let type, let context) {
          error = "\(type) \(context.codingPath.map(\.stringValue)) \(context.debugDescription)"
        }
      }
    }
    let probe = try JSONText(#"{"low":[1,"x"]}"#).root.decode(Probe.self)
    #expect(probe.error == #"Int ["low", "1"] expected integer at /low/1, found string"#)
  }

  /// Thousands of errors, each caught by the author, and then the path of the last.
  @Test func pathsInLongListsAreFast() throws {
    let strings = Array(repeating: "\"x\"", count: 30_000).joined(separator: ",")
    let text = try JSONText("[[\(strings)],[\(strings),null]]")
    #expect(try text.root[0]!.decode([Either].self).count == 30_000)
    let error = #expect(throws: JSONMismatch.self) { try text.root.decode([[Either]].self) }
    #expect(error?.path == "/1/30000")
    let again = #expect(throws: JSONMismatch.self) { try text.root.decode([[Int]].self) }
    #expect(again?.path == "/0/0")
  }

  @Test func descriptionIsOneSentence() {
    let mismatch = JSONMismatch(path: "/lat", expected: "number", found: "string")
    #expect(mismatch.description == "expected number at /lat, found string")
    #expect(
      JSONMismatch(path: "", expected: "x", found: "y").description == "expected x, found y")
  }
}
