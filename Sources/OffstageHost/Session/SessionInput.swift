package import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The bytes of a front end on their way to a session without descriptors, as a test has them: cut
/// into lines just as the loop cuts its input.
@CoreActor
package final class SessionInput {
  private let session: Session
  private var reader: LineReader
  private var hasEnded = false

  package init(_ session: Session) {
    self.session = session
    reader = LineReader(limit: session.limits.line)
  }

  /// Takes in bytes, of which any number of lines may be made.
  package func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { reader.append($0) }
  }

  /// Nothing more will come: what is there is the final line.
  package func end() { hasEnded = true }

  /// Hands the next line to the session.
  /// - Returns: false where there is none yet.
  package func handleNext() -> Bool {
    switch hasEnded ? reader.next() ?? reader.last() : reader.next() {
    case .text(let range, let number):
      reader.withBytes(of: range) { session.receive($0, line: number) }
    case .tooLong(let number):
      session.refuseOverlong(line: number)
    case nil:
      return false
    }
    return true
  }
}

extension Session {
  /// Answers a line that was too long to be kept.
  func refuseOverlong(line number: Int) {
    refuse(
      .parseError(
        "Parse error: the line is longer than \(limits.line) bytes",
        data: ["line": .number(JSONNumber(number))]))
  }
}
