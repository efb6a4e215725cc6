internal import Offstage
internal import OffstageJSON

/// A JSON Schema of the protocol. A string literal refers to the schema of that name.
struct JSONSchema: Sendable, ExpressibleByStringLiteral {
  let json: JSON

  init(_ json: JSON) { self.json = json }

  init(stringLiteral name: String) { json = Schema.reference(name) }

  static let any = Self([:])
  static let string = Self(["type": "string"])
  static let boolean = Self(["type": "boolean"])
  static let integer = Self(["type": "integer"])

  static let requestID = types("string", "integer", "number", "null")

  static func integer(from minimum: Int, to maximum: Int? = nil) -> Self {
    var schema: JSONObject = ["type": "integer", "minimum": .int(minimum)]
    schema["maximum"] = maximum.map { .int($0) }
    return Self(.object(schema))
  }

  static func types(_ names: JSON...) -> Self { Self(["type": .array(names)]) }

  static func const(_ value: JSON) -> Self { Self(["const": value]) }

  /// A fixed string, which identifies a case of a union.
  static func literal(_ text: String) -> Self { Self(["type": "string", "const": .string(text)]) }

  static func string(oneOf texts: [String]) -> Self {
    Self(["type": "string", "enum": .array(texts.map(JSON.string))])
  }

  func described(_ text: String) -> Self { Self(json.adding(["description": .string(text)])) }

  static func array(_ element: Self) -> Self { Self(Schema.array(of: element.json)) }

  /// An object with any member names, whose values have one type.
  static func map(_ value: Self) -> Self {
    Self(["type": "object", "additionalProperties": value.json])
  }

  /// One of several objects, identified by a member.
  static func union(_ member: String, _ cases: KeyValuePairs<String, String>) -> Self {
    Self(Schema.union(member, cases.map { ($0.key, Schema.reference($0.value)) }))
  }

  /// A member of an object, or a param of a method.
  struct Member: Sendable {
    let name: String
    let isRequired: Bool
    let schema: JSON

    /// - Parameter name: As in TypeScript, a name that ends in `?` is optional.
    init(_ name: String, _ schema: JSONSchema) {
      self.name = String(name.prefix { $0 != "?" })
      isRequired = !name.hasSuffix("?")
      self.schema = schema.json
    }
  }

  /// - Parameter choice: Members of which exactly one must be present; they are optional by name.
  static func object(
    _ members: KeyValuePairs<String, Self>, exactlyOneOf choice: [JSON] = []
  ) -> Self {
    object(members.map { Member($0.key, $0.value) }, exactlyOneOf: choice)
  }

  static func object(_ members: [Member], exactlyOneOf choice: [JSON] = []) -> Self {
    var object: JSONObject = [
      "type": "object",
      "properties": .object(JSONObject(members.map { ($0.name, $0.schema) })),
    ]
    let required = members.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { object["required"] = .array(required) }
    if !choice.isEmpty { object["oneOf"] = .array(choice.map { ["required": [$0]] }) }
    return Self(.object(object))
  }
}

/// A schema that `components.schemas` has under its name.
struct NamedSchema: Sendable {
  let name: String
  let schema: JSONSchema

  init(_ name: String, _ schema: JSONSchema) { (self.name, self.schema) = (name, schema) }
}
