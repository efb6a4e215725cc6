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

extension Optional: JSONWritable where Wrapped: Encodable {
  func write(to sink: JSONSink) throws {
    if let self { try sink.encode(self) } else { sink.writer.null() }
  }
}

extension Array: JSONWritable where Element: Encodable {
  func write(to sink: JSONSink) throws { try sink.encode(self) }
}

extension Set: JSONWritable where Element: Encodable {
  /// Sorts the elements, because a set's order changes from run to run and recordings must not:
  /// comparable elements by value, others by their JSON.
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
  /// Sorts by name, because a dictionary's order changes from run to run and recordings must not.
  func write(to sink: JSONSink) throws {
    guard let form = KeyForm(Key.self) else { return try writePairs(to: sink) }
    let members = try map { (name: try form.name(of: $0.key, sink.path), value: $0.value) }
    sink.writer.beginObject()
    for (name, value) in members.sorted(by: { $0.name < $1.name }) {
      sink.writer.key(name)
      try sink.encode(value, at: JSONKey.name(name), from: sink.mark)
    }
    sink.writer.endObject()
  }

  /// Writes keys and values in turn, as the standard library does, but sorted by the JSON of the
  /// keys.
  private func writePairs(to sink: JSONSink) throws {
    let pairs = map { (text: "\(JSON(encoding: $0.key))", pair: $0) }.sorted { $0.text < $1.text }
    sink.writer.beginArray()
    for (index, (_, pair)) in pairs.enumerated() {
      try sink.encode(pair.key, at: JSONKey.position(2 * index), from: sink.mark)
      try sink.encode(pair.value, at: JSONKey.position(2 * index + 1), from: sink.mark)
    }
    sink.writer.endArray()
  }
}
