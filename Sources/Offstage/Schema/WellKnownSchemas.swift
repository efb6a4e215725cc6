internal import OffstageJSON

extension SchemaProbe {
  /// The types that probing must not open: scalars, collections, optionals, enums with cases.
  static func wellKnown(_ type: any Decodable.Type) throws -> (schema: JSON, sample: Any)? {
    switch type {
    case is String.Type: return (["type": "string"], "")
    case is Bool.Type: return (["type": "boolean"], false)
    case is Double.Type: return (["type": "number"], 0.0)
    case is Float.Type: return (["type": "number"], Float(0))
    case is Trigger.Type: return ([:], Trigger())
    case let integer as any (FixedWidthInteger & Decodable).Type:
      return (["type": "integer"], sample(of: integer))
    case let described as any SchemaDescribed.Type:
      guard let schema = try? JSON(parsing: described.schemaText) else {
        throw SchemaError(type: type, reason: "its schemaText is no JSON")
      }
      return (schema, described.sample)
    case let shaped as any SchemaShaped.Type: return try shaped.shape()
    case let cases as any (CaseIterable & RawRepresentable).Type: return try enumeration(cases)
    default: return nil
    }
  }

  private static func sample<T: FixedWidthInteger>(of type: T.Type) -> Any { T.zero }

  /// An enum with raw values is one of them.
  private static func enumeration<T: CaseIterable & RawRepresentable>(
    _ type: T.Type
  ) throws -> (schema: JSON, sample: Any)? {
    guard let first = T.allCases.first else { return nil }
    let values: [JSON] = T.allCases.compactMap { value in
      switch value.rawValue {
      case let text as String: .string(text)
      case let number as Int: .number(JSONNumber(number))
      default: nil
      }
    }
    guard values.count == T.allCases.count else { return nil }
    return (["enum": .array(values)], first)
  }
}

/// A container whose shape follows from what it contains.
private protocol SchemaShaped {
  static func shape() throws -> (schema: JSON, sample: Any)
}

extension Optional: SchemaShaped where Wrapped: Decodable {
  fileprivate static func shape() throws -> (schema: JSON, sample: Any) {
    let found = try SchemaProbe.probe(Wrapped.self)
    return (nullable(found.schema), Self.some(found.sample) as Any)
  }

  private static func nullable(_ schema: JSON) -> JSON {
    if case .object(var object) = schema, case .string(let type)? = object["type"] {
      object["type"] = [.string(type), "null"]
      return .object(object)
    }
    return ["anyOf": [schema, ["type": "null"]]]
  }
}

extension Array: SchemaShaped where Element: Decodable {
  fileprivate static func shape() throws -> (schema: JSON, sample: Any) {
    (Schema.array(of: try Schema.of(Element.self)), Self())
  }
}

extension Set: SchemaShaped where Element: Decodable {
  fileprivate static func shape() throws -> (schema: JSON, sample: Any) {
    (Schema.array(of: try Schema.of(Element.self)), Self())
  }
}

extension Dictionary: SchemaShaped where Key == String, Value: Decodable {
  fileprivate static func shape() throws -> (schema: JSON, sample: Any) {
    (["type": "object", "additionalProperties": try Schema.of(Value.self)], Self())
  }
}
