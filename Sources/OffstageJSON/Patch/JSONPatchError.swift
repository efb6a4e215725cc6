/// A step of a patch that cannot be read or taken.
package struct JSONPatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong with the step.
  package enum Reason: Error, Hashable, Sendable {
    case nothingThere
    case nothingAtSource(JSONPointer)
    case notAContainer(JSONKind)
    case noPosition(String, count: Int)
    case moveIntoItself
    case removesRoot
    case different(JSON)
    /// The step is no object of the right shape.
    case malformed(String)
  }

  /// Counted from zero.
  package let operation: Int
  /// The step's `path`, or "" where that could not be read.
  package let path: String
  /// What was wrong with it.
  package let reason: Reason

  /// For people: "operation 2 at /a/b: there is nothing".
  package var description: String { "operation \(operation) at \(path): \(reason)" }
}

extension JSONPatchError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingThere: "there is nothing"
    case .nothingAtSource(let from): "there is nothing at \"\(from)\", where it comes from"
    case .notAContainer(let kind): "its parent is of the kind \(kind.name) and has no members"
    case .noPosition(let token, let count): "\"\(token)\" is no position in \(count) elements"
    case .moveIntoItself: "a value cannot be moved into itself"
    case .removesRoot: "the whole value cannot be removed"
    case .different(let found): "the value there is another one: \(found)"
    case .malformed(let what): what
    }
  }
}
