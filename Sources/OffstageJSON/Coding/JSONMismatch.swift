/// A value that does not have the expected shape.
package struct JSONMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The JSON Pointer (RFC 6901) from the decoded value; "" is the value itself.
  package var path: String
  /// The expected value, such as `number`, `integer from 0 to 255`, or `one of "asc", "desc"`.
  package var expected: String
  /// The kind of the value, such as `string`, or `nothing` for a missing member.
  package var found: String
  /// The JSON text of the value, if it is a short scalar of the right kind.
  package var value: String?

  package init(path: String, expected: String, found: String, value: String? = nil) {
    self.path = path
    self.expected = expected
    self.found = found
    self.value = value
  }

  /// A text that is not one of those expected.
  package init(path: String, expected: String, text: String) {
    self.init(
      path: path, expected: expected, found: "string", value: JSON.string(text).description)
  }

  package var description: String {
    "expected \(expected)\(path.isEmpty ? "" : " at \(path)"), found \(value ?? found)"
  }

  package static func expected(oneOf values: [JSON]) -> String {
    "one of \(values.map(\.description).joined(separator: ", "))"
  }
}

// During decoding, errors are `DecodingError`s, which an author's `init(from:)` may catch and
// throw. Ours carry the mismatch as their underlying error. Their paths start at the root of the
// text; the path of the outermost value is removed at the end.

extension JSONView {
  func mismatch(_ type: any JSONReadable.Type) -> DecodingError {
    mismatch(type, expected: type.expectation)
  }

  func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
    let context = context(expected: expected)
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Returns the error for a value of the right kind that the type cannot hold.
  func corrupted(_ type: Any.Type, expected: String) -> DecodingError {
    .dataCorrupted(context(expected: expected, value: excerpt))
  }

  func missing(_ key: any CodingKey, _ type: Any.Type) -> DecodingError {
    let expected = expectation(of: type)
    let pointer = JSONPointer(path + [key]).description
    let mismatch = JSONMismatch(path: pointer, expected: expected, found: "nothing")
    return .keyNotFound(
      key,
      .init(codingPath: path, debugDescription: "\(mismatch)", underlyingError: mismatch))
  }

  /// Returns the error of an author's or an enumeration's `init(from:)`, with a mismatch.
  func corrupted(_ type: Any.Type, _ context: DecodingError.Context) -> DecodingError {
    let place = context.codingPath.count > path.count ? place(of: context.codingPath) : nil
    let expected = place == nil ? rawValueExpectation(of: type) : nil
    return (place ?? self).corrupted(type, expected: expected ?? context.debugDescription)
  }

  var path: [any CodingKey] { text.path(to: index) }

  private func context(expected: String, value: String? = nil) -> DecodingError.Context {
    let pointer = text.pointer(to: index)
    let mismatch = JSONMismatch(
      path: pointer, expected: expected, found: kind.name, value: value)
    return .init(codingPath: path, debugDescription: "\(mismatch)", underlyingError: mismatch)
  }

  /// A short scalar as it stands in the text; nil for anything else.
  package var excerpt: String? {
    let isShort = withBytes { $0.count <= 40 } && kind != .array && kind != .object
    return isShort ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Returns the value at a path from the root of the text.
  fileprivate func place(of path: [any CodingKey]) -> JSONView? {
    path.reduce(at(0)) { view, key in
      view.flatMap { $0[key.stringValue] ?? key.intValue.flatMap { view?[$0] } }
    }
  }
}

extension JSONMismatch {
  init(_ error: any Error, decoding view: JSONView) {
    self = Self.absolute(error, decoding: view)
    let prefix = view.text.pointer(to: view.index)
    if path.utf8.starts(with: prefix.utf8) {
      path = String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
  }

  /// Returns the mismatch, with its path from the root of the text.
  private static func absolute(_ error: any Error, decoding view: JSONView) -> JSONMismatch {
    guard let error = error as? DecodingError else {
      return JSONMismatch(
        path: view.text.pointer(to: view.index), expected: "\(error)", found: view.kind.name,
        value: view.excerpt)
    }
    let context = error.context
    if let mismatch = context.underlyingError as? JSONMismatch { return mismatch }
    let path = context.codingPath.count >= view.path.count ? context.codingPath : view.path
    if case .keyNotFound(let key, _) = error {
      return JSONMismatch(
        path: JSONPointer(path + [key]).description, expected: context.debugDescription,
        found: "nothing")
    }
    return JSONMismatch(
      path: JSONPointer(path).description, expected: context.expected,
      found: view.place(of: path)?.kind.name ?? "nothing", value: view.place(of: path)?.excerpt)
  }
}

extension DecodingError {
  fileprivate var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "\(self)")
    }
  }
}

extension DecodingError.Context {
  /// The author's message, or ours for the synthesized decoding of an enum with associated values.
  fileprivate var expected: String {
    debugDescription == "Invalid number of keys found, expected one."
      ? "object with one member, named after a case" : debugDescription
  }
}

/// Describes the JSON that a type decodes from, such as `string`, `one of "asc", "desc"`, or
/// `value` if unknown.
func expectation(of type: Any.Type) -> String {
  if let readable = type as? any JSONReadable.Type { return readable.expectation }
  return rawValueExpectation(of: type) ?? "value"
}

/// Describes the raw values that an enumeration accepts; nil for any other type.
private func rawValueExpectation(of type: Any.Type) -> String? {
  func values<Cases: CaseIterable>(_ type: Cases.Type) -> [JSON] {
    type.allCases.compactMap { value in
      ((value as? any RawRepresentable)?.rawValue as? any Encodable).map { JSON(encoding: $0) }
    }
  }
  guard let raw = type as? any RawRepresentable.Type else { return nil }
  if let cases = raw as? any CaseIterable.Type {
    return JSONMismatch.expected(oneOf: values(cases))
  }
  return "value of \(raw)"
}
