internal import OffstageJSON
internal import OffstageSystem

/// Whole lines that wait to be written, and how far behind the reader is.
struct OutputQueue: ~Copyable {
  /// Past this many unsent bytes, no frames are written until the reader has caught up.
  static let highWater = 1 << 20
  /// Past this many unsent bytes, the core stops reading.
  static let limit = 16 << 20

  /// Called with every line, for a recording.
  var onLine: ((String) -> Void)?

  /// The writer of the lines; each is ended by `endLine`.
  var writer = JSONWriter()
  /// The number of bytes sent so far.
  private var sent = 0
  /// The number of sent bytes past which the oldest are dropped. The rest is kept for a front end
  /// that reconnects.
  var keptCount = 256 << 10
  /// The lines before those of the writer; all of them have been sent.
  private var earlier = ByteBuffer()

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

  /// Offers the unsent bytes, and drops the oldest of those that were taken.
  mutating func send(_ take: (UnsafeRawBufferPointer) -> Int) {
    sent += writer.bytes.withUnsafeBytes {
      take(UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
    if sent < writer.bytes.count {
      guard sent > Self.highWater else { return }
      writer.bytes.removeFirst(sent)
      earlier.removeAll()
      sent = 0
    } else if sent > Self.highWater {
      // Keep capacity for normal traffic, not for a burst.
      writer.bytes.removeAll(keeping: Self.highWater)
      earlier.removeAll()
      sent = 0
    } else if sent > keptCount {
      swap(&earlier, &writer.bytes)
      writer.bytes.removeAll()
      sent = 0
    }
  }

  /// Discards the unsent lines, apart from the frames that a front end may ask for when it reconnects.
  mutating func drop() { send(\.count) }

  /// Appends the frames after a revision again.
  /// - Returns: False if one of them is gone.
  mutating func repeatFrames(after first: Int, through last: Int) -> Bool {
    guard first < last else { return true }
    let lines = FrameWriter.frames(in: earlier) + FrameWriter.frames(in: writer.bytes)
    // A frame that was repeated before occurs more than once.
    let frames = Dictionary(lines) { $1 }
    guard (first + 1...last).allSatisfy({ frames[$0] != nil }) else { return false }
    for revision in first + 1...last { write(frames[revision]!) }
    return true
  }

  /// Removes all lines and returns them without line feeds.
  mutating func takeLines() -> [String] {
    var lines: [String] = []
    send { bytes in
      lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      return bytes.count
    }
    return lines
  }
}

extension OutputQueue {
  /// Writes as much as a pipe accepts.
  /// - Returns: False if its reader is gone or another error occurred; see `errno`.
  mutating func flush(to descriptor: Int32) -> Bool {
    var count = 1
    while !isEmpty, count > 0 {
      send {
        count = systemWrite(descriptor, $0)
        return max(count, 0)
      }
    }
    return isEmpty || systemCallShouldRetry
  }
}
