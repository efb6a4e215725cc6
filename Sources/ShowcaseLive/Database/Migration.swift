/// One step in the history of the schema; its place in the list is the version that it leads to.
///
/// Each feature brings its own and ``all`` puts them in order. A migration that has been released
/// is never changed or moved; a further change of the schema is a further migration at the end.
public struct Migration: Sendable {
  /// What the step is about, for the message should it fail.
  let name: String
  let apply: @Sendable (Connection) throws -> Void

  /// A step that is SQL alone.
  /// - Parameter script: any number of statements.
  public init(_ name: String, _ script: String) {
    self.init(name) { try $0.execute(script: script) }
  }

  /// A step that needs to compute.
  public init(_ name: String, _ apply: @escaping @Sendable (Connection) throws -> Void) {
    self.name = name
    self.apply = apply
  }
}
