internal import OffstageJSON

/// An enum whose cases hold one value each. It is encoded as that value, with an extra member that
/// names the case.
/// ```swift
/// enum Shape: Union {
///   case circle(Circle), square(Square)
///
///   static let alternatives: [Alternative<Shape>] = [
///     Alternative("circle", Shape.circle) { if case .circle(let it) = $0 { it } else { nil } },
///     Alternative("square", Shape.square) { if case .square(let it) = $0 { it } else { nil } },
///   ]
/// }
/// ```
/// A circle is then `{"type":"circle","radius":2}`. Each value must be encoded as an object: wrap a
/// number, a string, or an array in a struct.
public protocol Union: SchemaAnnotated, Codable, Sendable {
  /// The name of the member that names the case; `type` by default.
  static var discriminator: String { get }
  static var alternatives: [Alternative<Self>] { get }
}

/// A case of a ``Union``.
public struct Alternative<Whole: Sendable>: Sendable {
  let name: String
  let part: @Sendable () -> any Decodable.Type
  let decode: @Sendable (any Decoder) throws -> Whole
  /// Returns the value of this case; nil for another case.
  let extract: @Sendable (Whole) -> (any Encodable)?
  let embed: @Sendable (Any) -> Whole

  /// Creates a case with its name on the wire. `embed` creates it from its value; `extract` returns
  /// the value, or nil for another case.
  /// - Precondition: The value is not a scalar, an array, a dictionary, or an optional.
  public init<Part: Codable & Sendable>(
    _ name: String, _ embed: @escaping @Sendable (Part) -> Whole, fileID: StaticString = #fileID,
    line: UInt = #line, _ extract: @escaping @Sendable (Whole) -> Part?
  ) {
    require(
      SchemaCatalog.isWrittenAsObject(Part.self),
      "the case \"\(name)\" of \(Whole.self) holds \(Part.self), which is not written as an object: "
        + "wrap it in a struct",
      file: fileID, line: line)
    self.name = name
    part = { Part.self }
    decode = { embed(try Part(from: $0)) }
    self.extract = { extract($0) }
    self.embed = { embed($0 as! Part) }
  }
}

extension Union {
  /// `type`.
  public static var discriminator: String { "type" }

  /// Decodes the case that the discriminator names.
  /// - Throws: `DecodingError` for an unknown case, or whatever its value throws.
  public init(from decoder: any Decoder) throws {
    let key = JSONKey.name(Self.discriminator)
    let container = try decoder.container(keyedBy: JSONKey.self)
    let name = try container.decode(String.self, forKey: key)
    guard let alternative = Self.alternatives.first(where: { $0.name == name }) else {
      let names = Self.alternatives.map { JSON.string($0.name) }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: JSONMismatch.expected(oneOf: names))
    }
    self = try alternative.decode(decoder)
  }

  /// Encodes the discriminator, then the value of the case.
  /// - Throws: `EncodingError` for a case that `alternatives` lacks.
  public func encode(to encoder: any Encoder) throws {
    for alternative in Self.alternatives {
      guard let part = alternative.extract(self) else { continue }
      var container = encoder.container(keyedBy: JSONKey.self)
      try container.encode(alternative.name, forKey: JSONKey.name(Self.discriminator))
      return try part.encode(to: encoder)
    }
    throw EncodingError.invalidValue(
      self,
      .init(
        codingPath: encoder.codingPath,
        debugDescription: "\(Self.self).alternatives lacks the case of \(self)."))
  }
}

extension SchemaCatalog {
  /// The schema of a union: one of its cases, each of which is a named type.
  func union<Whole: Union>(_ type: Whole.Type, named name: String) throws -> Probed {
    var cases: [(value: String, reference: JSON)] = []
    var sample: Any?
    for alternative in Whole.alternatives {
      let part = try define(alternative.part(), named: name)
      guard let properties = part.schema["properties"]?.object else {
        throw SchemaError(
          type: type, reason: "its case \"\(alternative.name)\" is not written as an object",
          advice: "Wrap its value in a struct", isFatal: true)
      }
      if properties[Whole.discriminator] != nil {
        throw SchemaError(
          type: type,
          reason: "its case \"\(alternative.name)\" has a member \"\(Whole.discriminator)\", which "
            + "names the case",
          advice: "Rename the member, or set discriminator", isFatal: true)
      }
      let constant: JSON = ["type": "string", "const": .string(alternative.name)]
      var schema = part.schema
      schema["properties"] = .object([Whole.discriminator: constant]).adding(properties)
      schema["required"] = .array(
        [.string(Whole.discriminator)] + (schema["required"]?.array ?? []))
      let reference = add(schema, as: name + alternative.name.pascalCased)
      cases.append((alternative.name, reference))
      sample = sample ?? part.sample.map(alternative.embed)
    }
    return Probed(schema: Schema.union(Whole.discriminator, cases), sample: sample)
  }
}
