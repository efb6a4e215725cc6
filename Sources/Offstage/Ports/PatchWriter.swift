package import OffstageJSON

/// Writes the operations of one frame's patch (RFC 6902: add, remove, replace and move), one after
/// the other, straight into the line that goes out.
package struct PatchWriter: ~Copyable {
  package var writer: JSONWriter
  /// How many operations it has written.
  package private(set) var count = 0

  /// Takes over a writer until `giveBack`.
  package init(taking writer: inout JSONWriter) {
    self.writer = JSONWriter()
    swap(&self.writer, &writer)
  }

  package consuming func giveBack(to writer: inout JSONWriter) { swap(&self.writer, &writer) }

  /// - Parameter path: a JSON Pointer, as the bytes between the quotes of a JSON string.
  package mutating func replace(at path: [UInt8], _ value: (inout JSONWriter) -> Void)
  {
    begin("{\"op\":\"replace\",\"path\":\"", path)
    finish(value)
  }

  package mutating func add(at path: [UInt8], _ value: (inout JSONWriter) -> Void) {
    begin("{\"op\":\"add\",\"path\":\"", path)
    finish(value)
  }

  package mutating func remove(at path: [UInt8]) {
    begin("{\"op\":\"remove\",\"path\":\"", path)
    writer.fragment("\"}")
  }

  package mutating func move(from: [UInt8], to path: [UInt8]) {
    begin("{\"op\":\"move\",\"from\":\"", from)
    writer.fragment("\",\"path\":\"")
    writer.fragment(path[...])
    writer.fragment("\"}")
  }

  /// The shortest way from one value to another: a scalar is replaced, inside of a structure only
  /// what differs.
  package mutating func change<Value: Encodable>(
    at path: PatchPath, from old: Value, to new: Value
  ) {
    let start = writer.bytes.count
    count += 1
    path.replacement.withUnsafeBytes { writer.raw($0) }
    let value = writer.bytes.count
    writer.value(new)
    let first = writer.bytes[value]
    writer.fragment("}")
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return }
    writer.bytes.truncate(to: start)
    count -= 1
    change(at: path.bytes, from: JSON(encoding: old), to: JSON(encoding: new))
  }

  /// The shortest way from one tree to another.
  package mutating func change(at path: [UInt8], from old: JSON, to new: JSON) {
    guard let pointer = try? JSONPointer(parsing: String(decoding: path, as: UTF8.self)) else {
      return
    }
    for operation in JSONPatch.make(from: old, to: new, at: pointer) {
      count += 1
      writer.json(operation.json)
    }
  }

  /// Writes what `one` does or what `other` does, whichever takes fewer bytes.
  package mutating func shorter(
    _ one: (inout PatchWriter) -> Void, _ other: (inout PatchWriter) -> Void
  ) {
    let start = writer.bytes.count
    let startCount = count
    one(&self)
    let oneCount = count
    let oneBytes = Array(writer.bytes)[start...]
    writer.bytes.truncate(to: start)
    count = startCount
    other(&self)
    guard oneBytes.count <= writer.bytes.count - start else { return }
    writer.bytes.truncate(to: start)
    writer.fragment(oneBytes)
    count = oneCount
  }

  private mutating func begin(_ head: StaticString, _ path: [UInt8]) {
    count += 1
    writer.raw(head)
    writer.fragment(path[...])
  }

  private mutating func finish(_ value: (inout JSONWriter) -> Void) {
    writer.fragment("\",\"value\":")
    value(&writer)
    writer.fragment("}")
  }
}

/// A place in the document that is written to often: the beginning of its operation is ready made.
package struct PatchPath {
  /// A JSON Pointer, as the bytes between the quotes of a JSON string.
  package let bytes: [UInt8]
  /// An operation that replaces the value, up to the value.
  let replacement: [UInt8]

  package init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    replacement =
      Array("{\"op\":\"replace\",\"path\":\"".utf8) + bytes + Array("\",\"value\":".utf8)
  }
}

extension JSONWriter {
  /// Writes a value of a port. What cannot be written, such as an infinity, becomes `null`: an
  /// output never fails.
  package mutating func value<Value: Encodable>(_ value: Value) {
    do { try encode(value) } catch { null() }
  }
}

extension JSON {
  /// What `value` looks like on the wire.
  package init(encoding value: some Encodable) {
    var writer = JSONWriter()
    writer.value(value)
    self = (try? JSONText(Array(writer.bytes)))?.withRoot(\.json) ?? .null
  }
}
