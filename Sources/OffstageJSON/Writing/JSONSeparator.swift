/// A character that ends a line for some readers, though not for JSON.
enum JSONSeparator {
  case nextLine, line, paragraph

  /// The separator whose UTF-8 begins at an index of well-formed UTF-8, if one does.
  @inline(__always)
  init?(_ source: UnsafeRawBufferPointer, at index: Int) {
    switch source[index] {
    case 0xc2:
      guard source[index &+ 1] == 0x85 else { return nil }
      self = .nextLine
    case 0xe2:
      guard source[index &+ 1] == 0x80, source[index &+ 2] & 0xfe == 0xa8 else { return nil }
      self = source[index &+ 2] == 0xa8 ? .line : .paragraph
    default: return nil
    }
  }

  /// In bytes of UTF-8.
  var length: Int { self == .nextLine ? 2 : 3 }

  var escape: StaticString {
    switch self {
    case .nextLine: "\\u0085"
    case .line: "\\u2028"
    case .paragraph: "\\u2029"
    }
  }
}
