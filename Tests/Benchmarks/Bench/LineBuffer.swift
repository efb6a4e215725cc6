import OffstageSystem

/// Bytes as they come from a pipe, given out as lines without a copy.
struct LineBuffer: ~Copyable {
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
  /// Start of the first line that was not given out.
  private var start = 0
  /// Up to here there is no LF after `start`, so a long line is searched once, not once a read.
  private var searched = 0
  private var end = 0

  deinit { bytes.deallocate() }

  /// The next whole line without its LF. It stays valid until the next call of `fill`.
  mutating func next() -> UnsafeRawBufferPointer? {
    guard searched < end else { return nil }
    let base = UnsafeRawPointer(bytes.baseAddress!)
    guard let found = memchr(base + searched, Int32(newline), end - searched) else {
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
  /// - Returns: What `read` returned.
  mutating func fill(from descriptor: Int32) -> Int {
    makeRoom()
    let count = read(descriptor, bytes.baseAddress! + end, bytes.count - end)
    if count > 0 { end += count }
    return count
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
