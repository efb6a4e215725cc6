package import OffstageJSON

/// The recorded runs of a core: the lines to it, the lines from it, and when to wait.
/// `Protocol/transcripts/README.md` describes the language.
///
/// Parsing keeps every byte, including comments and line breaks: ``text`` is the parsed text. A CR
/// before an LF is kept but ignored.
package struct Transcript: Equatable, Sendable {
  /// The prefix of every error and difference: the file's path, as the user wrote it.
  package let file: String
  /// The lines in order. A line and its continuations are one entry.
  package let entries: [Entry]
  /// False if the last line lacks its LF.
  let endsInNewline: Bool

  /// Creates a transcript, and gives each entry the number of its first line.
  init(file: String, entries: [Entry], endsInNewline: Bool) {
    var line = 1
    self.file = file
    self.endsInNewline = endsInNewline
    self.entries = entries.map { entry in
      defer { line += entry.source.count }
      return Entry(kind: entry.kind, source: entry.source, line: line)
    }
  }

  /// The transcript as text, byte for byte as it was parsed.
  package var text: String {
    let lines = entries.flatMap(\.source)
    return lines.joined(separator: "\n") + (endsInNewline && !lines.isEmpty ? "\n" : "")
  }
}

extension Transcript {
  /// A line with its continuations.
  package struct Entry: Equatable, Sendable {
    package let kind: Kind
    /// The lines as written, with their marks but without line breaks; never empty.
    let source: [String]
    /// The number of the first of these lines in the file, from 1.
    package internal(set) var line = 0

    /// The expected output of the core: a JSON value with placeholders.
    var pattern: JSON? {
      if case .expected(let pattern) = kind { pattern } else { nil }
    }

    var isSent: Bool {
      if case .sent = kind { true } else { false }
    }
  }

  package enum Kind: Equatable, Sendable {
    case comment
    case barrier
    case command(TranscriptCommand)
    /// Bytes for the core's input, including the LF unless the line was left open.
    case sent([UInt8])
    /// A JSON value with placeholders.
    case expected(JSON)
    case response(ScriptedResponse)
    case exit(Int32)
  }
}

extension Transcript {
  /// One run of the core, from its command to its end.
  package struct Run: Sendable {
    package let command: TranscriptCommand
    let line: Int
    /// The responses of the HTTP server alongside the core.
    package let responses: [ScriptedResponse]
    /// The expected exit status, and its line.
    let exit: (status: Int32, line: Int)
    let blocks: [Block]
  }

  /// The part of a run between two barriers: its input is sent, and then its output is compared.
  struct Block: Sendable {
    /// Indices into the transcript's entries.
    let entries: Range<Int>
    let expected: [Int]
    let sent: [[UInt8]]
  }

  /// The runs in order; never empty.
  package var runs: [Run] {
    let starts = entries.indices.filter { command(at: $0) != nil }
    return zip(starts, starts.dropFirst() + [entries.endIndex]).compactMap { start, next in
      guard let command = command(at: start) else { return nil }
      var end = next
      var exit = (status: Int32(0), line: entries[start].line)
      var responses: [ScriptedResponse] = []
      for index in start..<next {
        switch entries[index].kind {
        case .response(var response):
          response.line = entries[index].line
          responses.append(response)
        case .exit(let status):
          exit = (status, entries[index].line)
          end = index + 1
        case .comment, .barrier, .command, .sent, .expected: break
        }
      }
      return Run(
        command: command, line: entries[start].line, responses: responses, exit: exit,
        blocks: blocks(start..<end))
    }
  }

  private func command(at index: Int) -> TranscriptCommand? {
    if case .command(let command) = entries[index].kind { command } else { nil }
  }

  /// Returns the blocks of a run, except for those that neither send nor expect anything: settling
  /// after them would disturb the core. The last one always stays, for the output after the end of
  /// the input.
  private func blocks(_ range: Range<Int>) -> [Block] {
    let ends = range.filter { entries[$0].kind == .barrier } + [range.upperBound]
    let starts = [range.lowerBound] + ends.dropLast().map { $0 + 1 }
    let blocks = zip(starts, ends).map { start, end in
      Block(
        entries: start..<end,
        expected: (start..<end).filter { entries[$0].pattern != nil },
        sent: entries[start..<end].compactMap {
          if case .sent(let bytes) = $0.kind { bytes } else { nil }
        })
    }
    return blocks.dropLast().filter { !$0.sent.isEmpty || !$0.expected.isEmpty } + blocks.suffix(1)
  }
}
