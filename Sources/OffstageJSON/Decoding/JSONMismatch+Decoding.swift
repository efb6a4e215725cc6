// Inside a decoding, errors are `DecodingError`, since authors' `init(from:)` may catch and throw
// them; ours carry the mismatch as their underlying error. Paths begin at the root of the text until
// the outermost value's own path is taken off them.

extension JSONView {
  /// The error for a value of another kind.
  func mismatch(_ type: any JSONReadable.Type) -> DecodingError {
    mismatch(type, expected: type.expectation)
  }

  func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
    let context = context(expected: expected, found: kind.name)
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error for a value of the right kind that the type does not have.
  func refusal(_ type: Any.Type, expected: String) -> DecodingError {
    .dataCorrupted(context(expected: expected, found: excerpt))
  }

  /// The error for a member, or an element, that is not there.
  func missing(_ key: any CodingKey, _ type: Any.Type) -> DecodingError {
    let expected = JSONExpectation.name(of: type)
    let pointer = JSONPointer((path + [key]).map(\.stringValue)).description
    let mismatch = JSONMismatch(path: pointer, expected: expected, found: "nothing")
    return .keyNotFound(
      key,
      .init(codingPath: path, debugDescription: "\(mismatch)", underlyingError: mismatch))
  }

  /// The error of an author's `init(from:)`, or of an enumeration's, with the mismatch worked out.
  func corrupted(_ type: Any.Type, _ context: DecodingError.Context) -> DecodingError {
    let place = context.codingPath.count > path.count ? place(of: context.codingPath) : nil
    let expected = place == nil ? JSONExpectation.rawValue(of: type) : nil
    return (place ?? self).refusal(type, expected: expected ?? context.debugDescription)
  }

  /// The way here from the root of the text.
  var path: [any CodingKey] { text.path(to: index) }

  private func context(expected: String, found: String) -> DecodingError.Context {
    let pointer = text.pointer(to: index)
    let mismatch = JSONMismatch(path: pointer, expected: expected, found: found)
    return .init(codingPath: path, debugDescription: "\(mismatch)", underlyingError: mismatch)
  }

  /// A scalar as it stands in the text, if it is short, or else the kind.
  fileprivate var excerpt: String {
    let isShort = withBytes { $0.count <= 40 } && kind != .array && kind != .object
    return isShort ? String(decoding: bytes, as: UTF8.self) : kind.name
  }

  /// The value at a path from the root of the text, if it is there.
  fileprivate func place(of path: [any CodingKey]) -> JSONView? {
    path.reduce(at(0)) { view, key in
      view.flatMap { $0[key.stringValue] ?? key.intValue.flatMap($0.element) }
    }
  }

  private func element(_ position: Int) -> JSONView? { position < 0 ? nil : self[position] }
}

extension JSONMismatch {
  /// What went wrong in the decoding of a value.
  init(_ error: any Error, decoding view: JSONView) {
    self = Self.absolute(error, decoding: view)
    let prefix = view.text.pointer(to: view.index)
    if path.utf8.starts(with: prefix.utf8) {
      path = String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
  }

  /// The mismatch with its path from the root of the text.
  private static func absolute(_ error: any Error, decoding view: JSONView) -> JSONMismatch {
    guard let error = error as? DecodingError else {
      return JSONMismatch(
        path: view.text.pointer(to: view.index), expected: "\(error)", found: view.excerpt)
    }
    let context = error.context
    if let mismatch = context.underlyingError as? JSONMismatch { return mismatch }
    let path = context.codingPath.count >= view.path.count ? context.codingPath : view.path
    let pointer = JSONPointer(path.map(\.stringValue))
    if case .keyNotFound(let key, _) = error {
      let path = pointer.appending(key.stringValue).description
      return JSONMismatch(path: path, expected: context.debugDescription, found: "nothing")
    }
    return JSONMismatch(
      path: pointer.description, expected: context.debugDescription,
      found: view.place(of: path)?.excerpt ?? "nothing")
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
