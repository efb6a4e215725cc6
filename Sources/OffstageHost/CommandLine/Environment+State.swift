internal import Offstage
internal import OffstageJSON

/// The state of the app, for commands that take it to another machine.
extension Environment {
  /// Returns the state that `--state` keeps as JSON text: the open screens, and what was typed there.
  /// It is at most a second old while the program runs; nil if there is none.
  ///
  /// It does not tell front ends which session it was, so that none can go on with it on the other
  /// machine.
  /// - Throws: ``UsageError`` without `--state`, or an error that names a file that cannot be used.
  @CoreActor
  public func keptState() throws -> String? {
    guard case .object(var state)? = try FilePlace.state(in: stateDirectory, app: app) else {
      return nil
    }
    state["session"] = nil
    return JSON.object(state).description
  }

  /// Leaves the state that ``keptState()`` has returned for the next start with `--state`.
  /// - Throws: ``UsageError`` without `--state`, or an error if the directory has a state already, or
  ///   if the text is not JSON.
  @CoreActor
  public func leaveState(_ text: String) throws {
    try FilePlace.leave(
      try JSON(parsing: text, depth: 2 * Limits.deepest), in: stateDirectory, app: app)
  }

  private var stateDirectory: String {
    get throws(UsageError) {
      guard let path = self["state"] else { throw UsageError("the command needs --state") }
      return path
    }
  }
}
