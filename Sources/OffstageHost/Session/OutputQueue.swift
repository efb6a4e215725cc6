internal import OffstageJSON

/// Whole lines that wait to be written, and how far behind the front end is.
struct OutputQueue: ~Copyable {
  /// Past this many unsent bytes no frames are made, until the reader catches up.
  static let highWater = 1 << 20
  /// Past this many the core stops reading: what it cannot say, it need not hear.
  static let limit = 16 << 20

  /// Called with every line, for a recording.
  var onLine: ((String) -> Void)?

  /// Where lines are written; each is ended by `endLine`.
  var writer = JSONWriter()
  /// How many of the bytes have been sent.
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

  /// Appends one line that is written already.
  mutating func write(_ line: [UInt8]) { self.line { $0.raw(line) } }

  /// Ends the line that was begun at a place in the writer.
  mutating func endLine(from start: Int) {
    onLine?(String(writer.bytes, from: start))
    writer.bytes.append(0x0A)
  }

  /// Offers what is unsent, and forgets as much as was taken.
  mutating func send(_ take: (UnsafeRawBufferPointer) -> Int) {
    sent += writer.bytes.withUnsafeBytes {
      take(UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
    if sent == writer.bytes.count {
      // A burst's memory is given back; the everyday amount is kept.
      writer.bytes.removeAll(keeping: Self.highWater)
      sent = 0
    } else if sent > Self.highWater {
      writer.bytes.removeFirst(sent)
      sent = 0
    }
  }

  /// Takes out everything, as lines without their ends.
  mutating func takeLines() -> [String] {
    var lines: [String] = []
    send { bytes in
      lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      return bytes.count
    }
    return lines
  }
}
