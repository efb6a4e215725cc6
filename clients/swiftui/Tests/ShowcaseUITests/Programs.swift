import Foundation

/// The programs that the tests run, as `test` names them.
enum Programs {
  static let showcase = ProcessInfo.processInfo.environment["SHOWCASE"]
  /// The conformance app, `Tests/Apps/Meanings`.
  static let meanings = ProcessInfo.processInfo.environment["MEANINGS"]
}
