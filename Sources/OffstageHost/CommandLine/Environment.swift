public import Offstage
import OffstageSystem

/// What the command line says about this run: an app is composed from it.
public struct Environment: Sendable {
  /// Whether this run must be the same each time: built-in data, nothing kept, nothing fetched
  /// unless an option says so.
  public let isDeterministic: Bool
  /// Where the app keeps what it keeps. It may not be there yet.
  public let dataDirectory: String
  /// The time that the app lives in.
  public let clock: CoreClock
  private let name: String
  private let values: [String: String]

  init(_ arguments: Arguments, name: String) {
    isDeterministic = arguments.values["deterministic"] != nil
    dataDirectory = arguments.values["data"] ?? Self.platformDataDirectory(name)
    clock = isDeterministic ? CoreClock(virtualFrom: Self.start) : CoreClock()
    values = arguments.values
    self.name = name
  }

  /// What was given for one of the program's own options; nil where it was not.
  public subscript(option: String) -> String? { values[option] }

  /// Prints a warning on standard error, after the program's name.
  public func warn(_ message: String) {
    StandardStreams.complain("\(name): warning: \(message)")
  }

  /// 2026-01-01T00:00:00Z, where virtual clocks begin.
  private static var start: Duration { .seconds(1_767_225_600) }

  private static func platformDataDirectory(_ name: String) -> String {
    // An empty variable counts as unset, as the XDG specification has it.
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let home = variable("HOME") ?? "."
    #if canImport(Darwin)
      return "\(home)/Library/Application Support/\(name)"
    #else
      return "\(variable("XDG_DATA_HOME") ?? "\(home)/.local/share")/\(name)"
    #endif
  }
}
