/// Appends JSON to bytes that it owns: compact, in UTF-8, and safe inside one line of output.
///
/// Commas need no thought. Whether one is due is told by the last byte, so that a writer has no
/// other state, and bytes appended past it, such as the line feed between two texts, are no trouble.
/// That names and values alternate in an object is left to the caller.
package struct JSONWriter: ~Copyable {
  /// What was written so far; may be added to, as with a line feed between two texts.
  package var bytes = ByteBuffer()

  /// What could not be written and stands there as null, in words, for whoever sends the text to
  /// tell of.
  package var failures: [String] = []

  /// A writer that has written nothing.
  package init() {}

  /// Writes null.
  package mutating func null() {
    comma()
    append("null")
  }

  /// Writes a truth value.
  package mutating func bool(_ value: Bool) {
    comma()
    append(value ? "true" : "false")
  }

  /// Writes a string, with the escapes that it needs.
  package mutating func string(_ value: String) {
    value.withBytes { appendString($0, isKey: false) }
  }

  /// Opens an object, whose names and values follow in turns.
  package mutating func beginObject() {
    comma()
    bytes.append(UInt8(ascii: "{"))
  }

  /// Writes a member's name.
  // A literal would be a string by default, and slower by a tenth of all writing.
  @_disfavoredOverload
  package mutating func key(_ name: String) {
    name.withBytes { appendString($0, isKey: true) }
  }

  /// Writes a member's name without a string being made.
  package mutating func key(_ name: StaticString) {
    appendString(UnsafeRawBufferPointer(name), isKey: true)
  }

  /// Closes the object that was opened last.
  package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

  /// Opens an array, whose elements follow.
  package mutating func beginArray() {
    comma()
    bytes.append(UInt8(ascii: "["))
  }

  /// Closes the array that was opened last.
  package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

  /// Writes a tree.
  package mutating func json(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): raw(value.raw)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { json(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        json(member.value)
      }
      endObject()
    }
  }

  /// Writes the comma that is due before a value or a name.
  @inline(__always)
  mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// Whether something was written before in the same container.
  @inline(__always)
  var needsComma: Bool {
    switch bytes.last {
    case nil, UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","), 0x0a:
      false
    default: true
    }
  }

  @inline(__always)
  mutating func append(_ literal: StaticString) {
    bytes.append(contentsOf: UnsafeRawBufferPointer(literal))
  }
}
