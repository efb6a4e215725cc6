internal import OffstageJSON
internal import OffstageSystem

package struct LineInput: ~Copyable {
  private let descriptor: Int32
  private var reader: LineReader
  package private(set) var hasEnded = false

  /// - Parameter limit: The longest line, in bytes. Longer ones are skipped.
  package init(_ descriptor: Int32, limit: Int = 1 << 30) {
    self.descriptor = descriptor
    reader = LineReader(limit: limit)
  }

  package mutating func read() {
    let count = reader.read { [descriptor] in systemRead(descriptor, $0) }
    if count == 0 || count < 0 && !systemCallShouldRetry { hasEnded = true }
  }

  /// Waits for the next line; nil after the last one.
  package mutating func wait() -> String? {
    while true {
      if let line = next() { return line }
      if hasEnded { return nil }
      read()
    }
  }

  /// Returns the next line, or nil if more must be read first. The last line needs no line feed.
  package mutating func next() -> String? {
    while let line = reader.next(atEnd: hasEnded) {
      guard case .text(let range, _) = line else { continue }
      return reader.withBytes(of: range) { String(decoding: $0, as: UTF8.self) }
    }
    return nil
  }
}

/// Splits a stream of bytes into lines, in bounded memory.
///
/// Only a line feed ends a line. A carriage return before it is dropped, blank lines are skipped,
/// and a byte order mark at the start of the stream is removed. A line that exceeds the limit is
/// discarded and reported once; the next one is read as usual.
package struct LineReader: ~Copyable {
  package enum Line: Equatable {
    /// A line without its line feed. Numbers count from 1 and include blank lines.
    case text(Range<Int>, number: Int)
    case tooLong(number: Int)
  }

  /// The memory that an empty reader keeps, in bytes.
  private static let kept = 1 << 17

  private static let readLength = 1 << 16

  package let limit: Int
  private(set) var buffer = ByteBuffer()
  /// The start of the incomplete line.
  private var start = 0
  /// The index before which there are no more line feeds.
  private var scanned = 0
  private var number = 0
  private var isDiscarding = false
  private var isAtStart = true

  package init(limit: Int) { self.limit = limit }

  /// The bytes after the lines that `next` has returned.
  package var rest: [UInt8] { buffer.withUnsafeBytes { Array($0[start...]) } }

  /// True unless `next` has found no whole line in what was read.
  package var hasLine: Bool { scanned < buffer.count }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    dropReadLines()
    buffer.append(contentsOf: bytes)
  }

  /// Calls `read` once with a buffer to fill, and adds as many bytes as it returns.
  /// - Returns: The result of `read`; 0 or less adds nothing.
  package mutating func read(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    dropReadLines()
    // Read beside the buffer, which would keep room for as much as could have come: a process may
    // have many readers.
    return withUnsafeTemporaryAllocation(byteCount: Self.readLength, alignment: 16) { memory in
      let count = read(memory)
      if count > 0 { buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: memory[..<count])) }
      return count
    }
  }

  private mutating func dropReadLines() {
    guard start > 0 else { return }
    buffer.removeFirst(start)
    // Don't keep the memory of a long line forever.
    if buffer.isEmpty { buffer.removeAll(keeping: Self.kept) }
    scanned -= start
    start = 0
  }

  /// Returns the next line, or nil if more must be read first.
  /// - Parameter atEnd: True if everything has been read: the last line needs no line feed.
  package mutating func next(atEnd: Bool = false) -> Line? {
    while let end = findLineFeed() {
      let line = start..<end
      start = end + 1
      scanned = start
      if let line = take(line) { return line }
    }
    discardIfTooLong()
    return atEnd ? last() : nil
  }

  private mutating func last() -> Line? {
    let line = start..<buffer.count
    start = buffer.count
    scanned = start
    return line.isEmpty && !isDiscarding ? nil : take(line)
  }

  /// Calls `body` with the bytes of a line, whose range is valid until the next `append` or `read`.
  package func withBytes<Result>(
    of line: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[line])) }
  }

  private mutating func findLineFeed() -> Int? {
    let found = buffer.withUnsafeBytes { bytes -> Int? in
      guard scanned < bytes.count, let base = bytes.baseAddress,
        let end = memchr(base + scanned, 0x0A, bytes.count - scanned)
      else { return nil }
      return UnsafeRawPointer(end) - base
    }
    if found == nil { scanned = buffer.count }
    return found
  }

  /// - Returns: nil for a blank line.
  private mutating func take(_ range: Range<Int>) -> Line? {
    number += 1
    var range = range
    if isAtStart { range = withoutByteOrderMark(range) }
    if isDiscarding {
      isDiscarding = false
      return .tooLong(number: number)
    }
    if !range.isEmpty, buffer[range.upperBound - 1] == 0x0D { range = range.dropLast() }
    if range.count > limit { return .tooLong(number: number) }
    let isBlank = withBytes(of: range) { bytes in
      bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
    return isBlank ? nil : .text(range, number: number)
  }

  @inline(never)
  private mutating func withoutByteOrderMark(_ range: Range<Int>) -> Range<Int> {
    isAtStart = false
    let hasMark = withBytes(of: range) { $0.starts(with: [0xEF, 0xBB, 0xBF]) }
    return hasMark ? range.lowerBound + 3..<range.upperBound : range
  }

  /// Discards an incomplete line that already exceeds the limit.
  private mutating func discardIfTooLong() {
    // A carriage return, and a byte order mark at the start of the stream, do not count.
    let most = limit + 1 + (isAtStart ? 3 : 0)
    if isDiscarding || buffer.count - start > most {
      isDiscarding = true
      isAtStart = false
      buffer.removeAll(keeping: Self.kept)
      start = 0
      scanned = 0
    }
  }
}
