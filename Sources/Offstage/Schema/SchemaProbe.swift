internal import OffstageJSON

/// A decoder without data: it answers every question with a sample and notes what was asked.
final class SchemaProbe: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// What is known so far; an empty object accepts anything.
  fileprivate(set) var schema: JSON = [:]
  /// The member that was just asked whether it is null.
  fileprivate var optionalKey: String?

  /// The types that are being probed: one that comes again would never end.
  @TaskLocal private static var open: [ObjectIdentifier] = []

  /// The schema of a type, and a value of it that lets an enclosing type go on decoding.
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
      throw SchemaError(type: type, reason: "its init(from:) refuses a sample (\(error))")
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

/// Notes the members that a type asks for.
private struct SchemaProbeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  init(probe: SchemaProbe) {
    self.probe = probe
    probe.schema = ["type": "object", "properties": [:], "required": []]
  }

  func contains(_ key: Key) -> Bool { true }

  /// Only an optional member asks this, right before its value.
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
    properties[key.stringValue] = schema
    if isRequired { required.append(.string(key.stringValue)) }
    object["properties"] = .object(properties)
    object["required"] = .array(required)
    probe.schema = .object(object)
  }
}

/// Notes the elements of a type that decodes an array by hand.
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

/// Notes the one value that a type stands for.
private struct SchemaProbeScalar: SingleValueDecodingContainer {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try probe.note(type) }
}
