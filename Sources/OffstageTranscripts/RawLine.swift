import OffstageJSON

/// The bytes of a `>! ` line, written in ASCII with the escapes of C.
///
/// `\n \r \t \\ \" \'`, `\xHH`, `\ooo`, and `\u{…}` for a character's UTF-8. An LF is appended, because
/// the core reads lines. A final `\c` leaves it out, to send part of a line.
enum RawLine {
  /// Returns the bytes that the text of a `>! ` line sends to the core.
  static func message(_ text: String) throws(TranscriptError.Problem) -> [UInt8] {
    guard let open = withoutOpenMark(text) else { return try bytes(of: text) + [newline] }
    return try bytes(of: open)
  }

  /// Returns the text of a `>! ` line that sends these bytes, in pieces that must not be broken.
  static func escapes(ofMessage message: [UInt8]) -> [String] {
    // Spell out an empty line, because editors strip the trailing space of a bare mark.
    let isPlain = message.last == newline && message.count > 1
    return isPlain ? escapes(of: message.dropLast()) : escapes(of: message) + ["\\c"]
  }

  static func bytes(of text: String) throws(TranscriptError.Problem) -> [UInt8] {
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        bytes += try takeEscape(&rest)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns a piece of text for every byte: printable ASCII as it is, everything else escaped.
  static func escapes(of bytes: some Sequence<UInt8>) -> [String] {
    bytes.map { byte in
      switch byte {
      case newline: "\\n"
      case UInt8(ascii: "\r"): "\\r"
      case UInt8(ascii: "\t"): "\\t"
      case UInt8(ascii: "\\"): "\\\\"
      case 0x20...0x7E: String(Unicode.Scalar(byte))
      default: "\\x" + byte.hexadecimal(uppercase: true)
      }
    }
  }
}

private let newline = UInt8(ascii: "\n")

/// Returns the text before a final `\c`; nil if there is none or its backslash is escaped.
private func withoutOpenMark(_ text: String) -> String? {
  guard text.utf8.suffix(2).elementsEqual("\\c".utf8) else { return nil }
  let open = text.dropLast(2)
  let backslashes = open.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
  return backslashes.isMultiple(of: 2) ? String(open) : nil
}

/// Consumes the escape after a backslash.
private func takeEscape(
  _ rest: inout ArraySlice<UInt8>
) throws(TranscriptError.Problem) -> [UInt8] {
  let start = rest
  func fail(_ length: Int) -> TranscriptError.Problem {
    badEscape(String(decoding: start.prefix(length), as: UTF8.self))
  }
  guard let kind = rest.popFirst() else { throw fail(0) }
  switch kind {
  case UInt8(ascii: "n"): return [newline]
  case UInt8(ascii: "r"): return [UInt8(ascii: "\r")]
  case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
  case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [kind]
  case UInt8(ascii: "x"):
    guard rest.count >= 2, let byte = number(rest.prefix(2), radix: 16, as: UInt8.self) else {
      throw fail(3)
    }
    rest.removeFirst(2)
    return [byte]
  case UInt8(ascii: "0")...UInt8(ascii: "7"):
    let digits = start.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    guard let byte = number(digits, radix: 8, as: UInt8.self) else { throw fail(3) }
    rest = start.dropFirst(digits.count)
    return [byte]
  case UInt8(ascii: "u"):
    guard rest.first == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")),
      let code = number(rest[rest.startIndex..<end].dropFirst(), radix: 16, as: UInt32.self),
      let scalar = Unicode.Scalar(code)
    else { throw fail(10) }
    rest = rest[(end + 1)...]
    return Array(String(scalar).utf8)
  default:
    // Quote the whole character, not just its first byte.
    throw badEscape(String(String(decoding: start, as: UTF8.self).prefix(1)))
  }
}

private func badEscape(_ text: String) -> TranscriptError.Problem {
  TranscriptError.Problem(
    #"unknown escape '\\#(text)'; use \n \r \t \\ \" \' \xHH \ooo \u{…} or a final \c"#)
}

/// Parses digits only; the integer initializers also accept a sign.
private func number<Number: FixedWidthInteger>(
  _ digits: ArraySlice<UInt8>, radix: Int, as type: Number.Type
) -> Number? {
  guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else {
    return nil
  }
  return Number(String(decoding: digits, as: UTF8.self), radix: radix)
}
