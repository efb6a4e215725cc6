/// Bytes that grow at their end and have one owner.
///
/// It does what an array does, but for the proof that nobody else holds the same bytes, which an
/// array asks for at every append. A line is appended in a dozen pieces, so that this was a sixth of
/// all work on one.
package struct ByteBuffer: ~Copyable {
  /// Nil as long as there is no memory.
  @usableFromInline var base: UnsafeMutablePointer<UInt8>?
  @usableFromInline package internal(set) var count = 0
  @usableFromInline package internal(set) var capacity = 0

  /// A buffer without bytes, for which no memory is taken yet.
  package init() {}

  deinit { base?.deallocate() }

  /// Whether there are no bytes.
  package var isEmpty: Bool { count == 0 }

  /// A byte.
  package subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "There are \(count) bytes, and none at \(index).")
    return start[index]
  }

  /// The last byte, or nil where there is none.
  @inlinable @inline(__always)
  package var last: UInt8? { count == 0 ? nil : start[count &- 1] }

  /// Lends the bytes for the time of the call.
  package func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Appends one byte.
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count &+= 1
  }

  /// Appends bytes that are not its own.
  @inlinable @inline(__always)
  package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Appends as many bytes as `write` says that it wrote, of the room that it was lent.
  @inline(__always)
  mutating func append(upTo room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    reserve(room)
    count &+= write(start + count)
  }

  /// Drops the bytes from an index on.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "There are only \(self.count) bytes.")
    self.count = count
  }

  /// Drops the first bytes.
  package mutating func removeFirst(_ dropped: Int) {
    precondition(dropped >= 0 && dropped <= count, "There are only \(count) bytes.")
    count -= dropped
    base?.update(from: start + dropped, count: count)
  }

  /// Drops all bytes, and the memory too if it is more than so much.
  package mutating func removeAll(keeping most: Int = .max) {
    count = 0
    if capacity > most { self = ByteBuffer() }
  }

  /// The memory, where there is some.
  @inlinable @inline(__always)
  var start: UnsafeMutablePointer<UInt8> { base.unsafelyUnwrapped }

  /// Makes room for so many more bytes.
  @inlinable @inline(__always)
  mutating func reserve(_ room: Int) {
    if capacity &- count < room { grow(by: room) }
  }

  @inline(never)
  @usableFromInline mutating func grow(by room: Int) {
    let larger = max(capacity * 2, count + room, 64)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    if let base {
      memory.update(from: base, count: count)
      base.deallocate()
    }
    base = memory
    capacity = larger
  }
}

extension [UInt8] {
  /// A copy of the bytes from an index on.
  package init(_ buffer: borrowing ByteBuffer, from start: Int = 0) {
    self = buffer.withUnsafeBytes { Array($0[start...]) }
  }
}

extension String {
  /// The bytes, which are UTF-8, from an index on.
  package init(_ buffer: borrowing ByteBuffer, from start: Int = 0) {
    self = buffer.withUnsafeBytes {
      String(decoding: UnsafeRawBufferPointer(rebasing: $0[start...]), as: UTF8.self)
    }
  }
}
