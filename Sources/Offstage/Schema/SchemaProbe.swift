internal import OffstageJSON

/// A decoder without data. It returns a sample for every request, and records the request.
final class SchemaProbe: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// The schema so far; an empty object accepts any value.
  fileprivate(set) var schema: JSON = [:]
  /// The member that was just tested for null.
  fileprivate var optionalKey: String?

  /// The types that are being probed, to detect a type that contains itself.
  @TaskLocal private static var open: [ObjectIdentifier] = []

  static var isProbing: Bool { !open.isEmpty }

  /// The range of the number that is being decoded.
  @TaskLocal static var range: (minimum: JSON, maximum: JSON)?

  /// The schema of a type, and a sample with which an enclosing type continues to decode.
  static func probe<T: Decodable>(_ type: T.Type) throws -> (schema: JSON, sample: T) {
    let id = ObjectIdentifier(type)
    guard !open.contains(id) else { throw SchemaError(type: type, reason: "it contains itself") }
    return try $open.withValue(open + [id]) { try probeOpen(type) }
  }

  private static func probeOpen<T: Decodable>(_ type: T.Type) throws -> (schema: JSON, sample: T) {
    if let known = try wellKnown(type) { return (known.schema, known.sample as! T) }
    let probe = SchemaProbe()
    do {
      let sample = try T(from: probe)
      guard let several = type as? any SchemaAlternatives.Type else {
        return (probe.schema, sample)
      }
      return (["anyOf": .array(try several.alternatives.map(Schema.of))], sample)
    } catch let error as SchemaError {
      throw error
    } catch {
      throw SchemaError(type: type, reason: "its init(from:) rejects a sample (\(error))")
    }
  }

  static func probeAny(_ type: any Decodable.Type) throws -> (schema: JSON, sample: Any) {
    func open<T: Decodable>(_ type: T.Type) throws -> (schema: JSON, sample: Any) {
      let found = try probe(type)
      return (found.schema, found.sample)
    }
    return try open(type)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SchemaProbeObject(probe: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { SchemaProbeArray(probe: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SchemaProbeScalar(probe: self)
  }

  fileprivate func note<T: Decodable>(_ type: T.Type) throws -> T {
    let found = try Self.probe(type)
    schema = found.schema
    return found.sample
  }
}

/// Records the members of an object.
private struct SchemaProbeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  init(probe: SchemaProbe) {
    self.probe = probe
    probe.schema = ["type": "object", "properties": [:], "required": []]
  }

  func contains(_ key: Key) -> Bool { true }

  /// Only an optional member calls this, right before it decodes its value.
  func decodeNil(forKey key: Key) -> Bool {
    probe.optionalKey = key.stringValue
    return false
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let isOptional = probe.optionalKey == key.stringValue
    probe.optionalKey = nil
    guard isOptional else {
      let found = try SchemaProbe.probe(type)
      note(key, found.schema, isRequired: true)
      return found.sample
    }
    let found = try SchemaProbe.probe(T?.self)
    note(key, found.schema, isRequired: false)
    guard let sample = found.sample else { throw unknown("it has no sample") }
    return sample
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw unknown("it nests containers by hand") }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw unknown("it nests containers by hand")
  }

  func superDecoder() throws -> any Decoder { throw unknown("it decodes a superclass") }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    throw unknown("it decodes a superclass")
  }

  private func unknown(_ reason: String) -> SchemaError {
    SchemaError(type: Key.self, reason: reason)
  }

  private func note(_ key: Key, _ schema: JSON, isRequired: Bool) {
    guard case .object(var object) = probe.schema,
      case .object(var properties)? = object["properties"],
      case .array(var required)? = object["required"]
    else { return }
    properties[key.stringValue] = schema.limited(to: SchemaProbe.range)
    if isRequired { required.append(.string(key.stringValue)) }
    object["properties"] = .object(properties)
    object["required"] = .array(required)
    probe.schema = .object(object)
  }
}

extension JSON {
  fileprivate func limited(to range: (minimum: JSON, maximum: JSON)?) -> JSON {
    guard let range, case .object(var object) = self else { return self }
    object["minimum"] = range.minimum
    object["maximum"] = range.maximum
    return .object(object)
  }
}

/// Records the elements of a type that decodes an array by hand.
private struct SchemaProbeArray: UnkeyedDecodingContainer {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []
  let count: Int? = nil
  var isAtEnd = false
  var currentIndex = 0

  mutating func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let found = try SchemaProbe.probe(type)
    probe.schema = Schema.array(of: found.schema)
    currentIndex += 1
    isAtEnd = true
    return found.sample
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { throw unknown }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unknown }

  mutating func superDecoder() throws -> any Decoder { throw unknown }

  private var unknown: SchemaError {
    SchemaError(type: Self.self, reason: "it nests containers by hand")
  }
}

/// Records the value of a type that is represented by a single value.
private struct SchemaProbeScalar: SingleValueDecodingContainer {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try probe.note(type) }
}

// MARK: Types that are not probed

extension SchemaProbe {
  /// The schema of a scalar, a collection, an optional, or an enum with raw values.
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
        throw SchemaError(type: type, reason: "its schemaText is not JSON")
      }
      return (schema, described.sample)
    case let shaped as any SchemaShaped.Type: return try shaped.shape()
    case let cases as any (CaseIterable & RawRepresentable).Type: return try enumeration(cases)
    default: return nil
    }
  }

  private static func sample<T: FixedWidthInteger>(of type: T.Type) -> Any { T.zero }

  /// The schema of an enum with raw values.
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

/// A container whose schema follows from that of its elements.
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
