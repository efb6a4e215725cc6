import OffstageJSON

/// Writes down a run as it happens.
///
/// A recorder keeps no text: each call returns the lines to append to the file, LFs included, so
/// that a run that crashes leaves all that led to it. Played back on the same build, a
/// deterministic run is green.
package struct TranscriptRecorder: Sendable {
  /// Whether the next line sent begins a block.
  private var isBarrierDue = false
  /// Whether the last line sent had no LF, so that a barrier would run into it.
  private var isLineOpen = false

  package init() {}

  /// The beginning of the transcript.
  /// - Parameter command: what starts such a run again, so without `--record`.
  package mutating func start(_ command: TranscriptCommand) -> String {
    isBarrierDue = true
    return "$ " + command.text + "\n"
  }

  /// A line that went to the core.
  /// - Parameter line: its bytes without the LF, but with a CR if there was one.
  /// - Parameter isTerminated: false for the rest of an input that ended without an LF.
  package mutating func sent(_ line: [UInt8], isTerminated: Bool = true) -> String {
    let barrier = isBarrierDue && !isLineOpen ? "\n" : ""
    isBarrierDue = false
    isLineOpen = !isTerminated
    if isTerminated, let text = Self.plainLine(line) { return barrier + "> " + text + "\n" }
    return barrier + Self.rawLine(line + (isTerminated ? [UInt8(ascii: "\n")] : []))
  }

  /// A line that the core printed, without its LF.
  package func received(_ line: String) -> String {
    Transcript.Entry.received(line).source.joined(separator: "\n") + "\n"
  }

  /// The core has settled: nothing more will come until something is sent.
  ///
  /// Call it when a line arrives for a core that is idle, before ``sent(_:isTerminated:)``. The
  /// blank line is written then, so that no recording ends in one; calling it twice is harmless.
  package mutating func barrier() {
    isBarrierDue = true
  }

  /// The core has ended, its input closed.
  /// - Parameter status: of which a parent process sees the lowest eight bits.
  package func exit(_ status: Int32) -> String {
    "= exit \(UInt8(truncatingIfNeeded: status))\n"
  }

  /// The text of a line that a `> ` line can hold, so that `sed` replays it: JSON without anything
  /// that an editor may take for a line end, strip or not show.
  private static func plainLine(_ line: [UInt8]) -> String? {
    guard let text = String(validating: line, as: UTF8.self),
      line.first != UInt8(ascii: " "), line.last != UInt8(ascii: " "),
      (try? JSON(parsing: text)) != nil,
      text.unicodeScalars.allSatisfy({ !isFragile($0) })
    else { return nil }
    return text
  }

  private static func isFragile(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == "\u{FEFF}"
    }
  }

  private static func rawLine(_ message: [UInt8]) -> String {
    let pieces = RawLine.escapes(ofMessage: message).map { LineLayout.Piece(text: $0) }
    let lines = LineLayout.fill(pieces, mark: ">! ")
    // Editors cut spaces off the end of a line.
    return lines.map { $0.hasSuffix(" ") ? $0.dropLast() + "\\x20\n" : $0 + "\n" }.joined()
  }
}

extension Transcript.Entry {
  /// A line that came, as a recording has it.
  ///
  /// One that is no JSON cannot be expected, so a comment tells of it and a replay is not green.
  static func received(_ line: String) -> Transcript.Entry {
    guard let value = try? JSON(parsing: line) else {
      let escaped = RawLine.escapes(of: line.utf8).joined()
      return Transcript.Entry(.comment, source: ["# The core printed what is no JSON: " + escaped])
    }
    return expecting(Expectation(PatternString.escaping(value)))
  }

  /// An expected line, broken where it is too long.
  static func expecting(_ expectation: Expectation) -> Transcript.Entry {
    let mark = expectation.place.rawValue
    return Transcript.Entry(
      .expected(expectation), source: LineLayout.lines(of: expectation.pattern, mark: mark))
  }
}
