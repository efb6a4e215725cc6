import OffstageSystem

/// Bytes read from a pipe, split into lines without copying them.
package struct LineBuffer: ~Copyable {
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
  /// The start of the first unread line.
  private var start = 0
  /// There is no LF from `start` to here, so no byte is searched twice.
  private var searched = 0
  private var end = 0

  package init() {}

  deinit { bytes.deallocate() }

  /// Returns the next whole line without its LF, valid until the next call of `fill`.
  package mutating func next() -> UnsafeRawBufferPointer? {
    guard searched < end else { return nil }
    let base = UnsafeRawPointer(bytes.baseAddress!)
    guard let found = memchr(base + searched, 0x0A, end - searched) else {
      searched = end
      return nil
    }
    let position = UnsafeRawPointer(found) - base
    defer {
      start = position + 1
      searched = start
    }
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<position])
  }

  /// Reads once from a descriptor.
  /// - Returns: the result of `read`.
  package mutating func fill(from descriptor: Int32) -> Int {
    makeRoom()
    let count = read(descriptor, bytes.baseAddress! + end, bytes.count - end)
    if count > 0 { end += count }
    return count
  }

  /// Removes and returns all remaining bytes.
  package mutating func takeAll() -> [UInt8] {
    defer { (start, searched, end) = (0, 0, 0) }
    return Array(UnsafeRawBufferPointer(bytes)[start..<end])
  }

  private mutating func makeRoom() {
    if start == end {
      (start, searched, end) = (0, 0, 0)
    } else if end == bytes.count, start > 0 {
      memmove(bytes.baseAddress!, bytes.baseAddress! + start, end - start)
      (start, searched, end) = (0, searched - start, end - start)
    } else if end == bytes.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: bytes.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(bytes))
      bytes.deallocate()
      bytes = larger
    }
  }
}
