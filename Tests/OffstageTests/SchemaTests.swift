import Offstage
import OffstageJSON
import Testing

@Suite struct SchemaTests {
  enum Order: String, Codable, CaseIterable { case asc, desc }
  enum Level: Int, Codable, CaseIterable {
    case low = 1
    case high
  }
  enum Loose: String, Codable { case a, b }
  enum Bare: Codable, CaseIterable { case a, b }

  struct Pair: Codable {
    var name: String
    var age: Int?
  }

  struct Nested: Codable {
    var pair: Pair
    var pairs: [Pair]
    var byName: [String: Pair]?
    var order: Order
  }

  struct Meters: Codable {
    let value: Double
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Double.self)
    }
  }

  struct Point: Codable {
    let x: Int
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      x = try container.decode(Int.self)
    }
  }

  struct Shape: SchemaDescribed, Codable, Equatable {
    static let schemaText = #"{"enum":["circle"]}"#
    static let sample = Shape()
  }

  enum Drawing: SchemaAlternatives {
    case pair(Pair)
    case meters(Meters)

    static var alternatives: [any Decodable.Type] { [Pair.self, Meters.self] }

    init(from decoder: any Decoder) throws {
      do { self = .pair(try Pair(from: decoder)) } catch {
        self = .meters(try Meters(from: decoder))
      }
    }
  }

  struct Misdescribed: SchemaDescribed {
    static let schemaText = "{"
    static let sample = Misdescribed()
  }

  struct Tree: Codable { var children: [Tree] }
  final class Chain: Codable { var next: Chain? }

  static let pair =
    #"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":["integer","null"]}},"#
    + #""required":["name"]}"#

  struct Percent: Codable {
    let value: Int
    private enum CodingKeys: String, CodingKey { case value }
    init(from decoder: any Decoder) throws {
      value = try decoder.container(keyedBy: CodingKeys.self)
        .decode(Int.self, forKey: .value, in: 1...100)
    }
  }

  @Test func rangesAreStatedAndChecked() throws {
    try check(
      Percent.self,
      #"{"type":"object","properties":{"value":{"type":"integer","minimum":1,"maximum":100}},"#
        + #""required":["value"]}"#)
    func decode(_ text: String) throws -> Int {
      try JSONText(text).withRoot { try $0.decode(Percent.self).value }
    }
    #expect(try decode(#"{"value":100}"#) == 100)
    for number in [0, 101] {
      let error = #expect(throws: JSONMismatch.self) { try decode("{\"value\":\(number)}") }
      #expect(error?.path == "/value" && error?.expected == "number from 1 to 100")
    }
  }

  @Test func scalars() throws {
    try check(String.self, #"{"type":"string"}"#)
    try check(Bool.self, #"{"type":"boolean"}"#)
    for type in [Int.self, Int8.self, UInt64.self] as [any Decodable.Type] {
      try check(type, #"{"type":"integer"}"#)
    }
    for type in [Double.self, Float.self, Meters.self] as [any Decodable.Type] {
      try check(type, #"{"type":"number"}"#)
    }
    try check(Trigger.self, "{}")
    try check(Empty.self, #"{}"#)
  }

  @Test func optionals() throws {
    try check(String?.self, #"{"type":["string","null"]}"#)
    try check(Order?.self, #"{"anyOf":[{"enum":["asc","desc"]},{"type":"null"}]}"#)
  }

  @Test func collections() throws {
    try check([Int].self, #"{"type":"array","items":{"type":"integer"}}"#)
    try check(Set<String>.self, #"{"type":"array","items":{"type":"string"}}"#)
    try check(
      [String: [Bool]].self,
      #"{"type":"object","additionalProperties":{"type":"array","items":{"type":"boolean"}}}"#)
    try check(Point.self, #"{"type":"array","items":{"type":"integer"}}"#)
  }

  @Test func structures() throws {
    try check(Pair.self, Self.pair)
    try check(
      Nested.self,
      """
      {"type":"object","properties":{"pair":\(Self.pair),\
      "pairs":{"type":"array","items":\(Self.pair)},\
      "byName":{"type":["object","null"],"additionalProperties":\(Self.pair)},\
      "order":{"enum":["asc","desc"]}},"required":["pair","pairs","order"]}
      """)
  }

  @Test func enumerations() throws {
    try check(Order.self, #"{"enum":["asc","desc"]}"#)
    try check(Level.self, #"{"enum":[1,2]}"#)
  }

  @Test func selfDescribedTypes() throws {
    try check(Shape.self, #"{"enum":["circle"]}"#)
    try check([Shape].self, #"{"type":"array","items":{"enum":["circle"]}}"#)
  }

  @Test func alternatives() throws {
    let either = #"{"anyOf":[\#(Self.pair),{"type":"number"}]}"#
    try check(Drawing.self, either)
    try check([Drawing].self, #"{"type":"array","items":\#(either)}"#)
  }

  @Test func outcomes() throws {
    let schema = try Schema.of(Outcome<Int>.self)
    #expect(schema.description.contains("finished") && schema.description.contains("dismissed"))
    #expect(schema.description.contains("integer"))
  }

  @Test func rejectsTypesWithoutASchema() {
    let types: [any Decodable.Type] = [
      Loose.self, Bare.self, [Loose].self, Misdescribed.self, Tree.self, Chain.self, [Chain?].self,
    ]
    for type in types {
      let error = #expect(throws: SchemaError.self) { try Schema.of(type) }
      let text = "\(error as Any)"
      #expect(text.contains("no JSON Schema for") && text.contains("CaseIterable"), "\(text)")
    }
  }

  private func check(_ type: any Decodable.Type, _ expected: String) throws {
    let schema = try Schema.of(type)
    #expect(try schema == JSON(parsing: expected), "\(schema)")
  }
}
