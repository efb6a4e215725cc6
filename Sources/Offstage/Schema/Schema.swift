package import OffstageJSON

/// JSON Schemas, derived from Swift types at run time.
///
/// A type decodes itself from a decoder that has no data and records every request. No code
/// has to be generated, and the schema cannot differ from what the decoder accepts.
package enum Schema {
  package static func array(of element: JSON) -> JSON {
    ["type": "array", "items": element]
  }

  /// Also accepts null.
  package static func nullable(_ schema: JSON) -> JSON {
    guard let type = schema["type"], type.kind == .string, schema["enum"] == nil else {
      return ["anyOf": [schema, ["type": "null"]]]
    }
    var nullable = schema
    nullable["type"] = [type, "null"]
    return nullable
  }

  /// An object whose members are all required.
  package static func object(_ properties: JSONObject) -> JSON {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(properties.members.map { .string($0.key) }),
    ]
  }

  /// One of several objects, told apart by a member.
  package static func union(
    _ member: String, _ cases: [(value: String, reference: JSON)]
  ) -> JSON {
    let mapping = cases.map { (key: $0.value, value: $0.reference["$ref"] ?? .null) }
    return [
      "oneOf": .array(cases.map(\.reference)),
      "discriminator": [
        "propertyName": .string(member), "mapping": .object(JSONObject(mapping)),
      ],
    ]
  }

  package static func reference(_ name: String) -> JSON {
    ["$ref": .string("#/components/schemas/\(name)")]
  }
}

/// A type whose schema says more than its declaration. It adds meanings to its members: a unit, a
/// picture, a state of a row.
/// ```swift
/// extension PokemonDetails: SchemaAnnotated {
///   static var meanings: [PartialKeyPath<Self>: Meaning] {
///     [\.height: .unit("dm"), \.image: .picture, \.isCaught: .state(.done)]
///   }
/// }
/// ```
/// Or it states its JSON Schema, because that cannot be derived: a string in a format of its own.
/// ```swift
/// extension Color: SchemaAnnotated {
///   static var schema: (text: String, sample: Color)? { (#"{"type":"string"}"#, .black) }
/// }
/// ```
public protocol SchemaAnnotated: Decodable {
  /// The meanings of stored properties; none by default.
  static var meanings: [PartialKeyPath<Self>: Meaning] { get }
  /// The JSON Schema as JSON text, and any value of the type; nil by default, for one that is derived.
  static var schema: (text: String, sample: Self)? { get }
}

extension SchemaAnnotated {
  /// None.
  public static var meanings: [PartialKeyPath<Self>: Meaning] { [:] }

  /// nil.
  public static var schema: (text: String, sample: Self)? { nil }
}

extension JSON {
  package func adding(_ members: JSONObject) -> JSON {
    var object = self
    for (key, value) in members.members { object[key] = value }
    return object
  }
}

/// A type whose schema cannot be derived.
package struct SchemaError: Error, CustomStringConvertible {
  let type: Any.Type
  let reason: String
  let advice: String
  /// True for a type whose values cannot be served at all: a dictionary or a union that is not an
  /// object in JSON.
  var isFatal = false
  /// The port that needs the schema, such as `the input "query" of the screen "search"`.
  var context = ""

  package var description: String {
    let context = context.isEmpty ? "" : ", for \(context)"
    return "no JSON Schema for \(type)\(context): \(reason). \(advice)."
  }
}

extension SchemaError {
  init(type: Any.Type, reason: String) {
    let advice =
      switch (type is any CaseIterable.Type, type is any RawRepresentable.Type) {
      case (true, false):
        "Give it raw values, as in \"enum \(type): String\", or conform it to Union or "
          + "SchemaAnnotated"
      case (true, true): "Conform it to SchemaAnnotated"
      case (false, true): "Make it CaseIterable if it is an enum, or conform it to SchemaAnnotated"
      case (false, false):
        "Conform it to Union if it is an enum whose cases hold values, or to SchemaAnnotated"
      }
    self.init(type: type, reason: reason, advice: advice)
  }

  /// The error for a type that cannot be decoded from a decoder without data.
  init(type: Any.Type, rejection error: any Error) {
    let reason =
      switch error {
      // Swift's own decoding of an enum expects exactly one key, the name of a case.
      case DecodingError.typeMismatch(let found, _) where found == type: "its cases hold values"
      case is DecodingError where type is any RawRepresentable.Type: "it does not list its values"
      case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context):
        "its init(from:) rejects a sample: \(context.debugDescription)"
      default: "its init(from:) rejects a sample: \(error)"
      }
    self.init(type: type, reason: reason)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a number and checks its range, which becomes part of the JSON Schema of the type.
  /// ```swift
  /// latitude = try container.decode(Double.self, forKey: .latitude, in: -90...90)
  /// ```
  /// - Throws: `DecodingError` for a number out of range.
  public func decode<Number: Codable & Comparable>(
    _ type: Number.Type, forKey key: Key, in range: ClosedRange<Number>
  ) throws -> Number {
    if SchemaProbe.isProbing {
      let keywords = Meaning.range(range).statements[0].schema
      _ = try SchemaProbe.$keywords.withValue(keywords) { try decode(type, forKey: key) }
      return range.lowerBound
    }
    let value = try decode(type, forKey: key)
    guard range.contains(value) else {
      let (minimum, maximum) = (JSON(encoding: range.lowerBound), JSON(encoding: range.upperBound))
      let kind = Number.self is any FixedWidthInteger.Type ? "integer" : "number"
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(kind) from \(minimum) to \(maximum)")
    }
    return value
  }
}
