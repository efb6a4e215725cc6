extension JSONWriter {
  /// Writes a value that is JSON already. It has to be one whole value and may hold no line feed.
  package mutating func raw(_ value: UnsafeRawBufferPointer) {
    comma()
    bytes.append(contentsOf: value)
  }

  /// Writes a value that is JSON already, as the other `raw` does.
  package mutating func raw(_ value: [UInt8]) { value.withUnsafeBytes { raw($0) } }

  /// Writes a literal that is JSON already: `raw("{}")`.
  package mutating func raw(_ value: StaticString) { raw(UnsafeRawBufferPointer(value)) }

  /// Writes a string that is JSON already.
  @_disfavoredOverload
  package mutating func raw(_ value: String) { value.withBytes { raw($0) } }

  /// Appends part of a value as it is, with no thought for commas.
  package mutating func fragment(_ part: StaticString) { append(part) }

  /// Appends part of a value, as the other `fragment` does.
  @_disfavoredOverload
  package mutating func fragment(_ part: String) {
    part.withBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends part of a value, as the other `fragment` does.
  package mutating func fragment(_ part: ArraySlice<UInt8>) {
    part.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Writes a value of a text byte for byte, so that an id comes back as it was sent.
  ///
  /// Only what could break a line is changed: a line feed or carriage return between two tokens is
  /// left out, and U+2028, U+2029 and U+0085 inside strings, where alone they can be, are escaped.
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
        } else if let separator = JSONSeparator(source, at: index) {
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
