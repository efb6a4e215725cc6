/// A syntax error in a transcript.
package struct TranscriptError: Error, Equatable, CustomStringConvertible {
  package let file: String
  /// The number of the line at fault, from 1.
  package let line: Int
  package let problem: Problem

  /// Formatted as compilers do, so that editors find the place.
  package var description: String { "\(file):\(line): \(problem)" }

  package enum Problem: Error, Equatable, CustomStringConvertible {
    case notUTF8
    case unknownMark
    case noCommand
    case noProgram
    case unclosedQuote(String)
    case nothingToContinue
    case continuedSentLine
    case badEscape(String)
    case openLineAtBarrier
    /// The column counts the line's bytes from 1.
    case badJSON(column: Int, expected: String, found: String)
    case badPlaceholder(String)
    case badResponse
    case badExit
    case afterExit
    case severalRuns
    case noValue

    package var description: String {
      switch self {
      case .notUTF8:
        "invalid UTF-8; write such bytes as \\xHH in a '>! ' line"
      case .unknownMark:
        "expected a line that begins with '$ ', '# ', '> ', '>! ', '< ', '@ ', '= ' or two spaces"
      case .noCommand:
        "expected a command such as '$ showcase --deterministic' before anything but comments"
      case .noProgram:
        "missing program name"
      case .unclosedQuote(let quote):
        "unterminated \(quote) in the command"
      case .nothingToContinue:
        "nothing to continue; two leading spaces continue a '$', '<', '@' or '>!' line"
      case .continuedSentLine:
        "a '> ' line cannot be continued; write it on one line, so that sed finds it whole"
      case .badEscape(let escape):
        #"unknown escape '\#(escape)'; use \n \r \t \\ \" \' \xHH \ooo \u{…} or a final \c"#
      case .openLineAtBarrier:
        "the line above ends in \\c; finish it before the blank line"
      case .badJSON(let column, let expected, let found):
        "invalid JSON at column \(column): expected \(expected), found \(found)"
      case .badPlaceholder(let text):
        "invalid placeholder \"\(text)\"; write \"$name\", \"$_\", or \"$\(text)\" for the text itself"
      case .badResponse:
        "expected '@ METHOD TARGET -> STATUS [Name: value] BODY' or '@ METHOD TARGET -> close'"
      case .badExit:
        "expected '= exit N' with N from 0 to 255"
      case .afterExit:
        "the run has ended; start another one with a '$ ' line"
      case .severalRuns:
        "a second run; only a transcript of one run can be served"
      case .noValue:
        "a placeholder has no value to send"
      }
    }
  }
}
