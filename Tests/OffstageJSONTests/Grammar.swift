import Testing

/// Texts for the parser, modelled after the categories of nst/JSONTestSuite: what RFC 8259 allows,
/// what it does not, and what it leaves to us.
enum Grammar {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ text: String) {
      testDescription = name
      bytes = Grammar.bytes(text)
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let offset: Int

    init(_ name: String, _ text: String, at offset: Int) {
      testDescription = name
      bytes = Grammar.bytes(text)
      self.offset = offset
    }
  }

  static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  /// The bytes of a text in which `%` and two hexadecimal digits are a byte that is no character.
  static func bytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        result.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
