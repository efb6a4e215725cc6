/// A text that is no JSON: the first byte that cannot be right, and what could have stood there.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted in bytes from the beginning of the text.
  package let offset: Int
  /// Such as `a value`, `',' or '}'`.
  package let expected: String
  /// Such as `']'`, `byte 0xff`, `the end of the text`.
  package let found: String

  /// States an error at a byte.
  package init(offset: Int, expected: String, found: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
  }

  /// For people: "expected a value at byte 3, found ']'".
  package var description: String { "expected \(expected) at byte \(offset), found \(found)" }
}

extension JSONError {
  /// Names a byte so that a person can look for it.
  static func name(of byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7e: "'\(Character(Unicode.Scalar(byte)))'"
    case 0x20: "a space"
    default: "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
    }
  }
}
