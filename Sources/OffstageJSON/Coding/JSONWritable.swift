/// A type that is written directly, without the machinery of `Encoder`.
protocol JSONWritable {
  func write(to sink: JSONSink) throws
}

extension String: JSONWritable {
  func write(to sink: JSONSink) { sink.writer.string(self) }
}

extension Bool: JSONWritable {
  func write(to sink: JSONSink) { sink.writer.bool(self) }
}

extension Double: JSONWritable {
  func write(to sink: JSONSink) throws {
    try sink.check(self)
    sink.writer.double(self)
  }
}

extension Float: JSONWritable {
  func write(to sink: JSONSink) throws {
    try sink.check(self)
    sink.writer.float(self)
  }
}

extension FixedWidthInteger where Self: JSONWritable {
  func write(to sink: JSONSink) { sink.writer.integer(self) }
}

extension Int: JSONWritable {}
extension Int8: JSONWritable {}
extension Int16: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

extension Optional: JSONWritable where Wrapped: Encodable {
  func write(to sink: JSONSink) throws {
    if let self { try sink.encode(self) } else { sink.writer.null() }
  }
}

extension Array: JSONWritable where Element: Encodable {
  func write(to sink: JSONSink) throws { try sink.encode(self) }
}

extension Dictionary: JSONWritable where Key == String, Value: Encodable {
  /// Sorted by name, since a dictionary's own order changes from run to run and recordings must not.
  func write(to sink: JSONSink) throws {
    sink.writer.beginObject()
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      sink.writer.key(key)
      try sink.encode(value, at: JSONKey.name(key))
    }
    sink.writer.endObject()
  }
}
