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
  /// Bytes that are kept once they are sent, for a front end that comes back.
  static let keptCount = 256 << 10
  /// The offsets of the frames in the writer, the oldest first. Their revisions are consecutive.
  private var frames: [Int] = []
  /// The number of bytes removed from the writer so far, which the offsets count.
  private var removed = 0

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

  /// Ends the line of a frame that begins at an offset of the writer.
  mutating func endFrame(from start: Int) {
    endLine(from: start)
    frames.append(removed + start)
  }

  /// Offers the unsent bytes, and removes the oldest of those that were taken.
  mutating func send(_ take: (UnsafeRawBufferPointer) -> Int) {
    sent += writer.bytes.withUnsafeBytes {
      take(UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
    // Rarely, so that what is moved each time costs little per byte.
    if sent > 2 * Self.keptCount { removeFirst(sent - Self.keptCount) }
  }

  private mutating func removeFirst(_ count: Int) {
    if sent == writer.bytes.count, sent > Self.highWater {
      // Keeps the memory of everyday, but not of a burst.
      removed += sent
      writer.bytes.removeAll(keeping: Self.highWater)
      sent = 0
    } else {
      writer.bytes.removeFirst(count)
      removed += count
      sent -= count
    }
    frames.removeFirst(frames.firstIndex { $0 >= removed } ?? frames.count)
  }

  /// Appends the newest frames once more.
  /// - Returns: False if they are gone.
  mutating func repeatFrames(_ count: Int) -> Bool {
    guard count <= frames.count else { return false }
    let lines = writer.bytes.withUnsafeBytes { bytes in
      frames.suffix(count).map { Array(bytes[($0 - removed)...].prefix { $0 != 0x0A }) }
    }
    for line in lines { write(line) }
    return true
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
    if session.handleHeldLine() { return true }
    switch hasEnded ? reader.next() ?? reader.last() : reader.next() {
    case .text(let range, let number):
      reader.withBytes(of: range) { session.receive($0, line: number) }
    case .tooLong(let number): session.rejectOverlong(line: number)
    case nil: return false
    }
    return true
  }
}
