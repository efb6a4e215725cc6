public import Offstage
import OffstageSystem

/// The settings of one run, from its command line.
public struct Environment: Sendable {
  /// True for a reproducible run: built-in data, and nothing kept or fetched by default.
  public let isDeterministic: Bool
  /// True if the app keeps its data for the next run. A deterministic run keeps it only if `--data`
  /// is given.
  public var keepsData: Bool { !isDeterministic || values["data"] != nil }
  /// The clock of the app.
  public let clock: CoreClock
  /// Who uses this session of a host, for a database that all of its sessions share; nil in a process
  /// with one session.
  public let visitor: String?
  /// That this host has the session, if several hosts share the sessions.
  public let lease: SessionLease?
  let app: AppInfo
  private let values: [String: String]

  /// - Parameter clock: nil for the one that the command line asks for.
  init(
    _ arguments: Arguments, _ app: AppInfo, visitor: String? = nil, lease: SessionLease? = nil,
    clock: CoreClock? = nil
  ) {
    isDeterministic = arguments.values["deterministic"] != nil
    self.clock =
      clock
      ?? (isDeterministic ? CoreClock(virtualFrom: CoreClock.deterministicStart) : CoreClock())
    values = arguments.values
    (self.visitor, self.lease) = (visitor, lease)
    self.app = app
  }

  /// The value of one of the program's own options; nil if it was not given.
  public subscript(option: String) -> String? { values[option] }

  /// Prints a warning on standard error, prefixed with the program's name.
  public func warn(_ message: String) {
    StandardStreams.printError("\(app.name): warning: \(message)")
  }

  /// The path of the app's data: `--data` or the platform's default. It may not exist yet.
  /// - Throws: `UsageError` if `--data` starts with `~`, or if the default needs an unset `HOME`.
  public var dataDirectory: String {
    get throws(UsageError) {
      if let path = values["data"] {
        // The shell expands a tilde only at the start of an unquoted word, so not in --data=~/x.
        guard !path.hasPrefix("~") else {
          throw UsageError("--data \(path): the shell did not expand ~; use $HOME")
        }
        return path
      }
      #if !canImport(Darwin)
        // The XDG specification tells programs to ignore a relative path.
        if let data = Self.variable("XDG_DATA_HOME"), data.hasPrefix("/") {
          return "\(data)/\(app.name)"
        }
      #endif
      guard let home = Self.variable("HOME") else {
        throw UsageError("HOME is not set; use --data with an absolute path")
      }
      #if canImport(Darwin)
        return "\(home)/Library/Application Support/\(app.name)"
      #else
        return "\(home)/.local/share/\(app.name)"
      #endif
    }
  }

  /// The language and time zone until a front end sends its own: those of the process, or English
  /// and UTC in a deterministic run.
  package var locale: UserLocale { isDeterministic ? UserLocale() : .ofProcess }

  /// Returns a variable; an empty one counts as unset, as in the XDG specification.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
