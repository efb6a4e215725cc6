/// Why a text is no transcript, and where.
package struct TranscriptError: Error, Equatable, CustomStringConvertible {
  package let file: String
  /// The number of the line at fault, from 1.
  package let line: Int
  package let problem: Problem

  /// As compilers write it, so that editors find the place.
  package var description: String { "\(file):\(line): \(problem)" }

  /// What is wrong, worded so that it says what to write instead.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    case notUTF8
    case unknownMark
    case noCommand
    case secondCommand
    case noProgram
    case unclosedQuote(String)
    case nothingToContinue
    case continuedSentLine
    case badEscape(String)
    case openLineAtBarrier
    /// The column counts the line's bytes from 1.
    case badJSON(column: Int, expected: String, found: String)
    case badPlaceholder(String)
    case badEnding
    case afterEnding

    package var description: String {
      switch self {
      case .notUTF8:
        "this is no UTF-8; write other bytes in a '>! ' line, as \\xHH"
      case .unknownMark:
        "a line begins with '$ ', '# ', '> ', '>! ', '< ', '<~ ', '= ' or two spaces"
      case .noCommand:
        "the first line that is no comment must be the command, as in '$ showcase --deterministic'"
      case .secondCommand:
        "there is a command already; a transcript runs one program"
      case .noProgram:
        "the command names no program"
      case .unclosedQuote(let quote):
        "nothing closes the \(quote) in the command"
      case .nothingToContinue:
        "two leading spaces continue a '$', '<', '<~' or '>!' line, and there is none above"
      case .continuedSentLine:
        "a '> ' line cannot be continued, so that sed finds it whole; write it on one line"
      case .badEscape(let escape):
        #"'\#(escape)' is no escape; known are \n \r \t \\ \" \' \xHH \ooo \u{…} and a last \c"#
      case .openLineAtBarrier:
        "the line above was left open with \\c, so there is nothing to settle yet; finish it first"
      case .badJSON(let column, let expected, let found):
        "no JSON at column \(column): expected \(expected), found \(found)"
      case .badPlaceholder(let text):
        "\"\(text)\" is no placeholder: write \"$name\" or \"$_\", or \"$\(text)\" for the text itself"
      case .badEnding:
        "a run ends with '= exit N', N being 0 to 255, or with '= eof'"
      case .afterEnding:
        "the run has ended; only comments and blank lines may follow"
      }
    }
  }
}
