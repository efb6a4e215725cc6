/// The members of an object.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: JSONSink
  let depth: Int

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  func encodeNil(forKey key: Key) throws {
    sink.writer.key(key.stringValue)
    sink.writer.null()
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let start = sink.mark
    do {
      sink.writer.key(key.stringValue)
      try sink.encode(value, at: key)
    } catch {
      sink.rewind(to: start)
      throw error
    }
  }

  func encode(_ value: String, forKey key: Key) throws {
    sink.writer.key(key.stringValue)
    sink.writer.string(value)
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    sink.writer.key(key.stringValue)
    sink.writer.bool(value)
  }

  func encode(_ value: Int, forKey key: Key) throws {
    sink.writer.key(key.stringValue)
    sink.writer.int(value)
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try sink.check(value, at: key)
    sink.writer.key(key.stringValue)
    sink.writer.double(value)
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try sink.check(value, at: key)
    sink.writer.key(key.stringValue)
    sink.writer.float(value)
  }

  func encode(_ value: Int8, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { integer(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { integer(value, key) }

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

  private func integer(_ value: some FixedWidthInteger, _ key: Key) {
    sink.writer.key(key.stringValue)
    sink.writer.integer(value)
  }
}

// An optional member that is nil is written as null, where the protocol's own defaults leave it out:
// a member that comes and goes would be harder to patch. Synthesized code calls these.
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

  private func orNull<T: Encodable>(_ value: T?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
}
