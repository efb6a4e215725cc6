internal import OffstageSystem

/// The lines that are read from a descriptor.
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

  /// Waits for the next line.
  /// - Returns: nil after the last one.
  package mutating func wait() -> [UInt8]? {
    while true {
      if let line = next() { return line }
      if hasEnded { return nil }
      read()
    }
  }

  /// Returns the next line, or nil if more must be read first. The last line needs no line feed.
  package mutating func next() -> [UInt8]? { next { Array($0) } }

  package mutating func nextText() -> String? { next { String(decoding: $0, as: UTF8.self) } }

  private mutating func next<Line>(_ make: (UnsafeRawBufferPointer) -> Line) -> Line? {
    while let line = reader.next(atEnd: hasEnded) {
      if case .text(let range, _) = line { return reader.withBytes(of: range, make) }
    }
    return nil
  }
}
