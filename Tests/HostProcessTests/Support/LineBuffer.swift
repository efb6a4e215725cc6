import Foundation

/// What was read and is not taken yet.
struct LineBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// Reads once.
  /// - Returns: false at the end.
  mutating func fill(from descriptor: Int32) -> Bool {
    if start == bytes.count { takeAll() }
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    bytes += chunk[..<count]
    return true
  }

  /// The next line, without its end.
  mutating func next() -> String? {
    let length = bytes.withUnsafeBytes { bytes -> Int? in
      guard start < bytes.count, let base = bytes.baseAddress.map({ $0 + start }) else {
        return nil
      }
      return memchr(base, 0x0A, bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
    guard let length else { return nil }
    defer { start += length + 1 }
    return String(decoding: bytes[start..<start + length], as: UTF8.self)
  }

  @discardableResult
  mutating func takeAll() -> [UInt8] {
    defer {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    }
    return start == 0 ? bytes : Array(bytes[start...])
  }
}
