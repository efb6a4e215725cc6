extension JSONView {
  /// Makes a value from this one, by the type's `Decodable` and straight from the text.
  ///
  /// Strings, numbers, truth values, and optionals, arrays and dictionaries of anything are read
  /// without `Decoder`; all else goes through it.
  /// - Throws: `JSONMismatch` with the path from here to what has the wrong shape.
  package func decode<T: Decodable>(_ type: T.Type) throws(JSONMismatch) -> T {
    do {
      return try value(type)
    } catch {
      throw JSONMismatch(error, decoding: self)
    }
  }

  /// Makes a value as `decode` does, with errors as `Decoder` has them. Their paths begin at the
  /// root of the text.
  func value<T: Decodable>(_ type: T.Type) throws -> T {
    // The types of nearly every input, without a conformance having to be looked up.
    if type == String.self { return try unsafeBitCast(String.read(self), to: T.self) }
    if type == String?.self { return try unsafeBitCast(String?.read(self), to: T.self) }
    if type == Bool.self { return try unsafeBitCast(Bool.read(self), to: T.self) }
    if type == Int.self { return try unsafeBitCast(Int.read(self), to: T.self) }
    if type == Double.self { return try unsafeBitCast(Double.read(self), to: T.self) }
    if let readable = type as? any JSONReadable.Type { return try read(readable, as: type) }
    do {
      return try T(from: JSONValueDecoder(view: self))
    } catch DecodingError.dataCorrupted(let context)
      where !(context.underlyingError is JSONMismatch)
    {
      throw corrupted(type, context)
    }
  }

  /// Reads by the type's own reading; both types are the same one.
  private func read<Readable: JSONReadable, T>(_ type: Readable.Type, as same: T.Type) throws -> T {
    try unsafeBitCast(Readable.read(self), to: T.self)
  }
}
