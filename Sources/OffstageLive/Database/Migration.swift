/// One step in the history of a schema. Its position in the list of a ``Database`` is the version
/// that it leads to.
///
/// A released migration never changes or moves. Every later change is a new migration at the end.
/// ```swift
/// static let noteColors = Migration("ALTER TABLE notes ADD COLUMN color TEXT")
/// ```
public struct Migration: Sendable {
  package let apply: @Sendable (Connection) throws -> Void

  /// Creates a step that runs SQL.
  /// - Parameter script: Any number of statements.
  public init(_ script: String) { apply = { try $0.execute(script: script) } }

  /// Creates a step that runs code.
  public init(apply: @escaping @Sendable (Connection) throws -> Void) { self.apply = apply }
}
