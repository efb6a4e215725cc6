import Offstage
import OffstageJSON
import Testing

extension String {
  struct Heading: Codable { var text: String }
}

@Suite struct SchemaTests {
  enum Order: String, Codable, CaseIterable { case asc, desc }
  enum Level: Int, Codable, CaseIterable {
    case low = 1
    case high
  }
  enum Loose: String, Codable { case a, b }
  enum Payload: Codable {
    case number(Int)
    case none
  }
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

  struct Shape: SchemaAnnotated, Codable, Equatable {
    static var schema: (text: String, sample: Shape)? { (#"{"enum":["circle"]}"#, Shape()) }
  }

  enum Drawing: Union, Equatable {
    case circle(Circle)
    case square(Square)

    static let alternatives: [Alternative<Drawing>] = [
      Alternative("circle", Drawing.circle) { if case .circle(let it) = $0 { it } else { nil } },
      Alternative("square", Drawing.square) { if case .square(let it) = $0 { it } else { nil } },
    ]
  }

  struct Circle: Codable, Equatable { var size: Double }
  struct Square: Codable, Equatable, SchemaAnnotated {
    var size: Double
    static var meanings: [PartialKeyPath<Square>: Meaning] { [\.size: .unit("m")] }
  }

  /// A struct that is written as a number.
  struct Count: Codable, Equatable {
    var number: Int
    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  enum Amount: Union, Equatable {
    case count(Count)
    static let alternatives: [Alternative<Amount>] = [
      Alternative("count", Amount.count) { if case .count(let it) = $0 { it } else { nil } }
    ]
  }

  struct Page<Item: Codable>: Codable { var items: [Item] }

  struct Misdescribed: SchemaAnnotated {
    static var schema: (text: String, sample: Misdescribed)? { ("{", Misdescribed()) }
  }

  struct Tree: Codable { var children: [Tree] }
  final class Chain: Codable { var next: Chain? }

  static let pair =
    #"{"type":"object","properties":{"name":{"type":"string","x-role":"title"},"age":{"type":["integer","null"]}},"#
    + #""required":["name"]}"#
  static let order =
    #"{"type":"string","enum":["asc","desc"],"x-titles":{"asc":"Asc","desc":"Desc"}}"#

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
      #expect(error?.path == "/value")
      #expect(error?.expected == "integer from 1 to 100")
    }
  }

  @Test func scalarsHaveASchema() throws {
    try check(String.self, #"{"type":"string"}"#)
    try check(Bool.self, #"{"type":"boolean"}"#)
    for type in [Int.self, Int8.self, UInt64.self] as [any Decodable.Type] {
      try check(type, #"{"type":"integer"}"#)
    }
    for type in [Double.self, Float.self, Meters.self] as [any Decodable.Type] {
      try check(type, #"{"type":"number"}"#)
    }
    try check(Trigger.self, #"{"type":"object"}"#)
    try check(Empty.self, #"{"type":"object"}"#)
  }

  @Test func optionalsMayBeNull() throws {
    try check(String?.self, #"{"type":["string","null"]}"#)
    try check(
      Order?.self,
      ##"{"anyOf":[{"$ref":"#/components/schemas/SchemaTestsOrder"},{"type":"null"}]}"##)
  }

  @Test func collectionsHaveASchema() throws {
    try check([Int].self, #"{"type":"array","items":{"type":"integer"}}"#)
    try check(
      Set<String>.self, #"{"type":"array","items":{"type":"string"},"uniqueItems":true}"#)
    try check([Int: Int].self, #"{"type":"object","additionalProperties":{"type":"integer"}}"#)
    try check([Order: Int].self, #"{"type":"object","additionalProperties":{"type":"integer"}}"#)
    try check([Int64: Int].self, #"{"type":"object","additionalProperties":{"type":"integer"}}"#)
    try check(
      [String: [Bool]].self,
      #"{"type":"object","additionalProperties":{"type":"array","items":{"type":"boolean"}}}"#)
    try check(Point.self, #"{"type":"array","items":{"type":"integer"}}"#)
  }

  @Test func typesAreDescribedOnceAndReferredTo() throws {
    let catalog = SchemaCatalog(labels: nil)
    #expect(try catalog.schema(of: Nested.self) == Schema.reference("SchemaTestsNested"))
    let pair = ##"{"$ref":"#/components/schemas/SchemaTestsPair"}"##
    let order = ##"{"$ref":"#/components/schemas/SchemaTestsOrder"}"##
    let nested = """
      {"type":"object","properties":{"pair":\(pair),\
      "pairs":{"type":"array","items":\(pair)},\
      "byName":{"type":["object","null"],"additionalProperties":\(pair)},\
      "order":\(order)},"required":["pair","pairs","order"]}
      """
    let expected: JSON = [
      "SchemaTestsNested": try JSON(parsing: nested),
      "SchemaTestsPair": try JSON(parsing: Self.pair),
      "SchemaTestsOrder": ["type": "string", "enum": ["asc", "desc"]],
    ]
    #expect(JSON.object(catalog.schemas) == expected)
  }

  @Test func namesAreThoseOfSwiftTypes() throws {
    let catalog = SchemaCatalog(reserved: ["SchemaTestsCircle"])
    #expect(
      try catalog.schema(of: Page<Pair>.self)
        == Schema.reference("SchemaTestsPageOfSchemaTestsPair"))
    #expect(
      try catalog.schema(of: Circle.self) == Schema.reference("OffstageTestsSchemaTestsCircle"))
    struct Local: Codable { var x = 1 }
    #expect(try catalog.schema(of: Local.self) == Schema.reference("SchemaTestsLocal"))
    #expect(try catalog.schema(of: Dialog.Button.self) == Schema.reference("DialogButton"))
  }

  @Test func typesMayContainThemselves() throws {
    try check(
      Tree.self,
      ##"""
      {"type":"object","properties":{"children":{"type":"array","items":
      {"$ref":"#/components/schemas/SchemaTestsTree"}}},"required":["children"]}
      """##)
    try check(
      Chain.self,
      ##"""
      {"type":"object","properties":{"next":{"anyOf":[
      {"$ref":"#/components/schemas/SchemaTestsChain"},{"type":"null"}]}},"required":[]}
      """##)
  }

  @Test func enumerationsListTheirCases() throws {
    try check(Order.self, Self.order)
    try check(Level.self, #"{"type":"integer","enum":[1,2],"x-titles":{"1":"Low","2":"High"}}"#)
    let labels: Labels = { key, language in
      key == "SchemaTestsOrder.asc" ? Label("Up \(language)") : nil
    }
    let catalog = SchemaCatalog(labels: LocalizedLabels(labels, language: "ko"))
    _ = try catalog.schema(of: Order.self)
    #expect(
      catalog.schemas["SchemaTestsOrder"]?["x-titles"] == ["asc": "Up ko", "desc": "Desc"])
  }

  struct Stop: Codable {
    var id: Int
    var nameText: String
    var isOpen: Bool
  }

  @Test func membersHaveTitles() throws {
    let labels: Labels = { key, language in
      key == "SchemaTestsStop.isOpen" ? Label("Open \(language)") : nil
    }
    let catalog = SchemaCatalog(labels: LocalizedLabels(labels, language: "ko"))
    _ = try catalog.schema(of: [Stop].self)
    _ = try catalog.schema(of: Drawing.self)
    #expect(
      catalog.schemas["SchemaTestsStop"]?["x-titles"] == ["nameText": "Name", "isOpen": "Open ko"])
    #expect(catalog.schemas["SchemaTestsDrawingCircle"]?["x-titles"] == ["size": "Size"])
  }

  @Test func selfDescribedTypes() throws {
    try check(Shape.self, #"{"enum":["circle"]}"#)
    try check(
      [Shape].self, ##"{"type":"array","items":{"$ref":"#/components/schemas/SchemaTestsShape"}}"##)
  }

  @Test func unionsNameTheirCases() throws {
    let catalog = SchemaCatalog(labels: nil)
    _ = try catalog.schema(of: [Drawing].self)
    let expected = try JSON(
      parsing: ##"""
        {"SchemaTestsDrawing":{"oneOf":[
          {"$ref":"#/components/schemas/SchemaTestsDrawingCircle"},
          {"$ref":"#/components/schemas/SchemaTestsDrawingSquare"}],
         "discriminator":{"propertyName":"type","mapping":{
          "circle":"#/components/schemas/SchemaTestsDrawingCircle",
          "square":"#/components/schemas/SchemaTestsDrawingSquare"}}},
         "SchemaTestsDrawingCircle":{"type":"object","properties":{
          "type":{"type":"string","const":"circle"},"size":{"type":"number"}},
          "required":["type","size"]},
         "SchemaTestsDrawingSquare":{"type":"object","properties":{
          "type":{"type":"string","const":"square"},"size":{"type":"number","x-unit":"m"}},
          "required":["type","size"]}}
        """##)
    #expect(JSON.object(catalog.schemas) == expected)
    #expect(throws: SchemaError.self) { try SchemaCatalog().schema(of: Amount.self) }
  }

  @Test func unionsDecodeTheCaseThatTheyName() throws {
    let square = Drawing.square(Square(size: 2))
    #expect(JSON(encoding: square) == ["type": "square", "size": 2])
    func decode(_ text: String) throws -> Drawing {
      try JSONText(text).withRoot { try $0.decode(Drawing.self) }
    }
    #expect(try decode(#"{"size":2,"type":"square"}"#) == square)
    let error = #expect(throws: JSONMismatch.self) { try decode(#"{"size":2,"type":"oval"}"#) }
    #expect(error?.path == "/type")
    #expect(error?.expected == #"one of "circle", "square""#)
  }

  struct Named: Codable { let type: String }

  enum Clashing: Union {
    case named(Named)

    static let alternatives: [Alternative<Clashing>] = [
      Alternative("named", Clashing.named) { if case .named(let it) = $0 { it } else { nil } }
    ]
  }

  @Test func unionRejectsAMemberWithTheNameOfItsDiscriminator() {
    check(Clashing.self, isRefusedWith: "Rename the member, or set discriminator")
  }

  @Test func typeInAnExtensionOfAnotherModuleHasItsName() throws {
    #expect(
      try SchemaCatalog().schema(of: String.Heading.self) == Schema.reference("StringHeading"))
  }

  @Test func rejectsTypesWithoutASchema() {
    for type in [Loose.self, [Loose].self] as [any Decodable.Type] {
      check(
        type,
        isRefusedWith: "Make it CaseIterable if it is an enum")
    }
    check(
      Payload.self,
      isRefusedWith: "its cases hold values. Conform it to Union if it is an enum whose cases hold")
    check(Loose.self, isRefusedWith: "it does not list its values. Make it CaseIterable")
    check(Positive.self, isRefusedWith: "its init(from:) rejects a sample: it is not positive.")
    check(Misdescribed.self, isRefusedWith: "its schema is not JSON")
    check(Bare.self, isRefusedWith: #"Give it raw values, as in "enum Bare: String", or conform"#)
    check(
      [Bare: Int].self,
      isRefusedWith: "Give Bare raw values if it is an enum, or conform it to CodingKeyRep")
  }

  private struct Positive: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard try container.decode(Int.self) > 0 else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "it is not positive")
      }
    }
  }

  private func check(
    _ type: any Decodable.Type, isRefusedWith advice: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: SchemaError.self, sourceLocation: location) {
      try SchemaCatalog().schema(of: type)
    }
    let text = "\(error as Any)"
    #expect(text.contains("no JSON Schema for"), "\(text)", sourceLocation: location)
    #expect(text.contains(advice), "\(text)", sourceLocation: location)
  }

  final class Careless: Screen {
    static let kind = "careless"
    struct Input: Ports { let loosePicked = In<Loose>() }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  @Test @CoreActor func errorsNameTheScreenAndThePort() throws {
    let factory = ScreenFactory(Careless.self) { _ in Careless() }
    let catalog = SchemaCatalog()
    let description = try factory.describe(catalog)
    #expect(description.inputs.first?.schema == [:])
    #expect(
      "\(catalog.failure as Any)".contains(
        #"Loose, for the input "loosePicked" of the screen "careless": "#))
  }

  /// Compares the full schema of a type.
  private func check(
    _ type: any Decodable.Type, _ expected: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let catalog = SchemaCatalog(labels: expected.contains("x-titles") ? LocalizedLabels() : nil)
    let found = try catalog.schema(of: type)
    let name = found["$ref"]?.string?.split(separator: "/").last
    let schema = name.flatMap { catalog.schemas[String($0)] } ?? found
    #expect(try schema == JSON(parsing: expected), "\(schema)", sourceLocation: location)
  }
}
