/// A validated JSON text (RFC 8259), indexed as a flat tape of tokens; no tree is built.
///
/// A text owns its bytes. Reading line after line into the same text reuses its buffers, so in the
/// long run nothing is allocated per line. It is not `Sendable`: one thread reads the text and its
/// views.
package final class JSONText {
  // Every access through a view reads these three. Exclusivity checks add 40% to a request.
  /// The bytes, followed by zeros that let the parser look ahead without checking for the end.
  @exclusivity(unchecked) private var buffer = ByteBuffer()
  @exclusivity(unchecked) private(set) var tape = JSONTape()
  /// Counts the reads, so that a view kept from an earlier one traps instead of misreading.
  @exclusivity(unchecked) private(set) var generation: UInt32 = 0
  /// The places of earlier errors in large containers, by the container's token.
  private var landmarks: (generation: UInt32, places: [UInt32: Landmark]) = (0, [:])

  /// True for what this program has written, whose integers may have any size. Those from outside are
  /// limited to ±2^53, since a front end that keeps numbers as doubles would have changed them.
  package var hasLargeIntegers = false

  /// The number of bytes a buffer always keeps. A larger one is freed by the next text that does
  /// not need it, so that one large line does not hold memory forever.
  private static let kept = 1 << 20

  /// The longest text that can be read, in bytes: a token counts its members in 28 bits.
  package static let longest = 1 << 29 - 1

  /// Creates a text whose root is null until something is read.
  package init() {
    copy(UnsafeRawBufferPointer(start: nil, count: 0))
    tape.reset(keeping: Self.kept)
  }

  package convenience init(_ bytes: [UInt8], depth: Int = 512) throws(JSONError) {
    self.init()
    let read = bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONError) in try self.read(buffer, depth: depth) }
    }
    try read.get()
  }

  package convenience init(_ string: String, depth: Int = 512) throws(JSONError) {
    try self.init([UInt8](string.utf8), depth: depth)
  }

  package convenience init(of tree: JSON) {
    self.init(written: tree.encoded)
    hasLargeIntegers = true
  }

  /// Reads what a writer has written. Has no depth limit, because the text is not from outside.
  convenience init(written bytes: [UInt8]) {
    do { try self.init(bytes, depth: .max) } catch {
      fatalError("invalid JSON was written: \(error) in \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// Copies and validates a text in place of the previous one, whose views become invalid.
  ///
  /// Numbers that no double can hold, such as `1e400`, are rejected, which section 6 of RFC 8259
  /// allows. After an error the text is empty and can be read into again.
  /// - Parameter depth: How many arrays and objects may be nested.
  package func read(_ source: UnsafeRawBufferPointer, depth: Int = 512) throws(JSONError) {
    generation &+= 1
    tape.reset(keeping: Self.kept)
    guard source.count <= Self.longest else {
      throw JSONError(
        offset: Self.longest, expected: "at most \(Self.longest) bytes", found: "more")
    }
    copy(source)
    // The parser owns the tape while it appends to it; a class's property would be slower.
    var parser = JSONParser(base: buffer.start, count: source.count, depth: depth)
    swap(&parser.tape, &tape)
    parser.tape.removeAll()
    do throws(JSONError) {
      try parser.parse()
      swap(&parser.tape, &tape)
    } catch {
      swap(&parser.tape, &tape)
      tape.reset(keeping: Self.kept)
      throw error
    }
  }

  /// Calls `body` with the outermost value, which is null until a text is read.
  @inline(__always)
  package func withRoot<Result, Failure>(
    _ body: (JSONView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(JSONView(owner: .passUnretained(self), index: 0, generation: generation))
  }

  private func copy(_ source: UnsafeRawBufferPointer) {
    let needed = source.count + JSONParser.padding
    buffer.removeAll(keeping: max(Self.kept, needed))
    buffer.reserve(needed)
    buffer.append(contentsOf: source)
    buffer.append(upTo: JSONParser.padding) {
      $0.update(repeating: 0, count: JSONParser.padding)
      return JSONParser.padding
    }
  }
}

extension JSONText {
  @inline(__always)
  var bytes: UnsafeMutablePointer<UInt8> { buffer.start }

  @inline(__always)
  func bytes(of token: JSONToken) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + Int(token.start), count: Int(token.end &- token.start))
  }

  /// The bytes between the quotes.
  @inline(__always)
  func content(of token: JSONToken) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + Int(token.start &+ 1), count: Int(token.end &- token.start &- 2))
  }

  func string(_ token: JSONToken) -> String {
    let content = content(of: token)
    if token.isPlain { return String(decoding: content, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: content.count) {
      JSONEscapes.unescape(content, into: $0)
    }
  }

  /// Returns true if a string, without its escapes, equals `other`.
  @inline(__always)
  func equals(_ token: JSONToken, _ other: UnsafeRawBufferPointer) -> Bool {
    token.isPlain
      ? content(of: token).isEqual(to: other)
      : unescapedEquals(token, other)
  }

  @inline(never)
  private func unescapedEquals(_ token: JSONToken, _ other: UnsafeRawBufferPointer) -> Bool {
    withUnescaped(token) { $0.isEqual(to: other) }
  }

  func withUnescaped<Result>(
    _ token: JSONToken, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let content = content(of: token)
    if token.isPlain { return body(content) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count) {
      let count = JSONEscapes.unescape(content, into: $0)
      return body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[..<count]))
    }
  }
}

// Reading and decoding do not track where they are. The path to a token is recovered from the tape
// in the rare case that an error names it.
extension JSONText {
  /// The last place found in a large container. A type that tries several shapes causes an error
  /// per element, and searching from the start each time would be quadratic.
  private struct Landmark {
    var value: UInt32
    var position: Int
  }

  /// Returns the keys from one value down to a value, or a member's name, within it.
  func path(to target: UInt32, from root: UInt32 = 0) -> [JSONKey] {
    if landmarks.generation != generation { landmarks = (generation, [:]) }
    var path: [JSONKey] = []
    var container = root
    while container < target {
      let isObject = tape.start[Int(container)].isObject
      var place = Landmark(value: container + (isObject ? 2 : 1), position: 0)
      if let latest = landmarks.places[container], latest.value <= target { place = latest }
      while tape.start[Int(place.value)].next <= target {
        place.value = tape.start[Int(place.value)].next + (isObject ? 1 : 0)
        place.position += 1
      }
      if place.position > 64 { landmarks.places[container] = place }
      path.append(
        isObject
          ? .name(string(tape.start[Int(place.value - 1)])) : .position(place.position))
      container = place.value
    }
    return path
  }

  func pointer(to target: UInt32, from root: UInt32 = 0) -> String {
    JSONPointer(path(to: target, from: root)).description
  }
}
