import Testing

@testable import OffstageJSON

@Suite struct ByteBufferTests {
  @Test func appendingGrows() {
    var buffer = ByteBuffer()
    #expect(buffer.isEmpty == true)
    #expect(buffer.last == nil)
    #expect(buffer.capacity == 0)
    buffer.append(contentsOf: UnsafeRawBufferPointer(start: nil, count: 0))
    [UInt8]().withUnsafeBytes { buffer.append(contentsOf: $0) }
    [UInt8](repeating: 7, count: 4).withUnsafeBytes {
      buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[4...]))
    }
    #expect(Array(buffer) == [])
    #expect(buffer.capacity == 0)
    for byte in 0...255 { buffer.append(UInt8(byte)) }
    #expect(Array(buffer) == Array(0...255))
    #expect(buffer.last == 255)
    #expect(buffer[7] == 7)
    let more = [UInt8](repeating: 1, count: 100_000)
    more.withUnsafeBytes { buffer.append(contentsOf: $0) }
    #expect(Array(buffer, from: 256) == more)
  }

  @Test func bytesAreDroppedAtBothEnds() {
    var buffer = ByteBuffer()
    buffer.truncate(to: 0)
    buffer.removeFirst(0)
    for byte in 0..<10 { buffer.append(UInt8(byte)) }
    buffer.removeFirst(3)
    #expect(Array(buffer) == [3, 4, 5, 6, 7, 8, 9])
    buffer.truncate(to: 2)
    #expect(Array(buffer) == [3, 4])
    #expect(buffer.capacity == 64)
    buffer.removeFirst(2)
    #expect(buffer.isEmpty == true)
  }

  @Test func memoryIsFreed() {
    var buffer = ByteBuffer()
    for byte in 0..<UInt8(100) { buffer.append(byte) }
    buffer.removeAll(keeping: 128)
    #expect(buffer.isEmpty == true)
    #expect(buffer.capacity == 128)
    buffer.removeAll(keeping: 127)
    #expect(buffer.isEmpty == true)
    #expect(buffer.capacity == 0)
    buffer.append(1)
    #expect(Array(buffer) == [1])
  }
}
