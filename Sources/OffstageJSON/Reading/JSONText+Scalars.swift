extension JSONText {
  /// A value as it stands in the text.
  @inline(__always)
  func bytes(of token: JSONToken) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + Int(token.start), count: Int(token.end &- token.start))
  }

  /// What is between the quotes of a string, escapes and all.
  @inline(__always)
  func content(of token: JSONToken) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + Int(token.start &+ 1), count: Int(token.end &- token.start &- 2))
  }

  /// A string token without its escapes.
  func string(_ token: JSONToken) -> String {
    let content = content(of: token)
    if token.isPlain { return String(decoding: content, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: content.count) {
      JSONEscapes.undo(content, into: $0)
    }
  }

  /// Whether a string token, without its escapes, is these bytes.
  @inline(__always)
  func equals(_ token: JSONToken, _ other: UnsafeRawBufferPointer) -> Bool {
    token.isPlain
      ? content(of: token).isEqual(to: other)
      : withUnescaped(token) { $0.isEqual(to: other) }
  }

  /// Lends a string token's bytes without its escapes.
  func withUnescaped<Result>(
    _ token: JSONToken, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let content = content(of: token)
    if token.isPlain { return body(content) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count) {
      let count = JSONEscapes.undo(content, into: $0)
      return body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[..<count]))
    }
  }

  /// A number token as an exact integer within ±2^53.
  func integer(_ token: JSONToken) -> Int? {
    let bytes = bytes(of: token)
    // Sixteen digits and a sign fit a word, and nearly every integer is that short.
    guard token.isPlain, bytes.count <= 17 else { return JSONDecimal(bytes).integer }
    var magnitude = 0
    let isNegative = bytes[0] == UInt8(ascii: "-")
    for index in (isNegative ? 1 : 0)..<bytes.count {
      magnitude = magnitude &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
    }
    guard magnitude <= JSONNumber.largestInteger else { return nil }
    return isNegative ? -magnitude : magnitude
  }
}
