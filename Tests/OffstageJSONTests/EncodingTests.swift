import OffstageJSON
import Testing

@Suite struct EncodingTests {
  func check(
    _ value: some Encodable, _ text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    var writer = JSONWriter()
    try writer.encode(value)
    #expect(String(writer.bytes) == text, sourceLocation: location)
  }

  @Test func standsAmongOtherWriting() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    try writer.encode(Point(lat: 1, lon: 2))
    writer.key("b")
    try writer.encode([1, 2])
    writer.key("c")
    try writer.encode(nil as Int?)
    writer.endObject()
    #expect(
      String(writer.bytes)
        == #"{"a":{"lat":1,"lon":2},"b":[1,2],"c":null}"#)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func refusesWhatIsNotFinite(_ number: Double) throws {
    struct Deep: Encodable { var points: [Point] }
    struct Single: Encodable {
      var number: Float
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
      }
    }
    func check(_ value: some Encodable, _ path: [String]) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.int(1)
      let before = Array(writer.bytes)
      let error = #expect(throws: EncodingError.self) { try writer.encode(value) }
      guard case .invalidValue(_, let context) = error else { return }
      #expect(context.codingPath.map(\.stringValue) == path)
      #expect(Array(writer.bytes) == before)
    }
    check(number, [])
    check(Float(number), [])
    check([1, number], ["1"])
    check(["a": [number]], ["a", "0"])
    check(Point(lat: 1, lon: number), ["lon"])
    check(
      Deep(points: [Point(lat: 1, lon: 1), Point(lat: number, lon: 1)]), ["points", "1", "lat"])
    check([Shape.circle(radius: number)], ["0", "circle", "radius"])
    check([Single(number: Float(number))], ["0"])
  }

  /// Who catches an error within `encode(to:)` can go on as if nothing had been written.
  @Test func takesBackWhatFailed() throws {
    struct Careful: Encodable {
      enum Key: CodingKey { case bad, good, list }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try? container.encode([1, .nan], forKey: .bad)
        try? container.encode(Shape.circle(radius: .infinity), forKey: .bad)
        try container.encode(1, forKey: .good)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try? list.encode(Point(lat: 1, lon: .nan))
        try? list.encode(Double.nan)
        try list.encode(Point(lat: 1, lon: 2))
      }
    }
    try check([Careful()], #"[{"good":1,"list":[{"lat":1,"lon":2}]}]"#)
  }

  @Test func knowsItsPath() throws {
    struct Witness: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(encoder.codingPath.map(\.stringValue))
      }
    }
    struct Holder: Encodable {
      enum Key: CodingKey { case one, list, more }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try container.encode(Witness(), forKey: .one)
        try list.encode(Witness())
        try list.encode([Witness()])
        try Witness().encode(to: container.superEncoder(forKey: .more))
      }
    }
    try check(
      ["h": Holder()],
      #"{"h":{"list":[["h","list","0"],[["h","list","1","0"]]],"one":["h","one"],"#
        + #""more":["h","more"]}}"#)
  }

  @Test func writesEmptyContainers() throws {
    struct Empty: Encodable {}
    struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
    struct Unused: Encodable {
      enum Key: CodingKey { case a, b, c }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        _ = container.nestedUnkeyedContainer(forKey: .b)
        _ = container.superEncoder(forKey: .c)
      }
    }
    try check(Empty(), "{}")
    try check(Silent(), "{}")
    try check([Silent(), Silent()], "[{},{}]")
    try check(Unused(), #"{"a":{},"b":[],"c":{}}"#)
  }

  @Test func countsElements() throws {
    struct Counting: Encodable {
      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode("a")
        try list.encode(1.5)
        try list.encodeNil()
        try list.encode(Point(lat: 0, lon: 0))
        var inner = list.nestedUnkeyedContainer()
        try inner.encode(true)
        try list.encode(list.count)
      }
    }
    try check(Counting(), #"["a",1.5,null,{"lat":0,"lon":0},[true],5]"#)
  }
}
