/// The `Encoder` of one value, writing to a sink.
struct JSONValueEncoder: Encoder {
  let sink: JSONSink
  /// The type of the value, for errors; nil for a nested container.
  private let type: Any.Type?
  private let depth: Int

  init(sink: JSONSink, type: Any.Type? = nil) {
    self.sink = sink
    self.type = type
    depth = sink.path.count
  }

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    sink.begin(.object, of: type)
    return KeyedEncodingContainer(JSONKeyedEncoding(sink: sink, depth: depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    sink.begin(.array, of: type)
    return JSONUnkeyedEncoding(sink: sink, depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleValueEncoding(sink: sink, type: type, depth: depth)
  }
}

// In each container, one generic `encode` satisfies the requirements for every scalar type. It is
// inlined into each, where the type is known and only that type's branch is left.

private struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: JSONSink
  let depth: Int

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  func encodeNil(forKey key: Key) throws {
    sink.writer.key(key.stringValue)
    sink.writer.null()
  }

  @inline(__always)
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let start = sink.mark
    sink.writer.key(key.stringValue)
    if !sink.writer.scalar(value) { try sink.encode(value, at: key, from: start) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    JSONValueEncoder(sink: hole(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONValueEncoder(sink: hole(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONValueEncoder(sink: hole(JSONKey.name("super"))) }

  func superEncoder(forKey key: Key) -> any Encoder { JSONValueEncoder(sink: hole(key)) }

  private func hole(_ key: some CodingKey) -> JSONSink {
    sink.writer.key(key.stringValue)
    return sink.hole(at: key, in: codingPath)
  }
}

// Synthesized code calls these. Unlike the protocol's defaults, they write a member that is nil as
// null: a member that comes and goes would be harder to patch.
extension JSONKeyedEncoding {
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try orNull(value, key) }

  @inline(__always)
  private func orNull<T: Encodable>(_ value: T?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
}

private struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
  let sink: JSONSink
  let depth: Int
  private(set) var count = 0

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  mutating func encodeNil() throws {
    sink.writer.null()
    count += 1
  }

  @inline(__always)
  mutating func encode<T: Encodable>(_ value: T) throws {
    if !sink.writer.scalar(value) {
      try sink.encode(value, at: JSONKey.position(count), from: sink.mark)
    }
    count += 1
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    JSONValueEncoder(sink: hole()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONValueEncoder(sink: hole()).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { JSONValueEncoder(sink: hole()) }

  private mutating func hole() -> JSONSink {
    defer { count += 1 }
    return sink.hole(at: JSONKey.position(count), in: codingPath)
  }
}

private struct JSONSingleValueEncoding: SingleValueEncodingContainer {
  let sink: JSONSink
  let type: Any.Type?
  let depth: Int

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  func encodeNil() throws {
    begin()
    sink.writer.null()
  }

  @inline(__always)
  func encode<T: Encodable>(_ value: T) throws {
    let start = sink.mark
    begin()
    if !sink.writer.scalar(value) { try sink.encode(value, from: start) }
  }

  private func begin() {
    guard sink.shape == .nothing else { sink.stop(type, "encodes itself twice") }
    sink.shape = .value
  }
}
