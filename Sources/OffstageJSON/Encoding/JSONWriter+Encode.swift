extension JSONWriter {
  /// Writes a value by its `Encodable`, in the order in which it names its members.
  ///
  /// Unlike other encoders, this one writes a synthesized optional member that is nil as `null`.
  /// - Throws: `EncodingError` for a number that is not finite, and whatever the value throws. The
  ///   bytes are then as they were before.
  package mutating func encode<T: Encodable>(_ value: T) throws {
    // The types of nearly every output, without a conformance having to be looked up.
    if T.self == String.self { return string(unsafeBitCast(value, to: String.self)) }
    if T.self == String?.self {
      if let value = unsafeBitCast(value, to: String?.self) { string(value) } else { null() }
      return
    }
    if T.self == Bool.self { return bool(unsafeBitCast(value, to: Bool.self)) }
    if T.self == Int.self { return int(unsafeBitCast(value, to: Int.self)) }
    if T.self == Double.self, unsafeBitCast(value, to: Double.self).isFinite {
      return double(unsafeBitCast(value, to: Double.self))
    }
    let sink = JSONSink(taking: &self)
    defer { sink.giveBack(to: &self) }
    let start = sink.mark
    do {
      try sink.encode(value)
      sink.fill()
    } catch {
      sink.rewind(to: start)
      throw error
    }
  }
}
