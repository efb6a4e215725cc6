import OffstageJSON

/// Breaks long lines. Joined, the pieces are byte for byte the compact JSON text.
///
/// A line that fits stays whole. A longer one is broken before every operation of a patch, and,
/// where a line is full, between the outer members or those of `params`, `result`, or `error`.
/// Parts that are still too long are broken inside. Strings are never broken.
enum LineLayout {
  /// The width of a line in columns, if it can be broken.
  static let width = 100
  /// The start of every line but the first.
  static let continuation = "  "

  /// Returns the lines that expect a value, without LFs: a marked line and its continuations.
  static func lines(of value: JSON) -> [String] {
    let whole = "< " + value.description
    if columns(whole) <= width { return [whole] }
    return fill(pieces(of: value), mark: "< ")
  }

  static func fill(_ pieces: [Piece], mark: String) -> [String] {
    var lines: [String] = []
    var line = mark
    var used = columns(mark)
    for (index, piece) in pieces.enumerated() {
      let needed = columns(piece.text)
      if index > 0, piece.startsLine || used + needed > width {
        lines.append(line)
        line = continuation
        used = columns(continuation)
      }
      line += piece.text
      used += needed
    }
    return lines + [line]
  }

  /// Text that must stay on one line.
  struct Piece {
    var text: String
    var startsLine = false
  }

  /// Breaks a value into pieces if the whole line does not fit. The brackets stay with the first
  /// and last children, and each comma with the child before it.
  private static func pieces(
    of value: JSON, prefix: String = "", suffix: String = "", depth: Int = 0,
    isPatch: Bool = false, startsLine: Bool = false
  ) -> [Piece] {
    let whole = Piece(text: prefix + value.description + suffix, startsLine: startsLine)
    let (open, close, children): (String, String, [JSONObject.Member])
    switch value {
    case .null, .bool, .number, .string: return [whole]
    case .array(let elements): (open, close, children) = ("[", "]", elements.map { ("", $0) })
    case .object(let object): (open, close, children) = ("{", "}", object.members)
    }
    let fits = columns(continuation + whole.text) <= width
    if children.isEmpty || fits && depth >= 2 && !isPatch { return [whole] }
    return children.enumerated().flatMap { index, child in
      let name = open == "{" ? JSON.string(child.key).description + ":" : ""
      return pieces(
        of: child.value, prefix: (index == 0 ? prefix + open : "") + name,
        suffix: index == children.count - 1 ? close + suffix : ",", depth: depth + 1,
        isPatch: depth == 1 && child.key == "patch",
        startsLine: index == 0 && startsLine || isPatch && open == "[")
    }
  }

  /// Counts scalars, since their width in a terminal is unknown.
  private static func columns(_ text: String) -> Int {
    text.unicodeScalars.count
  }
}
