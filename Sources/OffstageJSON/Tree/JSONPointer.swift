/// A place in a JSON value (RFC 6901): the names and positions that lead there from the root.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The steps, without their escapes; none is the root.
  package private(set) var tokens: [String]

  /// The whole value.
  package static let root = JSONPointer([])

  /// Takes the steps as they are, without escapes.
  package init(_ tokens: [String]) { self.tokens = tokens }

  /// Reads the string form, such as `/screens/1/output` or `/a~1b`.
  /// - Throws: `JSONError` where it does not begin with a slash or a `~` has neither 0 nor 1 after it.
  package init(parsing pointer: String) throws(JSONError) {
    let bytes = Array(pointer.utf8)
    if let first = bytes.first, first != UInt8(ascii: "/") {
      throw JSONError(offset: 0, expected: "'/'", found: JSONError.name(of: first))
    }
    var token: [UInt8] = []
    tokens = []
    var index = 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/"):
        tokens.append(String(decoding: token, as: UTF8.self))
        token = []
      case UInt8(ascii: "~"):
        index += 1
        let next = index < bytes.count ? bytes[index] : 0
        guard next == UInt8(ascii: "0") || next == UInt8(ascii: "1") else {
          let found = index < bytes.count ? JSONError.name(of: next) : "the end of the pointer"
          throw JSONError(offset: index, expected: "'0' or '1' after '~'", found: found)
        }
        token.append(next == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
      case let byte:
        token.append(byte)
      }
      index += 1
    }
    if !bytes.isEmpty { tokens.append(String(decoding: token, as: UTF8.self)) }
  }

  /// The string form, with `~` and `/` in names escaped (section 3).
  package var description: String {
    var result = ""
    for token in tokens {
      result += "/"
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": result += "~0"
        case "/": result += "~1"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Goes one step further, into an object.
  package mutating func append(_ name: String) { tokens.append(name) }

  /// Goes one step further, into an array.
  package mutating func append(_ position: Int) { tokens.append(String(position)) }

  /// The place one step further, in an object.
  package func appending(_ name: String) -> JSONPointer { JSONPointer(tokens + [name]) }

  /// The place one step further, in an array.
  package func appending(_ position: Int) -> JSONPointer { appending(String(position)) }

  /// Byte for byte, as names are in objects.
  package static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.map(JSONName.init) == right.tokens.map(JSONName.init)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(tokens.map(JSONName.init)) }
}

extension JSONPointer {
  /// The value at this place, or nil where there is none (section 4).
  package func resolve(in root: JSON) -> JSON? {
    var value = root
    for token in tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let position = Self.position(token), position < elements.count else { return nil }
        value = elements[position]
      case .null, .bool, .number, .string:
        return nil
      }
    }
    return value
  }

  /// A position in an array: digits without a leading zero (section 4).
  static func position(_ token: String) -> Int? {
    let digits = token.utf8
    guard digits.allSatisfy(\.isDigit), digits.first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    return Int(token)
  }
}
