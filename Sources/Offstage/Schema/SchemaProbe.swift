internal import OffstageJSON

/// A decoder without data. It returns a sample for every request, and records the request.
final class SchemaProbe: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// The schema so far; an empty object accepts any value.
  fileprivate(set) var schema: JSON = [:]
  /// True if the type decodes a single value rather than the members of an object.
  private(set) var isSingleValue = false
  fileprivate let catalog: SchemaCatalog
  /// The member that was just tested for null.
  fileprivate var optionalKey: String?

  @TaskLocal static var isProbing = false

  /// Keywords of the value that is being decoded.
  @TaskLocal static var keywords: JSONObject = [:]

  init(_ catalog: SchemaCatalog) { self.catalog = catalog }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SchemaProbeObject(probe: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { SchemaProbeArray(probe: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    isSingleValue = true
    return SchemaProbeScalar(probe: self)
  }

  fileprivate func find<T: Decodable>(_ type: T.Type) throws -> (schema: JSON, sample: T) {
    let found = try catalog.probe(type)
    guard let sample = found.sample as? T else {
      throw SchemaError(type: type, reason: "it contains itself")
    }
    return (found.schema, sample)
  }
}

/// Records the members of an object.
private struct SchemaProbeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  init(probe: SchemaProbe) {
    self.probe = probe
    if probe.schema["type"] == nil {
      probe.schema = ["type": "object", "properties": [:], "required": []]
    }
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
    let (schema, sample) = try probe.find(type)
    note(key, isOptional ? Schema.nullable(schema) : schema, isRequired: !isOptional)
    return sample
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let found = try probe.catalog.probe(type)
    note(key, Schema.nullable(found.schema), isRequired: false)
    return found.sample as? T
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
    let (name, required) = (key.stringValue, probe.schema["required"]?.array ?? [])
    probe.schema["properties"]?[name] = schema.adding(SchemaProbe.keywords)
    if isRequired { probe.schema["required"] = .array(required + [.string(name)]) }
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
    let found = try probe.find(type)
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

/// Records the value of a type that decodes a single value.
private struct SchemaProbeScalar: SingleValueDecodingContainer {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let found = try probe.find(type)
    probe.schema = found.schema
    return found.sample
  }
}
