import OffstageJSON

extension Transcript {
  /// Reads a transcript.
  /// - Parameter file: what errors and differences call it, usually its path.
  /// - Throws: `TranscriptError` for the first line at fault.
  package init(_ text: String, file: String) throws(TranscriptError) {
    var parser = TranscriptParser(file: file)
    for line in LogicalLine.lines(of: text) { try parser.read(line) }
    self = try parser.finish(endsInNewline: text.utf8.last == UInt8(ascii: "\n"))
  }

  /// Reads a transcript from a file's bytes.
  /// - Throws: `TranscriptError`; its line is the first that is no UTF-8, if that is what is wrong.
  package init(_ bytes: [UInt8], file: String) throws(TranscriptError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw TranscriptError(file: file, line: bad + 1, problem: .notUTF8)
    }
    try self.init(text, file: file)
  }
}

/// Gives lines their meaning, one after the other, and knows what may follow what.
private struct TranscriptParser {
  let file: String
  private var entries: [Transcript.Entry] = []
  private var nextLine = 1
  private var command: TranscriptCommand?
  private var hasEnded = false
  /// Whether the last bytes sent were left without an LF.
  private var isLineOpen = false

  init(file: String) {
    self.file = file
  }

  mutating func read(_ line: LogicalLine) throws(TranscriptError) {
    do throws(Located) {
      let kind = try meaning(of: line)
      try admit(kind)
      entries.append(Transcript.Entry(kind, source: line.source, line: nextLine))
      nextLine += line.source.count
    } catch {
      throw TranscriptError(
        file: file, line: nextLine + error.lineOffset, problem: error.problem)
    }
  }

  func finish(endsInNewline: Bool) throws(TranscriptError) -> Transcript {
    guard let command else {
      throw TranscriptError(file: file, line: max(1, nextLine - 1), problem: .noCommand)
    }
    return Transcript(
      file: file, command: command, entries: entries, endsInNewline: endsInNewline)
  }

  private func meaning(of line: LogicalLine) throws(Located) -> Transcript.Kind {
    do throws(TranscriptError.Problem) {
      switch line.mark {
      case .comment: return .comment
      case .blank: return .barrier
      case .command: return .command(try TranscriptCommand(line.payload))
      case .sent: return .sent(Array(line.payload.utf8) + [UInt8(ascii: "\n")])
      case .raw: return .sent(try RawLine.message(line.payload))
      case .strict: return .expected(Expectation(try pattern(in: line), .strict))
      case .anywhere: return .expected(Expectation(try pattern(in: line), .anywhere))
      case .ending: return .ending(try ending(line.payload))
      case .continuation:
        // A raw line would have taken it, so whatever was sent above is a plain one.
        if case .sent = entries.last?.kind { throw .continuedSentLine }
        throw .nothingToContinue
      case nil: throw .unknownMark
      }
    } catch {
      guard case .badJSON(let offset, let expected, let found) = error else { throw Located(error) }
      // A fault in a line that goes on is reported where it stands, not where the line begins.
      let (row, column) = line.position(of: offset)
      throw Located(.badJSON(column: column, expected: expected, found: found), lineOffset: row)
    }
  }

  /// Checks what depends on the lines before: one command first, nothing after the end.
  private mutating func admit(_ kind: Transcript.Kind) throws(Located) {
    switch kind {
    case .comment:
      return
    case .barrier:
      guard !isLineOpen else { throw Located(.openLineAtBarrier) }
    case .command(let command):
      guard self.command == nil else { throw Located(.secondCommand) }
      self.command = command
    case .sent(let bytes):
      try admitStep()
      isLineOpen = bytes.last != UInt8(ascii: "\n")
    case .expected:
      try admitStep()
    case .ending:
      try admitStep()
      hasEnded = true
      isLineOpen = false
    }
  }

  private func admitStep() throws(Located) {
    guard command != nil else { throw Located(.noCommand) }
    guard !hasEnded else { throw Located(.afterEnding) }
  }

  private func pattern(in line: LogicalLine) throws(TranscriptError.Problem) -> JSON {
    let pattern: JSON
    do throws(JSONError) {
      pattern = try JSON(parsing: line.payload)
    } catch {
      throw .badJSON(column: error.offset, expected: error.expected, found: error.found)
    }
    try PatternString.check(pattern)
    return pattern
  }

  private func ending(_ text: String) throws(TranscriptError.Problem) -> Transcript.Ending {
    let words = text.split(separator: " ")
    if words == ["eof"] { return .eof }
    guard words.count == 2, words[0] == "exit", let status = UInt8(words[1]) else {
      throw .badEnding
    }
    return .exit(Int32(status))
  }
}

/// A problem and how many lines below the beginning of its entry it stands.
private struct Located: Error {
  let problem: TranscriptError.Problem
  let lineOffset: Int

  init(_ problem: TranscriptError.Problem, lineOffset: Int = 0) {
    self.problem = problem
    self.lineOffset = lineOffset
  }
}
