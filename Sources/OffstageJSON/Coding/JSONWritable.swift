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

extension Set: JSONWritable where Element: Encodable {
  /// Sorted, since a set's own order changes from run to run and recordings must not: comparable
  /// elements by value, others by their JSON.
  func write(to sink: JSONSink) throws {
    if let comparable = Element.self as? any Comparable.Type {
      return try sink.encode(sorted(as: comparable))
    }
    try sink.encode(sorted { "\(JSON(encoding: $0))" < "\(JSON(encoding: $1))" })
  }

  private func sorted<Value: Comparable>(as type: Value.Type) -> [Element] {
    sorted { ($0 as! Value) < ($1 as! Value) }
  }
}

extension Dictionary: JSONWritable where Key: Encodable, Value: Encodable {
  /// Sorted by name, since a dictionary's own order changes from run to run and recordings must not.
  func write(to sink: JSONSink) throws {
    guard let name = Self.nameOfKey else { return try sink.encodeByItself(self) }
    sink.writer.beginObject()
    for (key, value) in map({ (name($0.key), $0.value) }).sorted(by: { $0.0 < $1.0 }) {
      sink.writer.key(key)
      try sink.encode(value, at: JSONKey.name(key))
    }
    sink.writer.endObject()
  }

  /// The member of a key; nil for keys that are not like strings.
  private static var nameOfKey: ((Key) -> String)? {
    if Key.self == String.self { return { $0 as! String } }
    if Key.self == Int.self { return { String($0 as! Int) } }
    guard Key.self is any CodingKeyRepresentable.Type else { return nil }
    return { ($0 as! any CodingKeyRepresentable).codingKey.stringValue }
  }
}
