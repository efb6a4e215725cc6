@testable import OffstageRPC

/// What a reader makes of a stream, however it is cut into pieces.
struct Lines: Equatable {
  enum Line: Equatable {
    case text(String, Int)
    case tooLong(Int)
  }

  private(set) var lines: [Line] = []
  /// The most memory that the reader took.
  private(set) var highWater = 0

  static func == (a: Self, b: Self) -> Bool { a.lines == b.lines }

  /// - Parameter chunks: what is read, one after the other, up to the end of the stream.
  init(_ chunks: some Sequence<some Collection<UInt8>>, limit: Int) {
    var reader = LineReader(limit: limit)
    for chunk in chunks {
      Array(chunk).withUnsafeBytes { reader.append($0) }
      while let line = reader.next() { take(line, reader) }
      highWater = max(highWater, reader.capacity)
    }
    while let line = reader.last() { take(line, reader) }
  }

  private mutating func take(_ line: LineReader.Line, _ reader: borrowing LineReader) {
    switch line {
    case .text(let range, let number):
      lines.append(
        .text(reader.withBytes(of: range) { String(decoding: $0, as: UTF8.self) }, number))
    case .tooLong(let number): lines.append(.tooLong(number))
    }
  }
}
