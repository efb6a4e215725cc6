import OffstageJSON

/// Breaks long lines. The pieces joined are the compact JSON text again, to the byte.
///
/// A line that fits stays whole. A longer one is broken between the outer members and those of
/// `params`, `result` or `error`, filling each line, and before every operation of a patch. Parts that
/// are still too long are broken inside. Strings are never broken.
enum LineLayout {
  /// The widest that a line gets where it can be broken, in columns.
  static let width = 100
  /// In front of every line but the first.
  static let continuation = "  "

  /// Returns the lines that expect a value, without LFs: the first with the mark, all others
  /// continuing it.
  static func lines(of value: JSON) -> [String] {
    let whole = "< " + value.description
    if columns(whole) <= width { return [whole] }
    return fill(pieces(of: Part(value: value)), mark: "< ")
  }

  /// Fills each line with as many pieces as fit.
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

  /// A value inside the line, with the text that must stay with it.
  private struct Part {
    let value: JSON
    var prefix = ""
    var suffix = ""
    var depth = 0
    var isPatch = false
    var startsLine = false

    /// True if it may be broken even if it fits, because the line as a whole does not fit.
    var isAlwaysBroken: Bool { depth < 2 || isPatch }
  }

  private static func pieces(of part: Part) -> [Piece] {
    let whole = Piece(
      text: part.prefix + part.value.description + part.suffix, startsLine: part.startsLine)
    let fits = columns(continuation + whole.text) <= width
    if fits && !part.isAlwaysBroken { return [whole] }
    let children: [Part]
    switch part.value {
    case .null, .bool, .number, .string:
      return [whole]
    case .array(let elements):
      let depth = part.depth + 1
      children = elements.map { Part(value: $0, depth: depth, startsLine: part.isPatch) }
    case .object(let object):
      children = object.members.map { key, value in
        Part(
          value: value, prefix: JSON.string(key).description + ":", depth: part.depth + 1,
          isPatch: part.depth == 1 && key == "patch")
      }
    }
    return children.isEmpty ? [whole] : pieces(of: children, in: part)
  }

  /// The brackets stay with the first and the last child, a comma with every other one.
  private static func pieces(of children: [Part], in parent: Part) -> [Piece] {
    let brackets = parent.value.kind == .array ? (open: "[", close: "]") : (open: "{", close: "}")
    return children.enumerated().flatMap { index, child in
      var child = child
      if index == 0 {
        child.prefix = parent.prefix + brackets.open + child.prefix
        child.startsLine = child.startsLine || parent.startsLine
      }
      child.suffix = index == children.count - 1 ? brackets.close + parent.suffix : ","
      return pieces(of: child)
    }
  }

  /// Counts scalars, since the width that a terminal gives them is unknown.
  private static func columns(_ text: String) -> Int {
    text.unicodeScalars.count
  }
}
