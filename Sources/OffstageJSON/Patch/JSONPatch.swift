/// A change of a JSON value, as a list of steps (RFC 6902).
package struct JSONPatch: Hashable, Sendable {
  /// One step (section 4).
  package enum Operation: Hashable, Sendable {
    case add(JSONPointer, JSON)
    case remove(JSONPointer)
    case replace(JSONPointer, JSON)
    case move(from: JSONPointer, to: JSONPointer)
    case copy(from: JSONPointer, to: JSONPointer)
    case test(JSONPointer, JSON)
  }

  /// The steps, in the order in which they are taken.
  package var operations: [Operation]

  /// Takes steps that are known.
  package init(_ operations: [Operation]) { self.operations = operations }

  /// The value after all steps; either all of them are taken or none.
  /// - Throws: `JSONPatchError` naming the first step that cannot be taken, and why.
  package func apply(to value: JSON) throws(JSONPatchError) -> JSON {
    var result = value
    for (index, operation) in operations.enumerated() {
      do throws(JSONPatchError.Reason) {
        try operation.apply(to: &result)
      } catch {
        throw JSONPatchError(operation: index, path: operation.path.description, reason: error)
      }
    }
    return result
  }
}

extension JSONPatch.Operation {
  /// The place that the step changes or tests.
  package var path: JSONPointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _):
      path
    }
  }

  func apply(to root: inout JSON) throws(JSONPatchError.Reason) {
    switch self {
    case .add(let path, let value): try root.add(value, at: path.tokens[...])
    case .remove(let path): _ = try root.remove(at: path.tokens[...])
    case .replace(let path, let value): try root.replace(at: path.tokens[...], with: value)
    case .move(let from, let to):
      let isInside =
        to.tokens.count > from.tokens.count
        && JSONPointer(Array(to.tokens.prefix(from.tokens.count))) == from
      if isInside { throw .moveIntoItself }
      if from == to {
        guard from.resolve(in: root) != nil else { throw .nothingAtSource(from) }
        return
      }
      guard from.resolve(in: root) != nil else { throw .nothingAtSource(from) }
      try root.add(try root.remove(at: from.tokens[...]), at: to.tokens[...])
    case .copy(let from, let to):
      guard let value = from.resolve(in: root) else { throw .nothingAtSource(from) }
      try root.add(value, at: to.tokens[...])
    case .test(let path, let value):
      guard let found = path.resolve(in: root) else { throw .nothingThere }
      guard found == value else { throw .different(found) }
    }
  }
}
