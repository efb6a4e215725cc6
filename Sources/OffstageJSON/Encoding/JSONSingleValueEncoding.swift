/// The value itself.
struct JSONSingleValueEncoding: SingleValueEncodingContainer {
  let sink: JSONSink
  let depth: Int

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  func encodeNil() throws {
    begin()
    sink.writer.null()
  }

  func encode<T: Encodable>(_ value: T) throws {
    let start = sink.mark
    begin()
    do {
      try sink.encode(value)
    } catch {
      sink.rewind(to: start)
      throw error
    }
  }

  func encode(_ value: String) throws {
    begin()
    sink.writer.string(value)
  }

  func encode(_ value: Bool) throws {
    begin()
    sink.writer.bool(value)
  }

  func encode(_ value: Int) throws {
    begin()
    sink.writer.int(value)
  }

  func encode(_ value: Double) throws {
    try sink.check(value)
    begin()
    sink.writer.double(value)
  }

  func encode(_ value: Float) throws {
    try sink.check(value)
    begin()
    sink.writer.float(value)
  }

  func encode(_ value: Int8) throws { integer(value) }
  func encode(_ value: Int16) throws { integer(value) }
  func encode(_ value: Int32) throws { integer(value) }
  func encode(_ value: Int64) throws { integer(value) }
  func encode(_ value: UInt) throws { integer(value) }
  func encode(_ value: UInt8) throws { integer(value) }
  func encode(_ value: UInt16) throws { integer(value) }
  func encode(_ value: UInt32) throws { integer(value) }
  func encode(_ value: UInt64) throws { integer(value) }

  private func integer(_ value: some FixedWidthInteger) {
    begin()
    sink.writer.integer(value)
  }

  private func begin() {
    precondition(sink.shape == .nothing, "A value is encoded twice.")
    sink.shape = .value
  }
}
