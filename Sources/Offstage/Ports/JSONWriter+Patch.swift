package import OffstageJSON

/// The operations of one frame's patch (RFC 6902: add, remove, replace and move), written one after
/// the other straight into the line that goes out.
extension JSONWriter {
  /// - Parameter path: a JSON Pointer, as the bytes between the quotes of a JSON string.
  package mutating func replace(at path: [UInt8], _ value: (inout JSONWriter) -> Void) {
    begin("{\"op\":\"replace\",\"path\":\"", path)
    finish(value)
  }

  package mutating func add(at path: [UInt8], _ value: (inout JSONWriter) -> Void) {
    begin("{\"op\":\"add\",\"path\":\"", path)
    finish(value)
  }

  package mutating func remove(at path: [UInt8]) {
    begin("{\"op\":\"remove\",\"path\":\"", path)
    fragment("\"}")
  }

  package mutating func move(from: [UInt8], to path: [UInt8]) {
    begin("{\"op\":\"move\",\"from\":\"", from)
    fragment("\",\"path\":\"")
    fragment(path[...])
    fragment("\"}")
  }

  /// The shortest way from one value to another: a scalar is replaced, inside of a structure only
  /// what differs.
  /// - Parameter port: what the value is of, should it be one that cannot be written.
  package mutating func change<Value: Encodable>(
    at path: PatchPath, from old: Value, to new: Value, of port: @autoclosure () -> String
  ) {
    let start = bytes.count
    path.replacement.withUnsafeBytes { raw($0) }
    let value = bytes.count
    self.value(new, of: port())
    let first = bytes[value]
    fragment("}")
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return }
    bytes.truncate(to: start)
    change(at: path.bytes, from: JSON(encoding: old), to: JSON(encoding: new))
  }

  /// The shortest way from one tree to another.
  package mutating func change(at path: [UInt8], from old: JSON, to new: JSON) {
    guard let pointer = try? JSONPointer(parsing: String(decoding: path, as: UTF8.self)) else {
      return
    }
    for operation in JSONPatch.make(from: old, to: new, at: pointer) {
      json(operation.json)
    }
  }

  /// Writes what `one` does or what `other` does, whichever takes fewer bytes.
  package mutating func shorter(
    _ one: (inout JSONWriter) -> Void, _ other: (inout JSONWriter) -> Void
  ) {
    let start = bytes.count
    one(&self)
    let oneBytes = Array(bytes, from: start)
    bytes.truncate(to: start)
    other(&self)
    guard oneBytes.count <= bytes.count - start else { return }
    bytes.truncate(to: start)
    fragment(oneBytes[...])
  }

  private mutating func begin(_ head: StaticString, _ path: [UInt8]) {
    raw(head)
    fragment(path[...])
  }

  private mutating func finish(_ value: (inout JSONWriter) -> Void) {
    fragment("\",\"value\":")
    value(&self)
    fragment("}")
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

extension JSON {
  /// What `value` looks like on the wire.
  package init(encoding value: some Encodable) {
    var writer = JSONWriter()
    do { try writer.encode(value) } catch { writer.null() }
    self = (try? JSONText(Array(writer.bytes)))?.withRoot(\.json) ?? .null
  }
}
