package import OffstageJSON

/// The patch of a frame (RFC 6902 with add, remove, replace and move), applied as a front end does.
package struct JSONPatch {
  private let operations: [JSON]

  /// - Throws: `PatchError` if `json` is not an array.
  package init(_ json: JSON) throws {
    guard let operations = json.array else { throw PatchError("a patch is an array: \(json)") }
    self.operations = operations
  }

  /// Returns the document after every operation.
  /// - Throws: `PatchError` for the first operation that does not fit.
  package func apply(to document: JSON) throws -> JSON {
    var result = document
    for operation in operations {
      do { try result.apply(operation) } catch let error as PatchError {
        throw PatchError("\(error) in \(operation)")
      }
    }
    return result
  }
}

package struct PatchError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Splits a JSON Pointer (RFC 6901) into its unescaped tokens.
package func tokens(ofPointer pointer: String) throws -> [String] {
  if pointer.isEmpty { return [] }
  // Bytes, because a combining mark after a slash would hide the slash from a search by character.
  let parts = pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  guard parts[0].isEmpty else { throw PatchError("a pointer begins with a slash: \(pointer)") }
  return parts.dropFirst().map { part in
    var token: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        token.append(byte)
        continue
      }
      token.append(rest.popFirst() == UInt8(ascii: "1") ? UInt8(ascii: "/") : byte)
    }
    return String(decoding: token, as: UTF8.self)
  }
}

extension JSON {
  fileprivate mutating func apply(_ operation: JSON) throws {
    let path = try Self.path("path", of: operation)
    switch operation["op"] {
    case "add": try add(Self.value(of: operation), at: path[...])
    case "replace":
      let value = try Self.value(of: operation)
      try change(at: path[...]) { $0 = value }
    case "remove": _ = try remove(at: path[...])
    case "move":
      let from = try Self.path("from", of: operation)
      if from != path, path.starts(with: from) { throw PatchError("moves a value into itself") }
      try add(remove(at: from[...]), at: path[...])
    default: throw PatchError("unknown operation")
    }
  }

  private static func path(_ name: String, of operation: JSON) throws -> [String] {
    guard let pointer = operation[name]?.string else { throw PatchError("no \"\(name)\"") }
    return try tokens(ofPointer: pointer)
  }

  private static func value(of operation: JSON) throws -> JSON {
    guard let value = operation["value"] else { throw PatchError("no \"value\"") }
    return value
  }

  private mutating func add(_ value: JSON, at path: ArraySlice<String>) throws {
    guard let last = path.last else {
      self = value
      return
    }
    try change(at: path.dropLast()) { parent in
      if case .array(var elements) = parent {
        parent = .null
        elements.insert(value, at: try Self.position(last, upTo: elements.count))
        parent = .array(elements)
      } else {
        try parent.changeObject { $0[last] = value }
      }
    }
  }

  private mutating func remove(at path: ArraySlice<String>) throws -> JSON {
    guard let last = path.last else { throw PatchError("removes the whole document") }
    var removed: JSON?
    try change(at: path.dropLast()) { parent in
      if case .array(var elements) = parent {
        parent = .null
        removed = elements.remove(at: try Self.position(last, upTo: elements.count - 1))
        parent = .array(elements)
      } else {
        try parent.changeObject { object in
          removed = object[last]
          object[last] = nil
        }
      }
    }
    guard let removed else { throw PatchError("no member \"\(last)\"") }
    return removed
  }

  /// Changes the value at a path. Each container is taken out of its enum meanwhile, so that it has
  /// one owner and is not copied.
  private mutating func change(
    at path: ArraySlice<String>, _ body: (inout JSON) throws -> Void
  ) throws {
    guard let first = path.first else { return try body(&self) }
    if case .array(var elements) = self {
      self = .null
      try elements[Self.position(first, upTo: elements.count - 1)].change(
        at: path.dropFirst(), body)
      self = .array(elements)
    } else {
      try changeObject { object in
        guard var member = object[first] else { throw PatchError("no member \"\(first)\"") }
        object[first] = .null
        try member.change(at: path.dropFirst(), body)
        object[first] = member
      }
    }
  }

  private mutating func changeObject(_ body: (inout JSONObject) throws -> Void) throws {
    guard case .object(var object) = self else { throw PatchError("no container there") }
    self = .null
    try body(&object)
    self = .object(object)
  }

  private static func position(_ token: String, upTo last: Int) throws -> Int {
    guard let position = Int(token), String(position) == token, (0..<last + 1).contains(position)
    else { throw PatchError("no position \"\(token)\"") }
    return position
  }
}
