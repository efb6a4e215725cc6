/// What all containers of one encoding write to.
///
/// Values go straight to the bytes. That works because `encode(to:)` of an inner value is over
/// before the outer one goes on; only nested containers and super encoders, which may be kept and
/// used later, write to a sink of their own that is put in its place at the end.
final class JSONSink {
  enum Shape { case nothing, value, array, object }

  @exclusivity(unchecked) var writer = JSONWriter()
  /// What the value that is being encoded has turned out to be.
  @exclusivity(unchecked) var shape = Shape.nothing
  /// The way to the value that is being encoded.
  @exclusivity(unchecked) var path: [any CodingKey] = []
  /// The places, in order, at which the word `null` stands for what another sink will have written.
  @exclusivity(unchecked) private var holes: [(offset: Int, sink: JSONSink)] = []

  /// Takes over a writer until `giveBack`.
  init(taking writer: inout JSONWriter) { swap(&self.writer, &writer) }

  private init(path: [any CodingKey]) { self.path = path }

  func giveBack(to writer: inout JSONWriter) { swap(&self.writer, &writer) }

  /// Writes the next value.
  func encode<T: Encodable>(_ value: T) throws {
    if let writable = T.self as? any JSONWritable.Type {
      try write(value, as: writable)
    } else {
      try encodeByItself(value)
    }
  }

  /// Writes the next value, which lies one step further on the path.
  func encode<T: Encodable>(_ value: T, at key: some CodingKey) throws {
    path.append(key)
    try encode(value)
    path.removeLast()
  }

  /// Writes an array; how its elements are written is found out once for all of them.
  func encode<Element: Encodable>(_ elements: [Element]) throws {
    let writable = Element.self as? any JSONWritable.Type
    writer.beginArray()
    for position in elements.indices {
      path.append(JSONKey.position(position))
      if let writable {
        try write(elements[position], as: writable)
      } else {
        try encodeByItself(elements[position])
      }
      path.removeLast()
    }
    writer.endArray()
  }

  /// Leaves the next value to a sink of its own.
  func hole(at key: some CodingKey, in path: [any CodingKey]) -> JSONSink {
    let sink = JSONSink(path: path + [key])
    writer.null()
    holes.append((writer.bytes.count - 4, sink))
    return sink
  }

  /// Puts what the other sinks have written in its place.
  func fill() {
    guard !holes.isEmpty else { return }
    let unfilled = Array(writer.bytes)
    writer.bytes.truncate(to: holes[0].offset)
    for (index, hole) in holes.enumerated() {
      hole.sink.close()
      hole.sink.fill()
      writer.fragment(Array(hole.sink.writer.bytes)[...])
      let end = index + 1 < holes.count ? holes[index + 1].offset : unfilled.count
      writer.fragment(unfilled[(hole.offset + 4)..<end])
    }
    holes = []
  }

  /// Ends the value; one that has written nothing is an empty object.
  private func close() {
    switch shape {
    case .nothing:
      writer.beginObject()
      writer.endObject()
    case .value: break
    case .array: writer.endArray()
    case .object: writer.endObject()
    }
  }

  private func encodeByItself(_ value: some Encodable) throws {
    let outer = shape
    shape = .nothing
    try value.encode(to: JSONValueEncoder(sink: self))
    close()
    shape = outer
  }

  private func write<T, Writable: JSONWritable>(_ value: T, as type: Writable.Type) throws {
    try unsafeBitCast(value, to: type).write(to: self)
  }
}

extension JSONSink {
  /// A state to come back to, when a value throws and whoever wrote it goes on.
  struct Mark {
    let bytes: Int
    let path: Int
    let shape: Shape
  }

  var mark: Mark { Mark(bytes: writer.bytes.count, path: path.count, shape: shape) }

  func rewind(to mark: Mark) {
    writer.bytes.truncate(to: mark.bytes)
    path.removeLast(path.count - mark.path)
    shape = mark.shape
    while let last = holes.last, last.offset >= mark.bytes { holes.removeLast() }
  }

  /// JSON has no name for the numbers that are not finite.
  func check(_ value: some BinaryFloatingPoint, at key: (any CodingKey)? = nil) throws {
    guard !value.isFinite else { return }
    throw EncodingError.invalidValue(
      value,
      .init(
        codingPath: path + (key.map { [$0] } ?? []),
        debugDescription: "JSON has no name for the number \(value)."))
  }
}
