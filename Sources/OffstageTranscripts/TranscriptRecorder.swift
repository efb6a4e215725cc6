import OffstageJSON

/// Writes a transcript of a run as it happens. Each call returns the lines to append to the file,
/// including LFs.
package struct TranscriptRecorder: Sendable {
  /// True until a line is sent, which begins a block.
  private var isFirst = true
  /// The ids of the `initialize` requests without a response.
  private var handshakes: Set<JSON> = []

  package init() {}

  package func start(_ command: TranscriptCommand) -> String { "$ " + command.text + "\n" }

  /// - Parameter line: Without the LF, but with a CR if there was one.
  package mutating func sent(_ line: [UInt8], afterRest: Bool) -> String {
    let barrier = isFirst || afterRest ? "\n" : ""
    isFirst = false
    if let text = Self.plainLine(line) {
      let entry = Transcript.Entry(kind: .sent(line), source: ["> " + text])
      if let id = entry.handshake { handshakes.insert(id) }
      return barrier + entry.source[0] + "\n"
    }
    return barrier + Self.rawLine(line + [UInt8(ascii: "\n")])
  }

  /// Records a line that the core printed, without its LF. Leaves out a result of `initialize`.
  package mutating func received(_ line: String) -> String {
    if !handshakes.isEmpty, let response = try? JSON(parsing: line), let id = response["id"],
      handshakes.remove(id) != nil, response["result"] != nil
    {
      return ""
    }
    return Transcript.Entry.received(line).source.joined(separator: "\n") + "\n"
  }

  /// - Parameter status: Of which a parent process sees the lowest eight bits.
  package func exit(_ status: Int32) -> String {
    "= exit \(UInt8(truncatingIfNeeded: status))\n"
  }

  /// Returns the text of a line that can be a `> ` line, which `sed` can replay: JSON without
  /// anything that an editor may strip, hide, or treat as the end of a line.
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
    // Editors strip spaces at the end of a line.
    return lines.map { $0.hasSuffix(" ") ? $0.dropLast() + "\\x20\n" : $0 + "\n" }.joined()
  }
}

extension Transcript.Entry {
  /// Returns an entry for an output line.
  ///
  /// A line that is not JSON cannot be expected. It becomes a comment, and the replay fails.
  static func received(_ line: String) -> Transcript.Entry {
    guard let value = try? JSON(parsing: line) else {
      let escaped = RawLine.escapes(of: line.utf8).joined()
      return Transcript.Entry(
        kind: .comment, source: ["# The core printed a line that is not JSON: " + escaped])
    }
    return expecting(PatternString.escaping(value))
  }

  /// Returns an entry for an expected line, broken if it is too long.
  static func expecting(_ pattern: JSON) -> Transcript.Entry {
    Transcript.Entry(kind: .expected(pattern), source: LineLayout.lines(of: pattern))
  }
}
