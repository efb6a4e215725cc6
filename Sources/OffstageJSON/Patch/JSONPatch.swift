/// The patch of a frame (RFC 6902 with add, remove, replace, and move), applied as a front end does.
package struct JSONPatch: Sendable {
  private let operations: [JSON]

  /// - Throws: `JSONPatchError` if `json` is not an array.
  package init(_ json: JSON) throws(JSONPatchError) {
    guard let operations = json.array else { throw JSONPatchError("a patch is an array: \(json)") }
    self.operations = operations
  }

  /// Changes a document in place: a change costs what it changes, as long as nothing else holds on to
  /// the same containers.
  /// - Throws: `JSONPatchError` for the first operation that does not fit; the document is then as
  ///   before, apart from the order of its members.
  package func apply(to document: inout JSON) throws(JSONPatchError) {
    var inverses: [Inverse] = []
    for operation in operations {
      do {
        try document.apply(operation, &inverses)
      } catch {
        for inverse in inverses.reversed() { try document.apply(inverse) }
        throw JSONPatchError("\(error) in \(operation)")
      }
    }
  }

  /// A step that takes back an operation.
  fileprivate enum Inverse {
    case add(JSON, at: [String])
    case remove(at: [String])
    case set(JSON, at: [String])
  }
}

/// An operation that does not fit the document.
package struct JSONPatchError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension JSONPointer {
  /// Splits a pointer (RFC 6901) into its unescaped tokens.
  package static func tokens(of pointer: String) throws(JSONPatchError) -> [String] {
    if pointer.isEmpty { return [] }
    // Bytes, because a combining mark after a slash would hide the slash from a search by character.
    let parts = pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts[0].isEmpty else {
      throw JSONPatchError("a pointer begins with a slash: \(pointer)")
    }
    return try parts.dropFirst().map { part throws(JSONPatchError) in
      guard part.contains(UInt8(ascii: "~")) else { return String(Substring(part)) }
      var token: [UInt8] = []
      var rest = part
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "~") else {
          token.append(byte)
          continue
        }
        switch rest.popFirst() {
        case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
        default: throw JSONPatchError("a ~ without 0 or 1 after it: \(pointer)")
        }
      }
      return String(decoding: token, as: UTF8.self)
    }
  }
}

extension JSON {
  fileprivate mutating func apply(
    _ operation: JSON, _ inverses: inout [JSONPatch.Inverse]
  ) throws(JSONPatchError) {
    let path = try Self.path("path", of: operation)
    switch operation["op"] {
    case "add":
      inverses.append(try add(Self.value(of: operation), at: path))
    case "replace":
      inverses.append(.set(try set(Self.value(of: operation), at: path), at: path))
    case "remove":
      inverses.append(.add(try remove(at: path), at: path))
    case "move":
      let from = try Self.path("from", of: operation)
      if from != path, path.starts(with: from) {
        throw JSONPatchError("moves a value into itself")
      }
      let value = try remove(at: from)
      inverses.append(.add(value, at: from))
      inverses.append(try add(value, at: path))
    default: throw JSONPatchError("unknown operation")
    }
  }

  fileprivate mutating func apply(_ inverse: JSONPatch.Inverse) throws(JSONPatchError) {
    switch inverse {
    case .add(let value, let path): _ = try add(value, at: path)
    case .remove(let path): _ = try remove(at: path)
    case .set(let value, let path): _ = try set(value, at: path)
    }
  }

  private static func path(
    _ name: String, of operation: JSON
  ) throws(JSONPatchError) -> [String] {
    guard let pointer = operation[name]?.string else { throw JSONPatchError("no \"\(name)\"") }
    return try JSONPointer.tokens(of: pointer)
  }

  private static func value(of operation: JSON) throws(JSONPatchError) -> JSON {
    guard let value = operation["value"] else { throw JSONPatchError("no \"value\"") }
    return value
  }

  private mutating func add(
    _ value: JSON, at path: [String]
  ) throws(JSONPatchError) -> JSONPatch.Inverse {
    guard let last = path.last else { return .set(try set(value, at: path), at: path) }
    var inverse = JSONPatch.Inverse.remove(at: path)
    try change(at: path.dropLast()) { parent throws(JSONPatchError) in
      if case .array(var elements) = parent {
        let position = try Self.position(last, upTo: elements.count)
        parent = .null
        elements.insert(value, at: position)
        parent = .array(elements)
      } else {
        try parent.changeObject { object throws(JSONPatchError) in
          if let old = object[last] { inverse = .set(old, at: path) }
          object[last] = value
        }
      }
    }
    return inverse
  }

  /// - Returns: The value that was there.
  private mutating func set(_ value: JSON, at path: [String]) throws(JSONPatchError) -> JSON {
    var old = JSON.null
    try change(at: path[...]) { place throws(JSONPatchError) in
      old = place
      place = value
    }
    return old
  }

  private mutating func remove(at path: [String]) throws(JSONPatchError) -> JSON {
    guard let last = path.last else { throw JSONPatchError("removes the whole document") }
    var removed: JSON?
    try change(at: path.dropLast()) { parent throws(JSONPatchError) in
      if case .array(var elements) = parent {
        let position = try Self.position(last, upTo: elements.count - 1)
        parent = .null
        removed = elements.remove(at: position)
        parent = .array(elements)
      } else {
        try parent.changeObject { object throws(JSONPatchError) in
          removed = object[last]
          object[last] = nil
        }
      }
    }
    guard let removed else { throw JSONPatchError("no member \"\(last)\"") }
    return removed
  }

  /// Changes the value at a path. Each container is taken out of its enum for the change, so that it has
  /// one owner and is not copied; whatever is thrown, it is put back.
  private mutating func change(
    at path: ArraySlice<String>, _ body: (inout JSON) throws(JSONPatchError) -> Void
  ) throws(JSONPatchError) {
    guard let first = path.first else { return try body(&self) }
    if case .array(var elements) = self {
      let position = try Self.position(first, upTo: elements.count - 1)
      self = .null
      defer { self = .array(elements) }
      try elements[position].change(at: path.dropFirst(), body)
    } else {
      try changeObject { object throws(JSONPatchError) in
        guard var member = object[first] else { throw JSONPatchError("no member \"\(first)\"") }
        object[first] = .null
        defer { object[first] = member }
        try member.change(at: path.dropFirst(), body)
      }
    }
  }

  private mutating func changeObject(
    _ body: (inout JSONObject) throws(JSONPatchError) -> Void
  ) throws(JSONPatchError) {
    guard case .object(var object) = self else { throw JSONPatchError("no container there") }
    self = .null
    defer { self = .object(object) }
    try body(&object)
  }

  private static func position(_ token: String, upTo last: Int) throws(JSONPatchError) -> Int {
    guard let position = position(token), position <= last else {
      throw JSONPatchError("no position \"\(token)\"")
    }
    return position
  }

  /// The position that a token of a pointer stands for. It has no sign and no leading zeros.
  private static func position(_ token: String) -> Int? {
    guard let position = Int(token), position >= 0, String(position) == token else { return nil }
    return position
  }

  /// The member or element that a token of a pointer stands for.
  package func child(_ token: String) -> JSON? {
    self[token] ?? Self.position(token).flatMap { self[$0] }
  }
}
