/// Finds the end of a value in a list, piece by piece, by counting brackets outside of strings.
struct GeoJSONExtent {
  private var depth = 0
  private var string = GeoJSONString()

  /// Goes on to the byte behind the value, or to the end of the piece.
  /// - Returns: where that is, the line feeds on the way, and whether the value is over.
  mutating func advance(
    in piece: UnsafeRawBufferPointer, from start: Int
  ) -> (end: Int, lines: Int, isOver: Bool) {
    var lines = 0
    for next in start..<piece.count {
      let byte = piece[next]
      if byte == UInt8(ascii: "\n") { lines += 1 }
      if string.takes(byte) { continue }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The bracket of the list itself ends what has no brackets of its own, such as `null`.
        if depth == 0 { return (next, lines, true) }
        depth -= 1
        if depth == 0 { return (next + 1, lines, true) }
      case UInt8(ascii: ",") where depth == 0: return (next, lines, true)
      default: break
      }
    }
    return (piece.count, lines, false)
  }
}

/// Knows which bytes belong to a string, where a bracket is none.
struct GeoJSONString {
  private(set) var isOpen = false
  private var isEscaped = false

  /// - Returns: whether the byte is part of a string, its quotation marks included.
  mutating func takes(_ byte: UInt8) -> Bool {
    guard isOpen else {
      isOpen = byte == UInt8(ascii: "\"")
      return isOpen
    }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isOpen = false
    }
    return true
  }
}
