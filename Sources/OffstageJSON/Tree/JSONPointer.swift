/// A place in a JSON value (RFC 6901), as the names and positions that lead there from the root.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  private let tokens: [String]

  /// Creates a pointer from the path that a decoder or encoder reports.
  package init(_ path: [any CodingKey]) { tokens = path.map(\.stringValue) }

  /// The pointer with `~` and `/` escaped (section 3), such as `/screens/1/a~1b`; "" is the root.
  package var description: String {
    tokens.reduce(into: "") { $0 += "/" + Self.escape($1) }
  }

  package static func escape(_ token: String) -> String {
    var result = ""
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// A step into an object or an array.
package enum JSONKey: CodingKey {
  case name(String)
  case position(Int)

  package init(stringValue: String) { self = .name(stringValue) }

  package init(intValue: Int) { self = .position(intValue) }

  package var stringValue: String {
    switch self {
    case .name(let name): name
    case .position(let position): String(position)
    }
  }

  package var intValue: Int? {
    switch self {
    case .name: nil
    case .position(let position): position
    }
  }
}
