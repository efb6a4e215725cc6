extension JSONWriter {
  /// Writes the comma that is due and a string: UTF-8 between quotes, with escapes for what
  /// RFC 8259, section 7, demands and for the separators that some readers take for a line's end.
  @inline(__always)
  mutating func appendString(_ source: UnsafeRawBufferPointer, isKey: Bool) {
    let comma = needsComma
    if appendShort(source, comma: comma, isKey: isKey) { return }
    if comma { bytes.append(UInt8(ascii: ",")) }
    appendAny(source)
    if isKey { bytes.append(UInt8(ascii: ":")) }
  }

  /// Writes a string of few characters and no escapes, as names and most values are, in one piece.
  /// - Returns: false, and nothing is written, if it is not of that sort.
  @inline(__always)
  private mutating func appendShort(
    _ source: UnsafeRawBufferPointer, comma: Bool, isKey: Bool
  ) -> Bool {
    let count = source.count
    guard count <= 56 else { return false }
    let before = bytes.count
    bytes.append(upTo: 64) { piece in
      piece[0] = UInt8(ascii: ",")
      let start = piece + (comma ? 1 : 0)
      start[0] = UInt8(ascii: "\"")
      let content = UnsafeMutableRawPointer(start + 1)
      var index = 0
      while index &+ 8 <= count {
        let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if UInt64(littleEndian: word).escapableBytes != 0 { return 0 }
        content.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
        index &+= 8
      }
      while index < count {
        let byte = source[index]
        if byte.isEscapable { return 0 }
        content.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        index &+= 1
      }
      start[count &+ 1] = UInt8(ascii: "\"")
      start[count &+ 2] = UInt8(ascii: ":")
      return count &+ (comma ? 1 : 0) &+ (isKey ? 3 : 2)
    }
    return bytes.count > before
  }

  /// Writes any string: runs that stand for themselves, and escapes between them.
  private mutating func appendAny(_ source: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var run = 0
    var index = 0
    while true {
      index = source.endOfPlainRun(from: index)
      guard index < source.count else { break }
      let byte = source[index]
      let separator = JSONSeparator(source, at: index)
      if byte >= 0x80, separator == nil {
        index &+= 1
        continue
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run..<index]))
      if let separator {
        append(separator.escape)
      } else {
        appendEscape(of: byte)
      }
      index &+= separator?.length ?? 1
      run = index
    }
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run...]))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0a: append("\\n")
    case 0x0c: append("\\f")
    case 0x0d: append("\\r")
    default:
      append(byte < 0x10 ? "\\u000" : "\\u001")
      let digit = byte & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
