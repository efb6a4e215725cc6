package import OffstageJSON

/// JSON Schemas, derived from Swift types at run time.
///
/// A type is asked to decode itself by a decoder that has no data and notes what it is asked for.
/// So there is nothing to generate, and the schema cannot differ from what is accepted.
package enum Schema {
  /// The JSON Schema (2020-12) of a type.
  /// - Throws: `SchemaError` for a type whose decoding needs more than shapes.
  package static func of(_ type: any Decodable.Type) throws -> JSON {
    try SchemaProbe.probeAny(type).schema
  }

  package static func array(of element: JSON) -> JSON {
    ["type": "array", "items": element]
  }
}

/// A type that describes itself, where probing cannot: an enum with associated values, for instance.
public protocol SchemaDescribed: Decodable {
  /// Its JSON Schema as JSON text.
  static var schemaText: String { get }
  /// Any value of it.
  static var sample: Self { get }
}

/// A type whose values have one of several shapes: an enum whose cases are structs.
///
/// Its `init(from:)` must accept each of them.
public protocol SchemaAlternatives: Decodable {
  static var alternatives: [any Decodable.Type] { get }
}

/// A type whose schema cannot be found out.
package struct SchemaError: Error, CustomStringConvertible {
  let type: Any.Type
  let reason: String

  package var description: String {
    "no JSON Schema for \(type): \(reason). Make it CaseIterable if it is an enum, or conform it to "
      + "SchemaDescribed or SchemaAlternatives."
  }
}
