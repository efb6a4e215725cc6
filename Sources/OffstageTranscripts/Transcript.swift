/// A recorded run of a core: what was sent, what came back, and where the runner has to wait.
///
/// A transcript is a text of lines, told apart by how they begin:
///
/// | line | meaning |
/// |---|---|
/// | `$ showcase --deterministic` | the command, before everything but comments |
/// | `# …` | a comment |
/// | (blank) | a barrier: wait until the core has settled |
/// | `> …` | a line to the core, sent as it stands, never continued, so that `sed` can replay it |
/// | `>! …` | bytes to the core, with C escapes: see ``RawLine`` |
/// | `< …` | a line from the core, in this order within its block |
/// | `<~ …` | a line from the core, anywhere in its block |
/// | `= exit 0` | close the core's input and check its exit status; nothing but comments may follow |
/// | `= eof` | close it without checking, which is also what the end of the file does |
/// | two spaces | the continuation of a `$`, `<`, `<~` or `>!` line, joined without a space |
///
/// The value keeps the text's every byte, comments and line breaks included: ``text`` of a parsed
/// transcript is what was parsed. A CR before an LF is kept, too, but means nothing.
package struct Transcript: Equatable, Sendable {
  /// The name in front of every error and difference: the file's path, as the person wrote it.
  package let file: String
  /// What to run; the entry of the first line that is no comment.
  package let command: TranscriptCommand
  /// The text's lines in order, a line and its continuations being one entry.
  package let entries: [Entry]
  /// Whether the last line ends in an LF. Only a file edited by hand lacks it.
  package let endsInNewline: Bool

  /// Lays out entries, giving each the number of its first line.
  init(file: String, command: TranscriptCommand, entries: [Entry], endsInNewline: Bool) {
    var line = 1
    self.file = file
    self.command = command
    self.endsInNewline = endsInNewline
    self.entries = entries.map { entry in
      defer { line += entry.source.count }
      return Entry(entry.kind, source: entry.source, line: line)
    }
  }

  /// The transcript as text, byte for byte what was parsed.
  package var text: String {
    let lines = entries.flatMap(\.source)
    return lines.joined(separator: "\n") + (endsInNewline && !lines.isEmpty ? "\n" : "")
  }

  /// How the transcript wants the run to end.
  package var ending: Ending {
    for case .ending(let ending) in entries.lazy.reversed().map(\.kind) { return ending }
    return .eof
  }
}

extension Transcript {
  /// One line of the text with its continuations: what it means and how it is written.
  package struct Entry: Equatable, Sendable {
    package let kind: Kind
    /// The lines as they are written, marks included and line ends left out; never empty.
    package let source: [String]
    /// The number of the first of these lines in the file, from 1.
    package let line: Int

    package init(_ kind: Kind, source: [String], line: Int = 0) {
      self.kind = kind
      self.source = source
      self.line = line
    }
  }

  package enum Kind: Equatable, Sendable {
    case comment
    case barrier
    case command(TranscriptCommand)
    /// Bytes for the core's input, the LF included unless the line was written to have none.
    case sent([UInt8])
    case expected(Expectation)
    case ending(Ending)
  }

  /// How a run ends: the input is closed in any case.
  package enum Ending: Equatable, Sendable {
    /// Whatever the exit status.
    case eof
    /// With this exit status, where there is a process to have one.
    case exit(Int32)
  }
}
