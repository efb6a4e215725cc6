import OffstageJSON
import Testing

@testable import OffstageRPC

/// A stream yields the same lines however it is cut into chunks.
@Suite struct LineReaderTests {
  static let bom = "\u{FEFF}"

  @Test(
    arguments: [
      ("", []),
      ("\n\r\n \t\r\n\n", []),
      ("a", [.text("a", 1)]),
      ("a\n", [.text("a", 1)]),
      ("a\nb", [.text("a", 1), .text("b", 2)]),
      ("\na\n\n\nb\n", [.text("a", 2), .text("b", 5)]),
      ("a\r\nb\r\r\nc\rd\r", [.text("a", 1), .text("b\r", 2), .text("c\rd", 3)]),
      (bom + "a\n" + bom + "b", [.text("a", 1), .text(bom + "b", 2)]),
      (bom + "\r\na", [.text("a", 2)]),
      (bom, []),
      (bom + bom + "a", [.text(bom + "a", 1)]),
      ("\n" + bom + "a", [.text(bom + "a", 2)]),
      (
        "é\u{2028}\u{85}\u{0B}\u{0C}x\nb",
        [.text("é\u{2028}\u{85}\u{0B}\u{0C}x", 1), .text("b", 2)]
      ),
      (" a \n", [.text(" a ", 1)]),
    ] as [(String, [Lines.Line])])
  func streamsAreSplit(stream: String, expected: [Lines.Line]) {
    check(stream, limit: 100, expected)
  }

  @Test(
    arguments: [
      ("12345678\nb", [.text("12345678", 1), .text("b", 2)]),
      ("12345678\r\nb", [.text("12345678", 1), .text("b", 2)]),
      ("123456789\nb", [.tooLong(1), .text("b", 2)]),
      ("123456789\r\nb", [.tooLong(1), .text("b", 2)]),
      ("1234567890\nb", [.tooLong(1), .text("b", 2)]),
      (
        "12345678901234567890\n\nb\n123456789\nc",
        [
          .tooLong(1), .text("b", 3), .tooLong(4), .text("c", 5),
        ]
      ),
      ("12345678", [.text("12345678", 1)]),
      ("123456789", [.tooLong(1)]),
      ("a\n1234567890123", [.text("a", 1), .tooLong(2)]),
      (bom + "12345678\nb", [.text("12345678", 1), .text("b", 2)]),
      (bom + "12345678\r\nb", [.text("12345678", 1), .text("b", 2)]),
      (bom + "123456789\nb", [.tooLong(1), .text("b", 2)]),
      ("12345678901\n" + bom + "a", [.tooLong(1), .text(bom + "a", 2)]),
      ("         \nb", [.tooLong(1), .text("b", 2)]),
    ] as [(String, [Lines.Line])])
  func longLinesAreReportedOnce(stream: String, expected: [Lines.Line]) {
    check(stream, limit: 8, expected)
  }

  @Test func memoryIsBoundedForALongLine() {
    let limit = 1 << 16
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 14)
    let long = Array(repeating: piece, count: (20 << 20) / piece.count)
    let lines = Lines(long + [Array("\n{}\n".utf8)], limit: limit)
    #expect(lines.lines == [.tooLong(1), .text("{}", 2)])
    #expect(lines.highWater <= 4 * limit, "the reader took \(lines.highWater) bytes")
  }

  @Test func memoryIsBoundedForManyLines() {
    let chunks = Array(
      repeating: Array("\(String(repeating: "x", count: 999))\n".utf8), count: 5_000)
    let lines = Lines(chunks, limit: 1_000)
    #expect(lines.lines.count == 5_000)
    #expect(lines.highWater <= 10_000, "the reader took \(lines.highWater) bytes")
  }

  @Test(arguments: [4 << 20, 16 << 20])
  func memoryOfALongLineIsFreed(length: Int) {
    var reader = LineReader(limit: 8 << 20)
    let line = [UInt8](repeating: 0x78, count: length) + [0x0A]
    line.withUnsafeBytes { reader.append($0) }
    #expect(reader.next() != nil)
    Array("a".utf8).withUnsafeBytes { reader.append($0) }
    #expect(reader.buffer.capacity <= 1 << 20)
    #expect(reader.next(atEnd: true) == .text(0..<1, number: 2))
  }

  @Test func nothingFollowsTheLastLine() {
    var reader = LineReader(limit: 10)
    Array("a\nb".utf8).withUnsafeBytes { reader.append($0) }
    #expect(reader.next() == .text(0..<1, number: 1))
    #expect(reader.next() == nil)
    #expect(reader.next(atEnd: true) == .text(2..<3, number: 2))
    #expect(reader.next(atEnd: true) == nil)
    #expect(reader.next() == nil)
  }

  /// Reads the stream whole, cut in two at every offset, and in pieces of every size.
  private func check(
    _ stream: String, limit: Int, _ expected: [Lines.Line],
    _ location: SourceLocation = #_sourceLocation
  ) {
    let bytes = Array(stream.utf8)
    #expect(
      Lines([bytes], limit: limit).lines == expected, "in one piece", sourceLocation: location)
    for cut in bytes.indices {
      let lines = Lines([bytes[..<cut], bytes[cut...]], limit: limit)
      #expect(lines.lines == expected, "cut at \(cut)", sourceLocation: location)
    }
    for size in 1..<max(bytes.count, 2) {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        bytes[$0..<min($0 + size, bytes.count)]
      }
      #expect(
        Lines(pieces, limit: limit).lines == expected, "in pieces of \(size)",
        sourceLocation: location)
    }
  }
}

/// The lines that a reader finds in a stream of chunks.
struct Lines: Equatable {
  enum Line: Equatable {
    case text(String, Int)
    case tooLong(Int)
  }

  private(set) var lines: [Line] = []
  /// The most memory the reader used.
  private(set) var highWater = 0

  static func == (a: Self, b: Self) -> Bool { a.lines == b.lines }

  /// - Parameter chunks: the reads, in order, up to the end of the stream.
  init(_ chunks: some Sequence<some Collection<UInt8>>, limit: Int) {
    var reader = LineReader(limit: limit)
    for chunk in chunks {
      Array(chunk).withUnsafeBytes { reader.append($0) }
      while let line = reader.next() { take(line, reader) }
      highWater = max(highWater, reader.buffer.capacity)
    }
    while let line = reader.next(atEnd: true) { take(line, reader) }
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
