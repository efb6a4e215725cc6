extension JSONWriter {
  /// Writes a value by its `Encodable`, in the order in which it encodes its members.
  ///
  /// An optional member that is nil is written as null.
  /// - Throws: `EncodingError` for a number that is not finite, and whatever the value throws; the
  ///   bytes are then as before.
  package mutating func encode<T: Encodable>(_ value: T) throws {
    if scalar(value) { return }
    let sink = JSONSink(taking: &self)
    defer { sink.giveBack(to: &self) }
    try sink.encode(value, from: sink.mark)
    sink.fill()
  }

  /// Writes a value, or null if it cannot be encoded, which is reported in `failures`: an output never
  /// fails.
  /// - Parameter port: The source of the value, as the start of the message.
  package mutating func value<Value: Encodable>(
    _ value: Value, of port: @autoclosure () -> String
  ) {
    do { try encode(value) } catch {
      null()
      let failure = "\(port()) has a value that cannot be sent; null was sent. \(error.reason)"
      // A value may be written twice, to see which of two ways is shorter.
      if !failures.contains(failure) { failures.append(failure) }
    }
  }

  /// Writes the types of nearly every value, without looking up a conformance.
  /// - Returns: False, having written nothing, for any other type and for an infinity.
  @inline(__always)
  mutating func scalar<T>(_ value: T) -> Bool {
    if T.self == String.self {
      string(same(value, as: String.self))
    } else if T.self == String?.self {
      if let value = same(value, as: String?.self) { string(value) } else { null() }
    } else if T.self == Bool.self {
      bool(same(value, as: Bool.self))
    } else if T.self == Int.self {
      int(same(value, as: Int.self))
    } else if T.self == Double.self, same(value, as: Double.self).isFinite {
      double(same(value, as: Double.self))
    } else {
      return false
    }
    return true
  }
}

/// Returns a value as the type that it is known to have.
///
/// A cast would unwrap optionals, and in unspecialized code is a call into the runtime, which costs
/// 1.5 % of a request.
@inline(__always)
func same<T, U>(_ value: T, as type: U.Type) -> U {
  assert(T.self == U.self)
  return unsafeBitCast(value, to: U.self)
}

extension JSON {
  /// The value as it is written, or null if it cannot be encoded.
  package init(encoding value: some Encodable) {
    var writer = JSONWriter()
    do { try writer.encode(value) } catch { writer.null() }
    self.init(encoded: Array(writer.bytes))
  }

  /// The tree of what a writer has written, however deep: a limit is for what others send.
  package init(encoded bytes: [UInt8]) {
    do { self = try JSONText(bytes, depth: .max).withRoot(\.json) } catch {
      fatalError("invalid JSON was written: \(error) in \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

extension Error {
  fileprivate var reason: String {
    guard case EncodingError.invalidValue(_, let context)? = self as? EncodingError else {
      return "\(self)"
    }
    let place = JSONPointer(context.codingPath).description
    return context.debugDescription + (place.isEmpty ? "" : " It stands at \(place).")
  }
}

/// The output of one encoding, shared by all of its containers.
///
/// Values go straight to the bytes, since an inner value's `encode(to:)` returns before the outer one
/// continues. Only nested containers and super encoders, which may be kept and used later, write to a
/// sink of their own that is spliced in at the end.
final class JSONSink {
  enum Shape { case nothing, value, array, object }

  // Every piece of output goes through it; checking its exclusivity costs 3.5 % of a list's edits.
  @exclusivity(unchecked) var writer = JSONWriter()
  /// The kind of container that the current value has opened.
  var shape = Shape.nothing
  var path: [any CodingKey] = []
  /// The places, in order, of a `null` that stands for the output of another sink.
  private var holes: [(offset: Int, sink: JSONSink)] = []

  /// Takes over a writer until `giveBack`.
  init(taking writer: inout JSONWriter) { swap(&self.writer, &writer) }

  private init(path: [any CodingKey]) { self.path = path }

  func giveBack(to writer: inout JSONWriter) { swap(&self.writer, &writer) }

  /// Writes the next value.
  func encode<T: Encodable>(_ value: T) throws {
    if let writable = T.self as? any JSONWritable.Type {
      try write(value, as: writable)
    } else {
      try encodeWithEncoder(value)
    }
  }

  /// Writes the next value, or returns to an earlier state if it throws: its container may continue.
  /// - Parameter key: The step from the container to the value; nil for the same place.
  func encode<T: Encodable>(_ value: T, at key: (any CodingKey)? = nil, from start: Mark) throws {
    do {
      if let key { path.append(key) }
      try encode(value)
      if key != nil { path.removeLast() }
    } catch {
      writer.bytes.truncate(to: start.bytes)
      path.removeLast(path.count - start.path)
      shape = start.shape
      while let last = holes.last, last.offset >= start.bytes { holes.removeLast() }
      throw error
    }
  }

  /// Writes an array, looking up once how its elements are written.
  func encode<Element: Encodable>(_ elements: [Element]) throws {
    let writable = Element.self as? any JSONWritable.Type
    writer.beginArray()
    for position in elements.indices {
      path.append(JSONKey.position(position))
      if let writable {
        try write(elements[position], as: writable)
      } else {
        try encodeWithEncoder(elements[position])
      }
      path.removeLast()
    }
    writer.endArray()
  }

  /// Opens the container that the current value is. A class and its superclass may share one.
  func begin(_ shape: Shape, of type: Any.Type?) {
    if self.shape == shape { return }
    guard self.shape == .nothing else { stop(type, "encodes itself as two kinds of JSON") }
    self.shape = shape
    if shape == .object { writer.beginObject() } else { writer.beginArray() }
  }

  /// Stops the program because of a mistake in the `encode(to:)` of a type.
  func stop(_ type: Any.Type?, _ mistake: StaticString) -> Never {
    let value = type.map { "\($0)" } ?? "a value"
    let place = path.isEmpty ? "" : " at \(JSONPointer(path))"
    fatalError("\(value)\(place) \(mistake)")
  }

  /// Returns a separate sink for the next value.
  func hole(at key: some CodingKey, in path: [any CodingKey]) -> JSONSink {
    let sink = JSONSink(path: path + [key])
    writer.null()
    holes.append((writer.bytes.count - 4, sink))
    return sink
  }

  /// Splices in the output of the other sinks.
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

  /// Ends the current value. One that has written nothing is an empty object.
  func close() {
    switch shape {
    case .nothing:
      writer.beginObject()
      writer.endObject()
    case .value: break
    case .array: writer.endArray()
    case .object: writer.endObject()
    }
  }

  func encodeWithEncoder<T: Encodable>(_ value: T) throws {
    if let known = FoundationType(T.self) { return try known.write(value, to: self) }
    let outer = shape
    shape = .nothing
    try value.encode(to: JSONValueEncoder(sink: self, type: T.self))
    close()
    shape = outer
  }

  private func write<T, Writable: JSONWritable>(_ value: T, as type: Writable.Type) throws {
    try same(value, as: type).write(to: self)
  }
}

extension JSONSink {
  struct Mark {
    let bytes: Int
    let path: Int
    let shape: Shape
  }

  var mark: Mark { Mark(bytes: writer.bytes.count, path: path.count, shape: shape) }

  func check(_ value: some BinaryFloatingPoint) throws {
    guard !value.isFinite else { return }
    throw EncodingError.invalidValue(
      value, .init(codingPath: path, debugDescription: "\(value) is not a JSON number."))
  }
}
