extension JSON {
  /// Applies the patch of a frame (RFC 6902 with add, remove, replace, and move; and append) as a front
  /// end does. Copies nothing, as long as nothing else references the containers that change.
  /// - Throws: `JSONPatchError` for the first operation that does not fit. The document is then
  ///   unchanged, apart from the order of its members.
  package mutating func apply(_ patch: JSON) throws(JSONPatchError) {
    guard let operations = patch.array else {
      throw JSONPatchError("a patch is an array: \(patch)")
    }
    var undo: [PatchStep] = []
    for operation in operations {
      do {
        try apply(operation, &undo)
      } catch {
        for step in undo.reversed() { _ = try put(step) }
        throw JSONPatchError("\(error) in \(operation)")
      }
    }
  }
}

/// A value to put at a path; nil to remove the one there.
private struct PatchStep {
  let value: JSON?
  let path: ArraySlice<String>
  /// True to insert the value, which moves the later elements of an array.
  let isNew: Bool

  /// The same step, seen from the value at the first token of the path.
  var inner: PatchStep { PatchStep(value: value, path: path.dropFirst(), isNew: isNew) }
}

/// An operation that does not fit the document.
package struct JSONPatchError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension JSONPointer {
  /// Splits a pointer (RFC 6901) into its unescaped tokens.
  package static func tokens(of pointer: String) throws(JSONPatchError) -> [String] {
    if pointer.isEmpty { return [] }
    // Search bytes, because a combining mark would hide the slash before it from a search by
    // character.
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
  /// - Parameter undo: The steps that undo the operations, to be applied in reverse order.
  fileprivate mutating func apply(
    _ operation: JSON, _ undo: inout [PatchStep]
  ) throws(JSONPatchError) {
    func put(
      _ value: JSON?, at path: [String], isNew: Bool = false
    ) throws(JSONPatchError) -> JSON? {
      let old = try self.put(PatchStep(value: value, path: path[...], isNew: isNew))
      undo.append(PatchStep(value: old, path: path[...], isNew: value == nil))
      return old
    }
    let path = try Self.path("path", of: operation)
    switch operation["op"] {
    case "add": _ = try put(Self.value(of: operation), at: path, isNew: true)
    case "replace": _ = try put(Self.value(of: operation), at: path)
    case "remove": _ = try put(nil, at: path)
    case "move":
      let from = try Self.path("from", of: operation)
      if from != path, path.starts(with: from) {
        throw JSONPatchError("moves a value into itself")
      }
      _ = try put(put(nil, at: from), at: path, isNew: true)
    case "append":
      let old = path.reduce(self) { (value: JSON?, token) in value?.child(token) }
      guard let old = old?.string, let end = try Self.value(of: operation).string else {
        throw JSONPatchError("appends to a string only")
      }
      _ = try put(.string(old + end), at: path)
    default: throw JSONPatchError("unknown operation")
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

  /// Takes each container out of its enum for the change, so that it has one owner and is not
  /// copied, and puts it back, even after an error.
  /// - Returns: The value that was there; nil if there was none.
  fileprivate mutating func put(_ step: PatchStep) throws(JSONPatchError) -> JSON? {
    guard let token = step.path.first else {
      guard let value = step.value else { throw JSONPatchError("removes the whole document") }
      defer { self = value }
      return self
    }
    let isLast = step.path.count == 1
    switch self {
    case .array(var elements):
      let inserted = isLast && step.isNew ? step.value : nil
      guard let position = Self.position(token),
        position < elements.count + (inserted == nil ? 0 : 1)
      else { throw JSONPatchError("no position \"\(token)\"") }
      self = .null
      defer { self = .array(elements) }
      guard isLast else { return try elements[position].put(step.inner) }
      if let inserted {
        elements.insert(inserted, at: position)
        return nil
      }
      let old = elements[position]
      if let value = step.value {
        elements[position] = value
      } else {
        elements.remove(at: position)
      }
      return old
    case .object(var object):
      self = .null
      defer { self = .object(object) }
      var member = object[token]
      guard member != nil || isLast && step.isNew else {
        throw JSONPatchError("no member \"\(token)\"")
      }
      object[token] = isLast ? step.value : .null
      guard !isLast else { return member }
      defer { object[token] = member }
      return try member?.put(step.inner)
    case .null, .bool, .number, .string: throw JSONPatchError("no container there")
    }
  }

  /// Returns the position that a pointer's token stands for. It has no sign and no leading zeros.
  private static func position(_ token: String) -> Int? {
    guard let position = Int(token), position >= 0, String(position) == token else { return nil }
    return position
  }

  /// Returns the member or element that a pointer's token stands for.
  package func child(_ token: String) -> JSON? {
    self[token] ?? Self.position(token).flatMap { self[$0] }
  }
}
