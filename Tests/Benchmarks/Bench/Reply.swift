import OffstageSystem

/// What a line from a core is, told from its first bytes: a benchmark must not spend its time on
/// parsing. It relies on the order of an envelope's members, which the peers share with the core;
/// a line in another order counts as a failure and stops the benchmark rather than bend it.
enum Reply {
  case frame
  case response
  case failure

  init(_ line: UnsafeRawBufferPointer) {
    let start = "{\"jsonrpc\":\"2.0\",".utf8.count
    if Self.has("\"method\":\"frame\"", in: line, at: start) {
      self = .frame
    } else if Self.has("\"id\":", in: line, at: start),
      let comma = line[(start + 1)...].firstIndex(of: UInt8(ascii: ",")),
      Self.has("\"result\":", in: line, at: comma + 1)
    {
      self = .response
    } else {
      self = .failure
    }
  }

  private static func has(
    _ text: StaticString, in line: UnsafeRawBufferPointer, at offset: Int
  ) -> Bool {
    guard line.count >= offset + text.utf8CodeUnitCount else { return false }
    return memcmp(line.baseAddress! + offset, text.utf8Start, text.utf8CodeUnitCount) == 0
  }
}
