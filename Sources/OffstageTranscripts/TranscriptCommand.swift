import OffstageJSON

/// A command line, split into words as by a shell. Variables, globs, and pipes are plain text: a
/// transcript runs a program, not a script.
package struct TranscriptCommand: Equatable, Sendable {
  package let program: String
  package let arguments: [String]

  package init(program: String, arguments: [String] = []) {
    self.program = program
    self.arguments = arguments
  }

  /// The text that parses into this command. An argument must not contain an LF.
  package var text: String {
    ([program] + arguments).map(Self.quoted).joined(separator: " ")
  }
}

extension TranscriptCommand {
  package init(_ text: String) throws(TranscriptError.Problem) {
    var splitter = Splitter(rest: Substring(text).unicodeScalars)
    var words: [String] = []
    while let word = try splitter.nextWord() { words.append(word) }
    guard let program = words.first, !program.isEmpty else {
      throw TranscriptError.Problem("missing program name")
    }
    self.init(program: program, arguments: Array(words.dropFirst()))
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      $0.isLetter || $0.isDigit || "-_./:=,@%+".utf8.contains($0)
    }
    if isPlain && !word.isEmpty { return word }
    let pieces = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.joined(separator: #"'\''"#) + "'"
  }
}

private struct Splitter {
  var rest: Substring.UnicodeScalarView

  mutating func nextWord() throws(TranscriptError.Problem) -> String? {
    while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != " ", scalar != "\t" {
      switch scalar {
      case "'":
        word += try takeQuoted(upTo: "'", escapable: "")
      case "\"":
        word += try takeQuoted(upTo: "\"", escapable: "\"\\$`")
      case "\\":
        guard let next = rest.popFirst() else { throw unterminated("\\") }
        word.append(next)
      default:
        word.append(scalar)
      }
    }
    return String(word)
  }

  /// Consumes the text up to a closing quote. A backslash in it escapes only `escapable`.
  private mutating func takeQuoted(
    upTo quote: Unicode.Scalar, escapable: String
  ) throws(TranscriptError.Problem) -> String.UnicodeScalarView {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return text }
      if scalar == "\\", let next = rest.first, escapable.unicodeScalars.contains(next) {
        text.append(rest.removeFirst())
      } else {
        text.append(scalar)
      }
    }
    throw unterminated(quote)
  }

  private func unterminated(_ quote: Unicode.Scalar) -> TranscriptError.Problem {
    TranscriptError.Problem("unterminated \(quote) in the command")
  }
}
