/// Writes compact JSON in UTF-8, free of anything that could break a line.
///
/// Commas are inserted automatically. The last byte tells whether one is due, so a writer has no
/// other state, and bytes appended from outside, such as the line feed between two texts, do no
/// harm. The caller alternates names and values in an object.
package struct JSONWriter: ~Copyable {
  package var bytes = ByteBuffer()

  /// Messages about values that could not be encoded and were written as null.
  package var failures: [String] = []

  /// True if the reader of a patch knows the operation `append`.
  package var appends = false

  package init() {}

  /// Appends a line feed.
  package mutating func endLine() { bytes.append(0x0A) }

  package mutating func null() {
    comma()
    append("null")
  }

  package mutating func bool(_ value: Bool) {
    comma()
    append(value ? "true" : "false")
  }

  package mutating func string(_ value: String) {
    value.withBytes { appendString($0, isKey: false) }
  }

  package mutating func beginObject() {
    comma()
    bytes.append(UInt8(ascii: "{"))
  }

  /// Writes a member's name.
  // Disfavored because a literal would otherwise be a String, which slows all writing by a tenth.
  @_disfavoredOverload
  package mutating func key(_ name: String) {
    name.withBytes { appendString($0, isKey: true) }
  }

  package mutating func key(_ name: StaticString) {
    appendString(UnsafeRawBufferPointer(name), isKey: true)
  }

  package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

  package mutating func beginArray() {
    comma()
    bytes.append(UInt8(ascii: "["))
  }

  package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

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

  /// Writes a comma if one is due before a value or a name.
  @inline(__always)
  mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// True if something comes before in the same container.
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

// Text that is already JSON. `raw` writes one whole value without line feeds; `fragment` appends
// part of a value, without commas.
extension JSONWriter {
  package mutating func raw(_ value: UnsafeRawBufferPointer) {
    comma()
    bytes.append(contentsOf: value)
  }

  package mutating func raw(_ value: [UInt8]) { value.withUnsafeBytes { raw($0) } }

  package mutating func raw(_ value: StaticString) { raw(UnsafeRawBufferPointer(value)) }

  @_disfavoredOverload
  package mutating func raw(_ value: String) { value.withBytes { raw($0) } }

  package mutating func fragment(_ part: StaticString) { append(part) }

  @_disfavoredOverload
  package mutating func fragment(_ part: String) {
    part.withBytes { bytes.append(contentsOf: $0) }
  }

  package mutating func fragment(_ part: ArraySlice<UInt8>) {
    part.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Writes a parsed value byte for byte, so that an id comes back as it was sent.
  ///
  /// Only what could break a line is changed: line feeds and carriage returns between tokens are
  /// left out, and U+2028, U+2029 and U+0085, which can only occur inside strings, are escaped.
  package mutating func view(_ value: JSONView) {
    comma()
    value.withBytes { source in
      var run = 0
      var index = 0
      while index < source.count {
        let byte = source[index]
        if byte == 0x0a || byte == 0x0d {
          bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run..<index]))
          run = index + 1
        } else if let separator = lineSeparator(source, at: index) {
          bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run..<index]))
          append(separator.escape)
          index += separator.length - 1
          run = index + 1
        }
        index += 1
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run...]))
    }
  }
}
