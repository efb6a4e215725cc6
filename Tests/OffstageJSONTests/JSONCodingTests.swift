import OffstageJSON
import Testing

/// Values encoded and decoded again.
@Suite struct CodableTests {
  func check<T: Codable & Equatable>(
    _ value: T, _ text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    var writer = JSONWriter()
    try writer.encode(value)
    #expect(String(writer.bytes) == text, sourceLocation: location)
    #expect(try JSONText(text).root.decode(T.self) == value, sourceLocation: location)
  }

  @Test func scalarsRoundTrip() throws {
    try check("Kim\n", #""Kim\n""#)
    try check(true, "true")
    try check(-7, "-7")
    try check(UInt8(200), "200")
    try check(1.5, "1.5")
    try check(5.0, "5")
    try check(Float(0.1), "0.1")
    try check(Order.desc, #""desc""#)
    try check(Level.high, "10")
    try check(Either.text("1"), #""1""#)
    try check(Either.number(1), "1")
  }

  @Test func optionalsRoundTrip() throws {
    try check(nil as String?, "null")
    try check("Kim" as String?, #""Kim""#)
    try check([1, nil], "[1,null]")
    try check(["a": nil, "b": 1] as [String: Int?], #"{"a":null,"b":1}"#)
    try check(nil as Point?, "null")
  }

  @Test func collectionsRoundTrip() throws {
    try check([Int](), "[]")
    try check([[1], [], [2, 3]], "[[1],[],[2,3]]")
    try check(["b": 1, "a": 2], #"{"a":2,"b":1}"#)
    try check([7: "x"], #"{"7":"x"}"#)
    try check(["x": [Point(lat: 1, lon: 2.5)]], #"{"x":[{"lat":1,"lon":2.5}]}"#)
    try check(Set([1]), "[1]")
  }

  @Test func keysWithATextRoundTripAsNames() throws {
    try check([Order.desc: 1, .asc: 2], #"{"asc":2,"desc":1}"#)
    try check([Level.high: 1, .low: 2], #"{"1":2,"10":1}"#)
    try check([Int64(1) << 40: true], #"{"1099511627776":true}"#)
  }

  /// The standard library would write these in an order that changes from run to run.
  @Test func otherKeysRoundTripInOrder() throws {
    struct Cell: Codable, Hashable { var row: Int }
    let cells = Dictionary(uniqueKeysWithValues: (0..<10).map { (Cell(row: $0), $0) })
    try check(
      cells, "[" + (0..<10).map { "{\"row\":\($0)},\($0)" }.joined(separator: ",") + "]")
  }

  @Test(arguments: [
    (#"{"up":1}"#, "names that are values of Order"), ("[]", "object"),
  ])
  func namesOfNoKeyAreRejected(_ text: String, _ expected: String) throws {
    let text = try JSONText(text)
    let error = #expect(throws: JSONMismatch.self) { try text.root.decode([Order: Int].self) }
    #expect(error?.expected == expected)
  }

  @Test func differentNamesOfOneKeyAreRejected() throws {
    let text = try JSONText(#"{"1":true,"01":false}"#)
    let error = #expect(throws: JSONMismatch.self) { try text.root.decode([Int64: Bool].self) }
    #expect(error?.expected == "names of different keys")
  }

  @Test func everyNumberTypeRoundTrips() throws {
    try check(
      Numbers(),
      #"{"i":4503599627370495,"i8":-128,"i16":32767,"i32":-2147483648,"i64":9007199254740992,"#
        + #""u":7,"u8":255,"u16":65535,"u32":4294967295,"u64":0,"d":-0.5,"f":0.1,"b":true}"#)
  }

  /// What the program has written itself, such as its state, comes back whatever its integers are.
  @Test func largeIntegersOfTheProgramRoundTrip() throws {
    func check<T: Codable & Equatable>(
      _ value: T, _ location: SourceLocation = #_sourceLocation
    ) throws {
      #expect(try JSON(encoding: value).decode(T.self) == value, sourceLocation: location)
    }
    func checkBounds<T: FixedWidthInteger & Codable>(
      _ type: T.Type, _ location: SourceLocation = #_sourceLocation
    ) throws {
      for value in [T.min, T.min + 1, 0, 7, T.max - 1, T.max] { try check(value, location) }
      try check([T.max: T.min], location)
      try check([T.max, nil], location)
    }
    try checkBounds(Int.self)
    try checkBounds(Int8.self)
    try checkBounds(Int64.self)
    try checkBounds(UInt.self)
    try checkBounds(UInt64.self)
    try checkBounds(Int128.self)
    try checkBounds(UInt128.self)
    for attoseconds in [0, 1, 1 << 53, 1 << 53 + 1, 999_999_999_999_999_999] as [Int64] {
      for seconds in [0, 7, -7, .max / 2] as [Int64] {
        try check(Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
      }
    }
    for value in [0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 1e22, 1e18] {
      try check(value as Double)
      if Float(value).isFinite { try check(Float(value)) }
    }
  }

  @Test(arguments: ["9223372036854775808", "1e19", "-9223372036854775809", "1e300", "1.5"])
  func integersBeyondTheTypeAreRejected(_ text: String) throws {
    let number = JSON(encoded: Array("[\(text)]".utf8))
    #expect(throws: JSONMismatch.self) { try number.decode([Int64].self) }
    #expect(throws: JSONMismatch.self) { try number.decode([UInt8].self) }
  }

  @Test func enumerationsRoundTrip() throws {
    try check(Shape.none, #"{"none":{}}"#)
    try check(Shape.circle(radius: 2), #"{"circle":{"radius":2}}"#)
    try check(Shape.label("x"), #"{"label":{"_0":"x"}}"#)
    try check(
      [Shape.line(from: Point(lat: 0, lon: 1), to: Point(lat: 2, lon: 3))],
      #"[{"line":{"from":{"lat":0,"lon":1},"to":{"lat":2,"lon":3}}}]"#)
  }

  @Test func structuresRoundTrip() throws {
    let place = Place(
      id: "1", point: Point(lat: 52.5, lon: -4), order: .asc, level: .low, tags: ["a", "é"],
      rows: [[Point(lat: 0, lon: 0)], []], names: ["n": nil, "o": Point(lat: 1, lon: 1)],
      counts: [3: [true]], note: nil, shape: .none)
    try check(
      place,
      #"{"id":"1","point":{"lat":52.5,"lon":-4},"order":"asc","level":1,"tags":["a","é"],"#
        + #""rows":[[{"lat":0,"lon":0}],[]],"names":{"n":null,"o":{"lat":1,"lon":1}},"#
        + #""counts":{"3":[true]},"note":null,"shape":{"none":{}}}"#)
  }

  @Test func nestedContainersRoundTrip() throws {
    let text = #"{"outer":{"a":1,"more":null,"more":null},"list":[[2,null],[3,null]],"c":"x"}"#
    try check(Nested(a: 1, b: [2, 3], c: "x"), text)
    try check([Nested(a: 1, b: [], c: "x")], #"[{"outer":{"a":1},"list":[],"c":"x"}]"#)
  }

  @Test func classesRoundTrip() throws {
    var writer = JSONWriter()
    writer.beginArray()
    try writer.encode(Dog(name: "Rex", tricks: ["sit"]))
    try writer.encode(Cat(name: "Tom", lives: 9))
    writer.endArray()
    let text = try JSONText(Array(writer.bytes))
    #expect(
      text.root.json
        == [["super": ["name": "Rex"], "tricks": ["sit"]], ["name": "Tom", "lives": 9]])
    let dog = try text.root[0]!.decode(Dog.self)
    #expect(dog.name == "Rex")
    #expect(dog.tricks == ["sit"])
    let cat = try text.root[1]!.decode(Cat.self)
    #expect(cat.name == "Tom")
    #expect(cat.lives == 9)
  }

  /// Covers every type, since each has its own requirement whose default leaves the member out.
  @Test func missingOptionalMembersAreNull() throws {
    struct Missing: Codable, Equatable {
      var s: String?, b: Bool?, d: Double?, f: Float?, list: [Int]?, point: Point?
      var i: Int?, i8: Int8?, i16: Int16?, i32: Int32?, i64: Int64?
      var u: UInt?, u8: UInt8?, u16: UInt16?, u32: UInt32?, u64: UInt64?
    }
    try check(
      Missing(),
      #"{"s":null,"b":null,"d":null,"f":null,"list":null,"point":null,"i":null,"i8":null,"i16":null,"#
        + #""i32":null,"i64":null,"u":null,"u8":null,"u16":null,"u32":null,"u64":null}"#)
    try check(
      Missing(s: "x", point: Point(lat: 1, lon: 2), u64: 7),
      #"{"s":"x","b":null,"d":null,"f":null,"list":null,"point":{"lat":1,"lon":2},"i":null,"#
        + #""i8":null,"i16":null,"i32":null,"i64":null,"u":null,"u8":null,"u16":null,"u32":null,"#
        + #""u64":7}"#)
  }

  @Test func nullDecodesAsNil() throws {
    struct Form: Codable, Equatable { var name: String?, age: Int?, point: Point?, small: UInt8? }
    let text = try JSONText(#"{"name":null,"age":null,"small":3,"unknown":[]}"#)
    #expect(try text.root.decode(Form.self) == Form(name: nil, age: nil, point: nil, small: 3))
  }

  /// As keys of a dictionary, the two names are one.
  @Test func namesThatDictionariesConfuseAreRejected() throws {
    let text = try JSONText(#"{"\#u{e9}":1,"e\#u{301}":2}"#)
    let error = #expect(throws: JSONMismatch.self) { try text.root.decode([String: Int].self) }
    #expect(error?.expected == "names that differ in more than their Unicode form")
  }

  /// A large object is searched from the end of the last search.
  @Test func largeObjectsDecode() throws {
    let members = (0..<1000).map { "\"\($0)\":{\"lat\":\($0),\"lon\":0}" }
    let text = try JSONText("{" + members.joined(separator: ",") + "}")
    let byNumber = try text.root.decode([Int: Point].self)
    #expect(byNumber.count == 1000)
    #expect(byNumber.allSatisfy { Double($0.key) == $0.value.lat })
    let byName = try text.root.decode([String: Point].self)
    #expect(byName.count == 1000)
    #expect(byName["999"]?.lat == 999)
  }
}

@Suite struct EncodingTests {
  func check(
    _ value: some Encodable, _ text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    var writer = JSONWriter()
    try writer.encode(value)
    #expect(String(writer.bytes) == text, sourceLocation: location)
  }

  @Test func encodingContinuesTheWriter() throws {
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
  func nonFiniteNumbersThrow(_ number: Double) throws {
    struct Deep: Encodable { var points: [Point] }
    struct Single: Encodable {
      var number: Float
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
      }
    }
    func check(
      _ value: some Encodable, _ path: [String], _ location: SourceLocation = #_sourceLocation
    ) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.int(1)
      let before = Array(writer.bytes)
      let error = #expect(throws: EncodingError.self, sourceLocation: location) {
        try writer.encode(value)
      }
      guard case .invalidValue(_, let context) = error else { return }
      #expect(context.codingPath.map(\.stringValue) == path, sourceLocation: location)
      #expect(Array(writer.bytes) == before, sourceLocation: location)
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

  /// An `encode(to:)` that catches an error continues as if nothing had been written.
  @Test func failedValuesAreRolledBack() throws {
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

  @Test func codingPathsAreComplete() throws {
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

  @Test func emptyContainersEncode() throws {
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

  @Test func unkeyedContainersCount() throws {
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

  private struct Twice: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    }
  }

  private struct Mixed: Encodable {
    func encode(to encoder: any Encoder) throws {
      _ = encoder.unkeyedContainer()
      _ = encoder.container(keyedBy: Key.self)
    }
    enum Key: CodingKey { case a }
  }

  @Test func valueThatEncodesItselfTwiceIsNamed() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var writer = JSONWriter()
      try writer.encode(["rows": [Twice()]])
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains("Twice at /rows/0 encodes itself twice"), "\(error)")
  }

  @Test func valueThatIsTwoKindsOfJSONIsNamed() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var writer = JSONWriter()
      try writer.encode(Mixed())
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains("Mixed encodes itself as two kinds of JSON"), "\(error)")
  }
}
