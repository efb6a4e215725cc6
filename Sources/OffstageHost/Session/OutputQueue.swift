internal import OffstageJSON
internal import OffstageSystem

/// Whole lines that wait to be written, and how far behind the reader is.
struct OutputQueue: ~Copyable {
  /// Past this many unsent bytes, no frames are written until the reader has caught up.
  static let highWater = 1 << 20
  /// Past this many unsent bytes, the core stops reading.
  static let limit = 16 << 20

  /// The bytes of memory of a session at rest.
  private static let mostAtRest = 4 << 10

  /// Called with every line, for a recording.
  var onLine: ((String) -> Void)?

  /// The writer of the lines; each is ended by `endLine`.
  var writer = JSONWriter()
  private var sent = 0
  /// The number of sent bytes past which the oldest are dropped. The rest is kept for a front end
  /// that reconnects.
  var keptCount = 256 << 10
  /// The lines before those of the writer; all of them have been sent.
  private var earlier = ByteBuffer()
  /// The number of bytes in front of those of the writer, since the beginning.
  private var removed = 0
  /// From which byte on the output tells of a change that is not kept yet, for each such change.
  private var holds: [(record: Int, start: Int)] = []
  /// The number of bytes that tell of changes before the next one.
  private var told = 0

  var unsentCount: Int { writer.bytes.count - sent }
  /// The number of unsent bytes that may be sent.
  var sendableCount: Int {
    guard let start = holds.first?.start else { return unsentCount }
    return max(start - removed - sent, 0)
  }
  var isEmpty: Bool { unsentCount == 0 }
  var memory: Int { writer.bytes.capacity + earlier.capacity }
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
    writer.endLine()
  }

  /// Offers the bytes that may be sent, and drops the oldest of those that were taken.
  mutating func send(_ take: (UnsafeRawBufferPointer) -> Int) {
    let end = sent + sendableCount
    sent += writer.bytes.withUnsafeBytes {
      take(UnsafeRawBufferPointer(rebasing: $0[sent..<end]))
    }
    forget()
  }

  private mutating func forget() {
    if sent > Self.highWater {
      earlier.removeAll()
      // Keep capacity for normal traffic, not for a burst.
      if isEmpty {
        writer.bytes.removeAll(keeping: Self.highWater)
      } else {
        writer.bytes.removeFirst(sent)
      }
    } else if sent > keptCount, isEmpty {
      swap(&earlier, &writer.bytes)
      writer.bytes.removeAll()
    } else {
      return
    }
    removed += sent
    sent = 0
  }

  /// Discards the unsent lines, apart from the frames that a front end may ask for when it reconnects.
  mutating func drop() {
    sent = writer.bytes.count
    forget()
  }

  /// Frees the memory of one of many sessions that has come to rest, apart from its newest lines. A
  /// front end that has missed an older frame gets the whole document.
  mutating func rest() {
    guard isEmpty, memory > Self.mostAtRest else { return }
    var kept = ByteBuffer()
    writer.bytes.withUnsafeBytes { bytes in
      let newest = bytes.suffix(Self.mostAtRest / 2).drop { $0 != 0x0A }.dropFirst()
      kept.append(contentsOf: UnsafeRawBufferPointer(rebasing: newest))
    }
    removed += sent - kept.count
    sent = kept.count
    writer.bytes = kept
    earlier = ByteBuffer()
  }

  /// Keeps back what tells of a change, until it is kept.
  mutating func hold(until record: Int) {
    holds.append((record, told))
    told = removed + writer.bytes.count
  }

  /// Lets the bytes go that tell of changes up to a number.
  mutating func release(through record: Int) { holds.removeAll { $0.record <= record } }

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
    while sendableCount > 0, count > 0 {
      send {
        count = systemWrite(descriptor, $0)
        return max(count, 0)
      }
    }
    return sendableCount == 0 || systemCallShouldRetry
  }
}
