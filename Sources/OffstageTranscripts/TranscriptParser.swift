import OffstageJSON

extension Transcript {
  /// - Parameter file: The name to show in errors and differences, usually the path.
  package init(_ text: String, file: String) throws(TranscriptError) {
    var parser = TranscriptParser(file: file)
    for line in LogicalLine.lines(of: text) { try parser.parse(line) }
    self = try parser.finish(endsInNewline: text.utf8.last == UInt8(ascii: "\n"))
  }

  package init(_ bytes: [UInt8], file: String) throws(TranscriptError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw TranscriptError(
        file: file, line: bad + 1,
        problem: "invalid UTF-8; write such bytes as \\xHH in a '>! ' line")
    }
    try self.init(text, file: file)
  }
}

/// Turns lines into entries and checks their order.
private struct TranscriptParser {
  let file: String
  private var entries: [Transcript.Entry] = []
  private var nextLine = 1
  private var state = State.start
  /// True if the last bytes to send lack an LF.
  private var isLineOpen = false

  private enum State {
    case start, running, exited
  }

  init(file: String) {
    self.file = file
  }

  mutating func parse(_ line: LogicalLine) throws(TranscriptError) {
    do throws(TranscriptError.Problem) {
      let kind = try kind(of: line)
      try checkOrder(of: kind)
      entries.append(Transcript.Entry(kind: kind, source: line.source))
      nextLine += line.source.count
    } catch {
      throw TranscriptError(file: file, line: nextLine + error.row, problem: error.description)
    }
  }

  func finish(endsInNewline: Bool) throws(TranscriptError) -> Transcript {
    guard state != .start else {
      throw TranscriptError(file: file, line: max(1, nextLine - 1), problem: Self.noCommand)
    }
    return Transcript(file: file, entries: entries, endsInNewline: endsInNewline)
  }

  private func kind(of line: LogicalLine) throws(TranscriptError.Problem) -> Transcript.Kind {
    switch line.mark {
    case .comment: return .comment
    case .blank: return .barrier
    case .command: return .command(try TranscriptCommand(line.payload))
    case .sent: return .sent(Array(line.payload.utf8) + [UInt8(ascii: "\n")])
    case .raw: return .sent(try RawLine.message(line.payload))
    case .expected: return .expected(try pattern(line))
    case .response: return .response(try ScriptedResponse(line.payload))
    case .exit: return .exit(try status(line.payload))
    case .continuation:
      throw TranscriptError.Problem(
        entries.last?.isSent == true
          ? "a '> ' line cannot be continued; write it on one line, so that sed finds it whole"
          : "nothing to continue; two leading spaces continue a '$', '<', '@' or '>!' line")
    case nil:
      throw TranscriptError.Problem(
        "expected a line that begins with '$ ', '# ', '> ', '>! ', '< ', '@ ', '= ' or two spaces")
    }
  }

  private static let noCommand =
    "expected a command such as '$ showcase --deterministic' before anything but comments"

  private mutating func checkOrder(of kind: Transcript.Kind) throws(TranscriptError.Problem) {
    switch kind {
    case .comment: return
    case .barrier:
      guard isLineOpen else { return }
      throw TranscriptError.Problem("the line above ends in \\c; finish it before the blank line")
    case .command:
      state = .running
      isLineOpen = false
      return
    case .sent(let bytes): isLineOpen = bytes.last != UInt8(ascii: "\n")
    case .expected, .response, .exit: break
    }
    switch state {
    case .start: throw TranscriptError.Problem(Self.noCommand)
    case .exited:
      throw TranscriptError.Problem("the run has ended; start another one with a '$ ' line")
    case .running: break
    }
    if case .exit = kind {
      state = .exited
      isLineOpen = false
    }
  }

  private func pattern(_ line: LogicalLine) throws(TranscriptError.Problem) -> JSON {
    let pattern: JSON
    do throws(JSONError) {
      pattern = try JSON(parsing: line.payload)
    } catch {
      let (row, column) = line.position(of: error.offset)
      var problem = TranscriptError.Problem(
        "invalid JSON at column \(column): expected \(error.expected), found \(error.found)")
      problem.row = row
      throw problem
    }
    try PatternString.check(pattern)
    return pattern
  }

  private func status(_ text: String) throws(TranscriptError.Problem) -> Int32 {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0] == "exit", let status = UInt8(words[1]) else {
      throw TranscriptError.Problem("expected '= exit N' with N from 0 to 255")
    }
    return Int32(status)
  }
}

/// A line joined with its continuations.
private struct LogicalLine {
  enum Mark: String, CaseIterable {
    case command = "$ "
    case comment = "#"
    case raw = ">! "
    case sent = "> "
    case expected = "< "
    case response = "@ "
    case exit = "= "
    case continuation = "  "
    case blank = ""

    var isContinuable: Bool { [.command, .raw, .expected, .response].contains(self) }
  }

  /// nil for a line with an unknown mark.
  let mark: Mark?
  /// The text after the mark, joined with its continuations, without line breaks.
  private(set) var payload: String
  private(set) var source: [String]
  /// The UTF-8 offsets in the payload where the continuation lines begin.
  private var joints: [Int] = []

  private init(_ line: String) {
    // `hasSuffix("\r")` compares characters, and CR LF is a single one.
    let content = line.utf8.last == UInt8(ascii: "\r") ? line.utf8.dropLast() : line.utf8[...]
    let mark: Mark? =
      content.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      ? .blank
      : Mark.allCases.first { $0 != .blank && content.starts(with: $0.rawValue.utf8) }
    self.mark = mark
    payload = String(Substring(content.dropFirst(mark?.rawValue.utf8.count ?? 0)))
    source = [line]
  }

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

  /// Returns the row, from 0, and the column, from 1, of a byte in the payload.
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

/// A syntax error in a transcript.
package struct TranscriptError: Error, Equatable, CustomStringConvertible {
  package let file: String
  package let line: Int
  let problem: String

  /// Formatted as by compilers, so that editors can find the place.
  package var description: String { "\(file):\(line): \(problem)" }

  /// A mistake in a line of a transcript.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// The number of continuation lines before it.
    var row = 0

    init(_ description: String) { self.description = description }
  }
}
