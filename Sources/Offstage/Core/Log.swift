/// Writes to the log, on behalf of the screen that it was created with.
///
/// The log is for developers. What a user should know belongs in an output, in the user's language.
/// Every line names the screen and the request that caused the current work, and may carry `data`
/// for programs that read the log.
/// ```swift
/// save.run { [self] in
///   try await repository.save(draft)
/// } catch: { [self] error in
///   log.error("cannot save the draft: \(error)")
///   output.failed.send(words.saveFailed)
/// }
/// ```
@CoreActor
public struct Log {
  private let node: ScreenNode

  /// Creates the log of the screen that is being created, as ``Effects/init(fileID:line:)`` does.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    node = ScreenNode.beingCreated(for: "Log()", fileID, line)
  }

  /// Logs a failure.
  public func error(_ message: String, data: [String: String] = [:]) {
    write(.error, message, data)
  }

  /// Logs a problem that does not keep the app from working.
  public func warning(_ message: String, data: [String: String] = [:]) {
    write(.warning, message, data)
  }

  /// Logs an event that helps to explain a problem later.
  public func info(_ message: String, data: [String: String] = [:]) {
    write(.info, message, data)
  }

  /// Logs a detail that matters only during development.
  public func debug(_ message: String, data: [String: String] = [:]) {
    write(.debug, message, data)
  }

  private func write(_ level: LogLevel, _ message: String, _ data: [String: String]) {
    node.core.onLog(
      LogRecord(
        level: level, message: message, data: data, cause: node.core.cause?.id, screen: node.id))
  }
}

/// The importance of a log line, the least important first.
package enum LogLevel: String, Codable, CaseIterable, Comparable, Sendable {
  case debug, info, warning, error

  package static func < (a: Self, b: Self) -> Bool {
    allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
  }
}

package struct LogRecord: Sendable {
  package let level: LogLevel
  package let message: String
  /// Values that a program picks out of the line, such as the parameters of an event.
  package let data: [String: String]
  /// The id of the request that caused it, as JSON text.
  package let cause: String?
  /// nil for a line of the core itself.
  package let screen: ScreenID?

  package init(
    level: LogLevel, message: String, data: [String: String] = [:], cause: String? = nil,
    screen: ScreenID? = nil
  ) {
    self.level = level
    self.message = message
    self.data = data
    self.cause = cause
    self.screen = screen
  }
}
