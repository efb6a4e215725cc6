internal import OffstageJSON

/// Kinds of values, by which a meaning fits a value or not.
struct ValueKinds: OptionSet, Hashable {
  let rawValue: Int

  static let text = Self(rawValue: 1)
  static let boolean = Self(rawValue: 2)
  static let number = Self(rawValue: 4)
  static let object = Self(rawValue: 8)
  /// A list of objects.
  static let objects = Self(rawValue: 16)
  /// A list of texts.
  static let texts = Self(rawValue: 32)
  /// A list of numbers.
  static let numbers = Self(rawValue: 64)
  /// A list of anything else.
  static let others = Self(rawValue: 128)

  static let scalar: Self = [.text, .boolean, .number]
  static let list: Self = [.objects, .texts, .numbers, .others]
  static let any: Self = [.scalar, .object, .list]

  /// The kinds in words: `a number or an object`.
  var description: String {
    let names: [(Self, String)] = [
      (.list, "a list"), (.text, "a text"), (.boolean, "a Boolean"), (.number, "a number"),
      (.object, "an object"), (.objects, "a list of objects"), (.texts, "a list of texts"),
      (.numbers, "a list of numbers"), (.others, "a list"),
    ]
    var rest = self
    var found: [String] = []
    for (kinds, name) in names where rest.isSuperset(of: kinds) {
      found.append(name)
      rest.subtract(kinds)
    }
    return found.joined(separator: " or ")
  }
}

/// The type of a value by its JSON Schema, without references and null.
struct ValueShape {
  var kinds: ValueKinds
  var isNullable = false
  /// The schema without references and null; that of the first alternative of a union.
  var schema: JSON
  /// The members of an object, or those of all alternatives of a union.
  var properties = JSONObject()
  /// The schema of the elements of a list.
  var element: JSON?

  /// True for a text of no certain format or set of values.
  var isPlainText: Bool {
    kinds == .text && schema["enum"] == nil && schema["format"] == nil
      && schema["contentMediaType"] == nil && schema["contentEncoding"] == nil
  }

  var isInteger: Bool { kinds == .number && schema["type"]?.names.contains("integer") == true }

  var isPicture: Bool { schema["contentMediaType"]?.string?.hasPrefix("image/") == true }
}

extension JSON {
  /// The names of types in the keyword `type`.
  var names: [String] { string.map { [$0] } ?? array?.compactMap(\.string) ?? [] }
}

extension SchemaCatalog {
  func shape(of schema: JSON) -> ValueShape {
    if schema["type"] != nil { return ownShape(of: schema) }
    if let reference = schema["$ref"]?.string {
      let name = reference.dropFirst("#/components/schemas/".count)
      // A type that is being described contains itself, and is an object.
      guard let found = schemas[String(name)], found.object?.isEmpty == false else {
        return ValueShape(kinds: .object, schema: [:])
      }
      return shape(of: found)
    }
    if let alternatives = schema["anyOf"]?.array {
      let others = alternatives.filter { $0["type"]?.string != "null" }
      guard others.count == 1 else { return ValueShape(kinds: .any, schema: schema) }
      var shape = shape(of: others[0])
      shape.isNullable = shape.isNullable || others.count < alternatives.count
      return shape
    }
    if let alternatives = schema["oneOf"]?.array, let first = alternatives.first {
      var shape = shape(of: first)
      for alternative in alternatives.dropFirst() {
        for (name, schema) in self.shape(of: alternative).properties.members
        where shape.properties[name] == nil {
          shape.properties[name] = schema
        }
      }
      return shape
    }
    return ownShape(of: schema)
  }

  /// The shape of a schema that refers to no other one.
  private func ownShape(of schema: JSON) -> ValueShape {
    let types = schema["type"]?.names ?? []
    var shape = ValueShape(kinds: .any, schema: schema)
    shape.isNullable = types.contains("null")
    switch types.first(where: { $0 != "null" }) {
    case "string": shape.kinds = schema["format"] == "decimal" ? [.text, .number] : .text
    case "boolean": shape.kinds = .boolean
    case "integer", "number": shape.kinds = .number
    case "object":
      shape.kinds = .object
      shape.properties = schema["properties"]?.object ?? [:]
    case "array":
      shape.element = schema["items"]
      shape.kinds = kinds(ofElements: schema["items"])
    default: break
    }
    return shape
  }

  private func kinds(ofElements schema: JSON?) -> ValueKinds {
    switch schema.map({ shape(of: $0).kinds }) {
    case .text: .texts
    case .number: .numbers
    case .object: .objects
    default: .others
    }
  }
}
