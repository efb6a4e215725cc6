extension JSONWriter {
  /// Encodes a value. Members keep the order in which it encodes them; a member that is nil is
  /// written as null.
  /// - Throws: `EncodingError` for a number that is not finite, and any error that the value
  ///   throws. The bytes are then unchanged.
  package mutating func encode<T: Encodable>(_ value: T) throws {
    if scalar(value) { return }
    let sink = JSONSink()
    sink.exchange(with: &self)
    defer { sink.exchange(with: &self) }
    try sink.encode(value, from: sink.mark)
    sink.fill()
  }

  /// Writes a value. An output must not fail: if the value cannot be encoded, writes null and adds
  /// a message to `failures`.
  /// - Parameter port: The source of the value, for the start of the message.
  // SE-0460, which Swift 6.2 does not support.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
  #endif
  package mutating func value<Value: Encodable>(
    _ value: Value, of port: @autoclosure () -> String
  ) {
    do { try encode(value) } catch { replace(port(), error) }
  }

  /// Writes the values that `visit` passes on as an array, each as `value(_:of:)` does.
  package mutating func array<Element: Encodable>(
    of port: String, visit: ((Element) -> Void) -> Void
  ) {
    beginArray()
    let write = Self.writer(of: Element.self, of: port)
    visit { write($0, &self) }
    endArray()
  }

  /// Looks up once how values of a type are written.
  package static func writer<Value: Encodable>(
    of type: Value.Type, of port: String
  ) -> (Value, inout JSONWriter) -> Void {
    let sink = JSONSink()
    let encode = sink.encoder(of: type)
    return { value, writer in
      sink.exchange(with: &writer)
      defer { sink.exchange(with: &writer) }
      let start = sink.mark
      do { try encode(value) } catch {
        sink.restore(start)
        sink.writer.replace(port, error)
      }
      sink.fill()
    }
  }

  fileprivate mutating func replace(_ port: String, _ error: any Error) {
    null()
    let failure = "\(port) has a value that cannot be sent; null was sent. \(error.reason)"
    // A value may be written twice, to find the shorter of two patches.
    if !failures.contains(failure) { failures.append(failure) }
  }

  /// Writes a value of the most common types without looking up a conformance.
  /// - Returns: False, having written nothing, for any other type or a number that is not finite.
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
/// A cast would unwrap optionals and, in unspecialized code, call into the runtime, which costs
/// 1.5% of a request.
@inline(__always)
func same<T, U>(_ value: T, as type: U.Type) -> U {
  assert(T.self == U.self)
  return unsafeBitCast(value, to: U.self)
}

extension JSON {
  /// A value that cannot be encoded is null.
  package init(encoding value: some Encodable) {
    var writer = JSONWriter()
    do { try writer.encode(value) } catch { writer.null() }
    self.init(encoded: Array(writer.bytes))
  }

  /// The value as it is written.
  package var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.json(self)
    return Array(writer.bytes)
  }

  /// Parses what a writer has written.
  package init(encoded bytes: [UInt8]) { self = JSONText(written: bytes).withRoot(\.json) }
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
/// Values go straight to the bytes, because an inner value's `encode(to:)` returns before the outer
/// one continues. Only nested containers and super encoders, which may be used later, write to
/// their own sinks, which are spliced in at the end.
final class JSONSink {
  enum Shape { case nothing, value, array, object }

  // All output goes through the writer; checking its exclusivity costs 3.5% of a list's edits.
  @exclusivity(unchecked) var writer = JSONWriter()
  /// The kind of container that the current value has opened.
  var shape = Shape.nothing
  var path: [any CodingKey] = []
  /// The places, in order, of each `null` that stands in for the output of another sink.
  private var holes: [(offset: Int, sink: JSONSink)] = []

  init(path: [any CodingKey] = []) { self.path = path }

  func exchange(with writer: inout JSONWriter) { swap(&self.writer, &writer) }

  func encode<T: Encodable>(_ value: T) throws {
    if let writable = T.self as? any JSONWritable.Type {
      try write(value, as: writable)
    } else {
      try encodeWithEncoder(value)
    }
  }

  /// Writes the next value. If it throws, restores an earlier state, because the container may go
  /// on.
  /// - Parameter key: The step from the container to the value; nil for the same place.
  func encode<T: Encodable>(_ value: T, at key: (any CodingKey)? = nil, from start: Mark) throws {
    do {
      if let key { path.append(key) }
      try encode(value)
      if key != nil { path.removeLast() }
    } catch {
      restore(start)
      throw error
    }
  }

  func restore(_ mark: Mark) {
    writer.bytes.truncate(to: mark.bytes)
    path.removeLast(path.count - mark.path)
    shape = mark.shape
    while let last = holes.last, last.offset >= mark.bytes { holes.removeLast() }
  }

  /// Writes an array, looking up once how its elements are written.
  func encode<Element: Encodable>(_ elements: [Element]) throws {
    let encode = encoder(of: Element.self)
    writer.beginArray()
    for position in elements.indices {
      path.append(JSONKey.position(position))
      try encode(elements[position])
      path.removeLast()
    }
    writer.endArray()
  }

  /// Looks up how values of a type are written.
  func encoder<T: Encodable>(of type: T.Type) -> (T) throws -> Void {
    if let writable = type as? any JSONWritable.Type { return { try self.write($0, as: writable) } }
    if let known = FoundationType(type) { return { try known.write($0, to: self) } }
    return { try self.encodeMembers(of: $0) }
  }

  /// A class and its superclass may share a container.
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

  /// Ends the current value. A value that wrote nothing becomes an empty object.
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
    try encodeMembers(of: value)
  }

  private func encodeMembers<T: Encodable>(of value: T) throws {
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
