/// The elements of an array, one after the other.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
  let sink: JSONSink
  let depth: Int
  private(set) var count = 0

  init(sink: JSONSink, depth: Int) {
    self.sink = sink
    self.depth = depth
  }

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  mutating func encodeNil() throws {
    sink.writer.null()
    count += 1
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let start = sink.mark
    do {
      try sink.encode(value, at: JSONKey.position(count))
    } catch {
      sink.rewind(to: start)
      throw error
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

  mutating func encode(_ value: String) throws {
    sink.writer.string(value)
    count += 1
  }

  mutating func encode(_ value: Double) throws {
    try sink.check(value, at: JSONKey.position(count))
    sink.writer.double(value)
    count += 1
  }

  mutating func encode(_ value: Float) throws {
    try sink.check(value, at: JSONKey.position(count))
    sink.writer.float(value)
    count += 1
  }

  mutating func encode(_ value: Bool) throws {
    sink.writer.bool(value)
    count += 1
  }

  mutating func encode(_ value: Int) throws { integer(value) }
  mutating func encode(_ value: Int8) throws { integer(value) }
  mutating func encode(_ value: Int16) throws { integer(value) }
  mutating func encode(_ value: Int32) throws { integer(value) }
  mutating func encode(_ value: Int64) throws { integer(value) }
  mutating func encode(_ value: UInt) throws { integer(value) }
  mutating func encode(_ value: UInt8) throws { integer(value) }
  mutating func encode(_ value: UInt16) throws { integer(value) }
  mutating func encode(_ value: UInt32) throws { integer(value) }
  mutating func encode(_ value: UInt64) throws { integer(value) }

  private mutating func integer(_ value: some FixedWidthInteger) {
    sink.writer.integer(value)
    count += 1
  }
}
