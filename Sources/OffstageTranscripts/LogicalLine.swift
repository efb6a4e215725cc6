/// A line of a transcript joined with its continuations, before it is known what it means.
struct LogicalLine {
  /// What the beginning of a line says about it.
  enum Mark: String, CaseIterable {
    case command = "$ "
    case comment = "#"
    case raw = ">! "
    case sent = "> "
    case anywhere = "<~ "
    case strict = "< "
    case ending = "= "
    case continuation = "  "
    case blank = ""

    /// Whether two leading spaces below such a line belong to it.
    var isContinuable: Bool {
      switch self {
      case .command, .raw, .anywhere, .strict: true
      case .comment, .sent, .ending, .continuation, .blank: false
      }
    }
  }

  /// Nil for a line that begins like none.
  let mark: Mark?
  /// What follows the mark, continuations joined; line ends are left out.
  private(set) var payload: String
  /// The lines as written, without LF.
  private(set) var source: [String]
  /// Where each further line begins in the payload's UTF-8.
  private var joints: [Int] = []

  private init(_ line: String) {
    let content = line.hasSuffixCR ? line.utf8.dropLast() : line.utf8[...]
    let mark: Mark? =
      content.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      ? .blank
      : Mark.allCases.first { $0 != .blank && content.starts(with: $0.rawValue.utf8) }
    self.mark = mark
    payload = String(Substring(content.dropFirst(mark?.rawValue.utf8.count ?? 0)))
    source = [line]
  }

  /// The lines of a text, of which a last LF ends the last line and begins none.
  static func lines(of text: String) -> [LogicalLine] {
    var pieces = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if pieces.last?.isEmpty == true { pieces.removeLast() }
    var lines: [LogicalLine] = []
    for piece in pieces {
      let line = LogicalLine(String(Substring(piece)))
      if line.mark == .continuation, let last = lines.last?.mark, last.isContinuable {
        lines[lines.count - 1].append(line)
      } else {
        lines.append(line)
      }
    }
    return lines
  }

  /// The row, from 0, and the column, from 1, at which a byte of the payload is written.
  func position(of offset: Int) -> (row: Int, column: Int) {
    let row = joints.count { $0 <= offset }
    let start = row == 0 ? 0 : joints[row - 1]
    let mark = row == 0 ? self.mark : .continuation
    return (row, offset - start + (mark?.rawValue.utf8.count ?? 0) + 1)
  }

  private mutating func append(_ continuation: LogicalLine) {
    joints.append(payload.utf8.count)
    payload += continuation.payload
    source += continuation.source
  }
}

extension String {
  /// `hasSuffix("\r")` compares characters, of which CR and LF together are one.
  fileprivate var hasSuffixCR: Bool { utf8.last == UInt8(ascii: "\r") }
}
