import OffstageJSON
import Testing

/// Values written by their `Encodable` and read back by their `Decodable`.
@Suite struct CodableTests {
  func check<T: Codable & Equatable>(
    _ value: T, _ text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    var writer = JSONWriter()
    try writer.encode(value)
    #expect(String(writer.bytes) == text, sourceLocation: location)
    #expect(try JSONText(text).root.decode(T.self) == value, sourceLocation: location)
  }

  @Test func carriesScalars() throws {
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

  @Test func carriesOptionals() throws {
    try check(nil as String?, "null")
    try check("Kim" as String?, #""Kim""#)
    try check([1, nil], "[1,null]")
    try check(["a": nil, "b": 1] as [String: Int?], #"{"a":null,"b":1}"#)
    try check(nil as Point?, "null")
  }

  @Test func carriesCollections() throws {
    try check([Int](), "[]")
    try check([[1], [], [2, 3]], "[[1],[],[2,3]]")
    try check(["b": 1, "a": 2], #"{"a":2,"b":1}"#)
    try check([7: "x"], #"{"7":"x"}"#)
    try check(["x": [Point(lat: 1, lon: 2.5)]], #"{"x":[{"lat":1,"lon":2.5}]}"#)
    try check(Set([1]), "[1]")
  }

  @Test func carriesEveryNumberType() throws {
    try check(
      Numbers(),
      #"{"i":4503599627370495,"i8":-128,"i16":32767,"i32":-2147483648,"i64":9007199254740992,"#
        + #""u":7,"u8":255,"u16":65535,"u32":4294967295,"u64":0,"d":-0.5,"f":0.1,"b":true}"#)
  }

  @Test func carriesEnumerations() throws {
    try check(Shape.none, #"{"none":{}}"#)
    try check(Shape.circle(radius: 2), #"{"circle":{"radius":2}}"#)
    try check(Shape.label("x"), #"{"label":{"_0":"x"}}"#)
    try check(
      [Shape.line(from: Point(lat: 0, lon: 1), to: Point(lat: 2, lon: 3))],
      #"[{"line":{"from":{"lat":0,"lon":1},"to":{"lat":2,"lon":3}}}]"#)
  }

  @Test func carriesStructures() throws {
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

  @Test func carriesNestedContainers() throws {
    let text = #"{"outer":{"a":1,"more":null,"more":null},"list":[[2,null],[3,null]],"c":"x"}"#
    try check(Nested(a: 1, b: [2, 3], c: "x"), text)
    try check([Nested(a: 1, b: [], c: "x")], #"[{"outer":{"a":1},"list":[],"c":"x"}]"#)
  }

  @Test func carriesClasses() throws {
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
    #expect(dog.name == "Rex" && dog.tricks == ["sit"])
    let cat = try text.root[1]!.decode(Cat.self)
    #expect(cat.name == "Tom" && cat.lives == 9)
  }

  /// Of every type, since each has a requirement of its own whose default would leave the member out.
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

  @Test func readsNullAsNil() throws {
    struct Form: Codable, Equatable { var name: String?, age: Int?, point: Point?, small: UInt8? }
    let text = try JSONText(#"{"name":null,"age":null,"small":3,"unknown":[]}"#)
    #expect(try text.root.decode(Form.self) == Form(name: nil, age: nil, point: nil, small: 3))
  }

  /// A large object is searched from where the last search ended.
  @Test func readsLargeObjects() throws {
    let members = (0..<1000).map { "\"\($0)\":{\"lat\":\($0),\"lon\":0}" }
    let text = try JSONText("{" + members.joined(separator: ",") + "}")
    let byNumber = try text.root.decode([Int: Point].self)
    #expect(byNumber.count == 1000 && byNumber.allSatisfy { Double($0.key) == $0.value.lat })
    let byName = try text.root.decode([String: Point].self)
    #expect(byName.count == 1000 && byName["999"]?.lat == 999)
  }
}
