/// A JSON text that has been checked whole (RFC 8259 to the letter) and indexed into a flat tape of
/// tokens; no tree of values is built.
///
/// A text owns its bytes. Reading line after line into the same text keeps the buffers, so that in
/// the long run nothing is allocated per line. It is not `Sendable`: one thread reads and looks.
package final class JSONText {
  /// The bytes, followed by eight zeros that let the parser look ahead without asking for the end.
  @exclusivity(unchecked) private(set) var bytes: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private(set) var tape: JSONTape
  /// Counts the readings, so that a view kept from an earlier one is caught and not believed.
  @exclusivity(unchecked) private(set) var generation: UInt32 = 0
  /// Where errors were found in large containers, by the container's token.
  @exclusivity(unchecked) var places: [UInt32: Place] = [:]
  @exclusivity(unchecked) private var capacity: Int

  /// Memory past this many bytes is given back when a text comes that does not need it, so that one
  /// large line does not cost its memory for ever.
  private static let kept = 1 << 20

  /// The longest text that can be read, in bytes: a token counts its members in 28 bits.
  package static let longest = 1 << 29 - 1

  /// An empty text whose root is null until something is read.
  package init() {
    capacity = 1024
    bytes = .allocate(capacity: capacity)
    tape = JSONTape()
  }

  /// Reads a text once.
  /// - Throws: `JSONError` as `read` does.
  package convenience init(_ bytes: [UInt8], depth: Int = 512) throws(JSONError) {
    self.init()
    let read = bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONError) in try self.read(buffer, depth: depth) }
    }
    try read.get()
  }

  /// Reads a string once.
  /// - Throws: `JSONError` as `read` does.
  package convenience init(_ string: String, depth: Int = 512) throws(JSONError) {
    try self.init([UInt8](string.utf8), depth: depth)
  }

  deinit {
    bytes.deallocate()
    tape.deallocate()
  }

  /// Copies and checks a text in place of the one before, whose views become invalid.
  ///
  /// Stricter than RFC 8259 in one point, which section 6 allows: a number that no double can hold,
  /// such as `1e400`, is refused. After an error the text is empty and may be read into again.
  /// - Parameter depth: how many arrays and objects may stand within one another.
  /// - Throws: `JSONError` with the first byte that cannot be right.
  package func read(_ source: UnsafeRawBufferPointer, depth: Int = 512) throws(JSONError) {
    generation &+= 1
    tape.empty(keeping: Self.kept)
    if !places.isEmpty { places = [:] }
    guard source.count <= Self.longest else {
      throw JSONError(
        offset: Self.longest, expected: "at most \(Self.longest) bytes", found: "more")
    }
    copy(source)
    var parser = JSONParser(base: bytes, count: source.count, depth: depth, tape: tape)
    do throws(JSONError) {
      try parser.parse()
      tape = parser.tape
    } catch {
      tape = parser.tape
      tape.empty(keeping: Self.kept)
      throw error
    }
  }

  /// Lends the outermost value, which is null as long as nothing was read.
  @inline(__always)
  package func withRoot<Result, Failure>(
    _ body: (JSONView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(JSONView(text: self, index: 0, generation: generation))
  }

  private func copy(_ source: UnsafeRawBufferPointer) {
    let needed = source.count + JSONParser.padding
    if needed > capacity || capacity > max(Self.kept, needed) {
      bytes.deallocate()
      capacity = needed > Self.kept ? needed : min(needed * 2, Self.kept)
      bytes = .allocate(capacity: capacity)
    }
    if let start = source.baseAddress {
      UnsafeMutableRawPointer(bytes).copyMemory(from: start, byteCount: source.count)
    }
    (bytes + source.count).update(repeating: 0, count: JSONParser.padding)
  }
}
