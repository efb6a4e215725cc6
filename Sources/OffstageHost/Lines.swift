package import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// Whole lines that wait to be written, and how far behind the reader is.
struct OutputQueue: ~Copyable {
  /// Past this many unsent bytes no frames are made until the reader has caught up.
  static let highWater = 1 << 20
  /// Past this many unsent bytes the core stops reading.
  static let limit = 16 << 20

  /// Called with every line, for a recording.
  var onLine: ((String) -> Void)?

  /// The writer of the lines; each is ended by `endLine`.
  var writer = JSONWriter()
  /// The number of bytes sent so far.
  private var sent = 0

  var unsentCount: Int { writer.bytes.count - sent }
  var isEmpty: Bool { unsentCount == 0 }
  var isBehind: Bool { unsentCount > Self.highWater }
  var isOverfull: Bool { unsentCount > Self.limit }

  /// Appends one line.
  mutating func line(_ write: (inout JSONWriter) -> Void) {
    let start = writer.bytes.count
    write(&writer)
    endLine(from: start)
  }

  /// Appends one line.
  mutating func write(_ line: [UInt8]) { self.line { $0.raw(line) } }

  /// Ends the line that begins at an offset of the writer.
  mutating func endLine(from start: Int) {
    onLine?(String(writer.bytes, from: start))
    writer.bytes.append(0x0A)
  }

  /// Offers the unsent bytes, and removes as many as were taken.
  mutating func send(_ take: (UnsafeRawBufferPointer) -> Int) {
    sent += writer.bytes.withUnsafeBytes {
      take(UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
    if sent == writer.bytes.count {
      // Keeps the memory of everyday, but not of a burst.
      writer.bytes.removeAll(keeping: Self.highWater)
      sent = 0
    } else if sent > Self.highWater {
      writer.bytes.removeFirst(sent)
      sent = 0
    }
  }

  /// Removes all lines and returns them without their ends.
  mutating func takeLines() -> [String] {
    var lines: [String] = []
    send { bytes in
      lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      return bytes.count
    }
    return lines
  }
}

/// The input of a session without descriptors, as tests have it, cut into lines as the event loop
/// cuts its own.
@CoreActor
package final class SessionInput {
  private let session: Session
  private var reader: LineReader
  private var hasEnded = false

  package init(_ session: Session) {
    self.session = session
    reader = LineReader(limit: session.limits.line)
  }

  package func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { reader.append($0) }
  }

  /// Makes the rest of the bytes the final line.
  package func end() { hasEnded = true }

  /// Hands the next line to the session.
  /// - Returns: false if there is none yet.
  package func handleNext() -> Bool {
    switch hasEnded ? reader.next() ?? reader.last() : reader.next() {
    case .text(let range, let number):
      reader.withBytes(of: range) { session.receive($0, line: number) }
    case .tooLong(let number): session.rejectOverlong(line: number)
    case nil: return false
    }
    return true
  }
}
