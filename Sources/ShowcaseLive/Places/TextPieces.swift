import Foundation
import ShowcaseZlib

/// Text in pieces, decompressed if it begins like a gzip file.
struct TextPieces {
  private let read: () throws -> Data?
  private var inflater: GzipInflater?
  private var hasBegun = false

  /// - Parameter read: Returns the next piece of the source, or nil at the end.
  init(_ read: @escaping () throws -> Data?) { self.read = read }

  /// - Returns: nil at the end.
  /// - Throws: `GzipError`, or what reading throws.
  mutating func next() throws -> Data? {
    if !hasBegun {
      hasBegun = true
      let first = try read()
      guard let first, first.starts(with: [0x1f, 0x8b]) else { return first }
      inflater = try GzipInflater(first)
    }
    guard let inflater else { return try read() }
    while true {
      if let piece = try inflater.next() { return piece }
      guard let input = try read() else {
        try inflater.finish()
        return nil
      }
      inflater.append(input)
    }
  }
}

/// A malformed gzip file.
enum GzipError: Error, Hashable, CustomStringConvertible {
  case malformed, truncated, outOfMemory

  var description: String {
    switch self {
    case .malformed: "invalid gzip data"
    case .truncated: "unexpected end of the gzip data"
    case .outOfMemory: "out of memory"
    }
  }
}

/// Decompresses a gzip file of one or more members. Output has at most 256 KiB at a time, however
/// much the input expands to.
private final class GzipInflater {
  /// On the heap, because zlib's state points back to it.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var input: Data
  private var isBetweenMembers = false

  /// - Throws: `GzipError`.
  init(_ input: Data) throws {
    self.input = input
    stream.initialize(to: z_stream())
    guard showcase_zlib_begin_gzip(stream) == Z_OK else { throw GzipError.outOfMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func append(_ more: Data) { input += more }

  /// - Returns: nil if it needs more input.
  /// - Throws: `GzipError`.
  func next() throws -> Data? {
    var output = Data(count: 1 << 18)
    while !input.isEmpty {
      if isBetweenMembers {
        // Like gzip, ignores what follows the last member.
        guard input.first == 0x1f else {
          input = Data()
          return nil
        }
        inflateReset(stream)
        isBetweenMembers = false
      }
      let (code, consumed, produced) = step(&output)
      guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) else { throw GzipError.malformed }
      input = input.dropFirst(consumed)
      isBetweenMembers = code == Z_STREAM_END
      if produced > 0 { return output.prefix(produced) }
      if consumed == 0 { return nil }
    }
    return nil
  }

  /// - Throws: `GzipError` unless the last member is complete.
  func finish() throws {
    if !isBetweenMembers { throw GzipError.truncated }
  }

  /// Lends both buffers to zlib for one call.
  private func step(_ output: inout Data) -> (code: Int32, consumed: Int, produced: Int) {
    let (available, capacity) = (input.count, output.count)
    return input.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { target in
        // zlib does not write through `next_in`.
        stream.pointee.next_in = UnsafeMutablePointer(
          mutating: source.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(available)
        stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(capacity)
        let code = inflate(stream, Z_NO_FLUSH)
        return (
          code, available - Int(stream.pointee.avail_in), capacity - Int(stream.pointee.avail_out)
        )
      }
    }
  }
}
