extension JSON {
  package func decode<T: Decodable>(_ type: T.Type) throws(JSONMismatch) -> T {
    try JSONText(of: self).withRoot { root throws(JSONMismatch) in try root.decode(type) }
  }
}

extension JSONView {
  /// Decodes a value straight from the text.
  ///
  /// Strings, numbers, booleans, and optionals, arrays and dictionaries of anything are read
  /// without a `Decoder`.
  /// - Throws: `JSONMismatch`, with the path from here to the value of the wrong shape.
  package func decode<T: Decodable>(_ type: T.Type) throws(JSONMismatch) -> T {
    do {
      return try value(type)
    } catch {
      throw JSONMismatch(error, decoding: self)
    }
  }

  /// Decodes a value as `decode(_:)` does, but throws the errors of a `Decoder`, whose paths start
  /// at the root of the text.
  @inline(__always)
  func value<T: Decodable>(_ type: T.Type) throws -> T {
    if type == String.self { return try same(String.read(self), as: T.self) }
    if type == String?.self { return try same(String?.read(self), as: T.self) }
    if type == Bool.self { return try same(Bool.read(self), as: T.self) }
    if type == Int.self { return try same(Int.read(self), as: T.self) }
    if type == Double.self { return try same(Double.read(self), as: T.self) }
    return try uncommonValue(type)
  }

  private func uncommonValue<T: Decodable>(_ type: T.Type) throws -> T {
    if let readable = type as? any JSONReadable.Type { return try read(readable, as: type) }
    if let known = FoundationType(type) { return try known.read(self, as: type) }
    return try valueFromDecoder(type)
  }

  fileprivate func valueFromDecoder<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      return try T(from: JSONValueDecoder(view: self))
    } catch DecodingError.dataCorrupted(let context)
      where !(context.underlyingError is JSONMismatch)
    {
      throw corrupted(type, context)
    }
  }

  private func read<Readable: JSONReadable, T>(_ type: Readable.Type, as result: T.Type) throws -> T
  {
    try same(Readable.read(self), as: result)
  }
}

extension JSONView {
  /// Unwraps a value, or throws the error for a value of another kind.
  @inline(__always)
  fileprivate func require<T: JSONReadable>(_ value: T?) throws -> T {
    guard let value else { throw mismatch(T.self) }
    return value
  }
}

/// A type that is read directly, without the machinery of `Decoder`.
protocol JSONReadable {
  /// The description for `JSONMismatch.expected`.
  static var expectation: String { get }

  static func read(_ view: JSONView) throws -> Self
}

extension String: JSONReadable {
  static var expectation: String { "string" }

  static func read(_ view: JSONView) throws -> String { try view.require(view.string) }
}

extension Bool: JSONReadable {
  static var expectation: String { "boolean" }

  static func read(_ view: JSONView) throws -> Bool { try view.require(view.bool) }
}

extension Double: JSONReadable {
  static var expectation: String { "number" }

  static func read(_ view: JSONView) throws -> Double { try view.require(view.double) }
}

extension Float: JSONReadable {
  static var expectation: String { "number" }

  static func read(_ view: JSONView) throws -> Float {
    let value = Float(try Double.read(view))
    guard value.isFinite else {
      throw view.corrupted(self, expected: "number within the range of a 32-bit float")
    }
    return value
  }
}

extension FixedWidthInteger where Self: JSONReadable {
  static var expectation: String { "integer" }

  static func read(_ view: JSONView) throws -> Self {
    if let value = view.int, let exact = Self(exactly: value) { return exact }
    guard view.kind == .number else { throw view.mismatch(self) }
    if view.text.hasLargeIntegers, let exact = Self(String(decoding: view.bytes, as: UTF8.self)) {
      return exact
    }
    let isWhole = view.double.map { $0 == $0.rounded() } ?? false
    let limit = JSONNumber.largestInteger
    let (low, high) =
      view.text.hasLargeIntegers ? (min, max) : (Self(clamping: -limit), Self(clamping: limit))
    throw view.corrupted(self, expected: isWhole ? "integer from \(low) to \(high)" : "integer")
  }
}

extension Int: JSONReadable, JSONWritable {}
extension Int8: JSONReadable, JSONWritable {}
extension Int16: JSONReadable, JSONWritable {}
extension Int32: JSONReadable, JSONWritable {}
extension Int64: JSONReadable, JSONWritable {}
extension UInt: JSONReadable, JSONWritable {}
extension UInt8: JSONReadable, JSONWritable {}
extension UInt16: JSONReadable, JSONWritable {}
extension UInt32: JSONReadable, JSONWritable {}
extension UInt64: JSONReadable, JSONWritable {}
extension Int128: JSONReadable, JSONWritable {}
extension UInt128: JSONReadable, JSONWritable {}

extension Optional: JSONReadable where Wrapped: Decodable {
  static var expectation: String { OffstageJSON.expectation(of: Wrapped.self) }

  static func read(_ view: JSONView) throws -> Wrapped? {
    view.isNull ? nil : try view.value(Wrapped.self)
  }
}

extension Array: JSONReadable where Element: Decodable {
  static var expectation: String { "array" }

  static func read(_ view: JSONView) throws -> [Element] {
    guard view.kind == .array else { throw view.mismatch(self) }
    var result: [Element] = []
    result.reserveCapacity(view.count)
    for element in view.elements { result.append(try element.value(Element.self)) }
    return result
  }
}

extension Dictionary: JSONReadable where Key: Decodable, Value: Decodable {
  static var expectation: String { KeyForm(Key.self) == nil ? "array" : "object" }

  /// If a name repeats, the first member wins.
  /// - Throws: `DecodingError` if two names stand for the same key, because one would be lost.
  static func read(_ view: JSONView) throws -> [Key: Value] {
    guard let form = KeyForm(Key.self), form != .codingKey else {
      return try view.valueFromDecoder(self)
    }
    guard view.kind == .object else { throw view.mismatch(self) }
    var result: [Key: Value] = [:]
    // The names of keys that are not strings.
    var names: [Key: String] = [:]
    result.reserveCapacity(view.count)
    for (member, value) in view.members {
      let name = view.text.string(member.token)
      guard let key = form.key(name, as: Key.self) else {
        throw view.corrupted(self, expected: "names that are values of \(Key.self)")
      }
      guard let other = result.index(forKey: key) else {
        result[key] = try value.value(Value.self)
        if form != .string { names[key] = name }
        continue
      }
      let otherName = names[key] ?? result.keys[other] as! String
      guard otherName.utf8.elementsEqual(name.utf8) else {
        throw view.corrupted(
          self,
          expected: form == .string
            ? "names that differ in more than their Unicode form" : "names of different keys")
      }
    }
    return result
  }
}
