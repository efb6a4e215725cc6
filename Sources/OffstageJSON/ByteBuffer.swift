/// A growable, uniquely owned run of bytes.
package typealias ByteBuffer = GrowingBuffer<UInt8>

/// A growable, uniquely owned run of plain values.
///
/// It avoids the uniqueness check that an array makes at every append. A line is appended in a
/// dozen pieces, and the checks took a sixth of the time.
package struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// nil until the first append.
  @usableFromInline var base: UnsafeMutablePointer<Element>?
  @usableFromInline package internal(set) var count = 0
  @usableFromInline package internal(set) var capacity = 0

  /// Creates an empty buffer without allocating.
  @inlinable package init() {}

  @inlinable deinit { base?.deallocate() }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    (start + count).initialize(to: element)
    count &+= 1
  }

  /// Drops everything, and frees the memory if it is for more than `most` elements.
  @inlinable package mutating func removeAll(keeping most: Int = .max) {
    count = 0
    if capacity > most { self = Self() }
  }

  /// The memory; valid once anything has been reserved.
  @inlinable @inline(__always)
  var start: UnsafeMutablePointer<Element> { base.unsafelyUnwrapped }

  @inlinable @inline(__always)
  mutating func reserve(_ room: Int) {
    if capacity &- count < room { grow(by: room) }
  }

  @inlinable @inline(never)
  mutating func grow(by room: Int) {
    let larger = max(capacity * 2, count + room, 16, 64 / MemoryLayout<Element>.stride)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    if let base {
      memory.initialize(from: base, count: count)
      base.deallocate()
    }
    base = memory
    capacity = larger
  }
}

extension ByteBuffer {
  package var isEmpty: Bool { count == 0 }

  @inlinable @inline(__always)
  package subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "index \(index) out of range 0..<\(count)")
    return start[index]
  }

  @inlinable @inline(__always)
  package var last: UInt8? { count == 0 ? nil : start[count &- 1] }

  /// Calls `body` with the bytes, which are valid only during the call.
  @inlinable @inline(__always)
  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Appends bytes from outside the buffer.
  @inlinable @inline(__always)
  package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Calls `write` with room for `room` bytes and appends as many as it returns.
  @inlinable @inline(__always)
  package mutating func append(upTo room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    reserve(room)
    let written = write(start + count)
    precondition(written >= 0 && written <= room, "wrote more bytes than there was room for")
    count &+= written
  }

  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "cannot truncate \(self.count) to \(count)")
    self.count = count
  }

  package mutating func removeFirst(_ dropped: Int) {
    precondition(dropped >= 0 && dropped <= count, "cannot drop \(dropped) of \(count) bytes")
    count -= dropped
    base?.update(from: start + dropped, count: count)
  }
}

extension [UInt8] {
  package init(_ buffer: borrowing ByteBuffer, from start: Int = 0) {
    self = buffer.withUnsafeBytes { Array($0[start...]) }
  }
}

extension String {
  /// Decodes the bytes as UTF-8, from `start` on.
  package init(_ buffer: borrowing ByteBuffer, from start: Int = 0) {
    self = buffer.withUnsafeBytes {
      String(decoding: UnsafeRawBufferPointer(rebasing: $0[start...]), as: UTF8.self)
    }
  }
}
