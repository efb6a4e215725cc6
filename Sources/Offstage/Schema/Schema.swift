package import OffstageJSON

/// JSON Schemas, derived from Swift types at run time.
///
/// A type decodes itself from a decoder that has no data and records every request. There is no code
/// to generate, and the schema cannot differ from what the decoder accepts.
package enum Schema {
  /// The JSON Schema (2020-12) of a type.
  /// - Throws: `SchemaError` for a type whose decoding depends on values.
  package static func of(_ type: any Decodable.Type) throws -> JSON {
    try SchemaProbe.probeAny(type).schema
  }

  package static func array(of element: JSON) -> JSON {
    ["type": "array", "items": element]
  }
}

/// A type that states its JSON Schema, because probing cannot derive it: an enum with associated
/// values, for example, or a number with a range.
public protocol SchemaDescribed: Decodable {
  /// The JSON Schema as JSON text.
  static var schemaText: String { get }
  /// Any value of the type.
  static var sample: Self { get }
}

/// A type whose values have one of several shapes: an enum whose cases contain structs.
///
/// Its `init(from:)` must accept each of them.
public protocol SchemaAlternatives: Decodable {
  /// The types of the shapes.
  static var alternatives: [any Decodable.Type] { get }
}

/// A type whose schema cannot be derived.
package struct SchemaError: Error, CustomStringConvertible {
  let type: Any.Type
  let reason: String

  package var description: String {
    "no JSON Schema for \(type): \(reason). Make it CaseIterable if it is an enum, or conform it to "
      + "SchemaDescribed or SchemaAlternatives."
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
    var bounds: (minimum: JSON, maximum: JSON) {
      (JSON(encoding: range.lowerBound), JSON(encoding: range.upperBound))
    }
    if SchemaProbe.isProbing {
      _ = try SchemaProbe.$range.withValue(bounds) { try decode(type, forKey: key) }
      return range.lowerBound
    }
    let value = try decode(type, forKey: key)
    guard range.contains(value) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "number from \(bounds.minimum) to \(bounds.maximum)")
    }
    return value
  }
}
