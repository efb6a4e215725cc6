import OffstageJSON

/// What a string in an expected line stands for. Only values are placeholders, never member names.
enum PatternString: Equatable {
  /// `"$_"`: any value, each time another.
  case anything
  /// `"$name"`: any value where it is first seen, and the same one from then on.
  case named(String)
  /// Itself; `"$$5"` stands for `"$5"`.
  case text(String)

  /// Nil for a string that begins like a placeholder and is none, such as `"$5"`.
  init?(_ string: String) {
    guard string.utf8.first == UInt8(ascii: "$") else {
      self = .text(string)
      return
    }
    let name = string.utf8.dropFirst()
    if name.first == UInt8(ascii: "$") {
      self = .text(String(Substring(name)))
    } else if name.elementsEqual("_".utf8) {
      self = .anything
    } else if let first = name.first, !isDigit(first), name.allSatisfy(isNameByte) {
      self = .named(String(Substring(name)))
    } else {
      return nil
    }
  }

  /// Makes sure that every string of a pattern is a placeholder or a text.
  static func check(_ pattern: JSON) throws(TranscriptError.Problem) {
    switch pattern {
    case .null, .bool, .number: return
    case .string(let string):
      if PatternString(string) == nil { throw .badPlaceholder(string) }
    case .array(let elements):
      for element in elements { try check(element) }
    case .object(let members):
      for (_, value) in members.members { try check(value) }
    }
  }

  /// The pattern that only this value matches.
  static func escaping(_ value: JSON) -> JSON {
    switch value {
    case .null, .bool, .number: return value
    case .string(let string):
      return string.utf8.first == UInt8(ascii: "$") ? .string("$" + string) : value
    case .array(let elements):
      return .array(elements.map(escaping))
    case .object(let members):
      return .object(JSONObject(members.members.map { ($0.key, escaping($0.value)) }))
    }
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "_"):
    true
  default: isDigit(byte)
  }
}
