public import Offstage
import OffstageSystem

/// What the command line says about this run: an app is composed from it.
public struct Environment: Sendable {
  /// Whether this run must be the same each time: built-in data, nothing kept, nothing fetched
  /// unless an option says so.
  public let isDeterministic: Bool
  /// The time that the app lives in.
  public let clock: CoreClock
  private let name: String
  private let values: [String: String]

  init(_ arguments: Arguments, name: String) {
    isDeterministic = arguments.values["deterministic"] != nil
    clock = isDeterministic ? CoreClock(virtualFrom: Self.start) : CoreClock()
    values = arguments.values
    self.name = name
  }

  /// What was given for one of the program's own options; nil where it was not.
  public subscript(option: String) -> String? { values[option] }

  /// The directory for the app's data: `--data`, or the platform's. It may not exist yet.
  /// - Throws: `UsageError` if it depends on a home directory that is not set.
  public var dataDirectory: String {
    get throws(UsageError) {
      guard let path = values["data"] else { return try platformDataDirectory }
      // The shell expands a tilde only at the start of an unquoted word, which excludes --data=~/x.
      guard !path.hasPrefix("~") else {
        throw UsageError("--data \(path): a quoted ~ is not expanded; use \"$HOME\".")
      }
      return path
    }
  }

  /// Prints a warning on standard error, after the program's name.
  public func warn(_ message: String) {
    StandardStreams.complain("\(name): warning: \(message)")
  }

  /// 2026-01-01T00:00:00Z, where virtual clocks begin.
  private static var start: Duration { .seconds(1_767_225_600) }

  private var platformDataDirectory: String {
    get throws(UsageError) {
      #if !canImport(Darwin)
        // The XDG specification has programs ignore a relative path.
        if let data = Self.variable("XDG_DATA_HOME"), data.hasPrefix("/") {
          return "\(data)/\(name)"
        }
      #endif
      guard let home = Self.variable("HOME") else {
        throw UsageError("HOME is not set; choose a directory with --data.")
      }
      #if canImport(Darwin)
        return "\(home)/Library/Application Support/\(name)"
      #else
        return "\(home)/.local/share/\(name)"
      #endif
    }
  }

  /// An empty variable counts as unset, as the XDG specification has it.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
