package import Offstage
package import OffstageJSON
internal import OffstageSystem
internal import Synchronization

/// The last checkpoint: the state of a core as a file.
///
/// It may contain what the user has typed, so only the user can read it.
final class StateFile: Sendable {
  let path: String
  private let app: AppInfo
  /// The number of the newest checkpoint that was written; locked while one is written.
  private let newest = Mutex(-1)

  init(_ path: String, app: AppInfo) { (self.path, self.app) = (path, app) }

  static let version = 2

  /// A state, and the journal that goes on from it.
  struct Checkpoint {
    var state: JSON
    var journal: UInt64
    /// The number of the last record that the state contains.
    var record: Int
  }

  /// - Returns: nil if there is no file.
  func read() throws(FileError) -> Checkpoint? {
    guard access(path, F_OK) == 0 else { return nil }
    let bytes = try PrivateFiles.read(path)
    func refuse(_ problem: String) -> FileError { FileError(description: "\(path) \(problem)") }
    guard let text = String(validating: bytes, as: UTF8.self),
      // A value of the deepest line is deeper in the file.
      let file = try? JSON(parsing: text, depth: 2 * Limits.deepest)
    else { throw refuse("is damaged") }
    guard file["version"]?.int == Self.version else { throw refuse("is of another version") }
    guard file["app"]?["name"]?.string == app.name else { throw refuse("is of another app") }
    guard let state = file["state"], let record = file["record"]?.int,
      let journal = file["journal"]?.string.flatMap({ UInt64($0, radix: 16) })
    else { throw refuse("is damaged") }
    return Checkpoint(state: state, journal: journal, record: record)
  }

  func text(of checkpoint: Checkpoint) -> [UInt8] {
    let file: JSON = [
      "version": .int(Self.version),
      "app": ["name": .string(app.name)],
      "journal": .string(checkpoint.journal.hexadecimal()),
      "record": .int(checkpoint.record), "state": checkpoint.state,
    ]
    return Array(file.description.utf8)
  }

  /// Replaces the file, unless it is as new. Returns once a loss of power does no harm. Safe to call
  /// from any thread.
  func write(_ text: [UInt8], through number: Int) throws(FileError) {
    try newest.withLock { newest throws(FileError) in
      guard number > newest else { return }
      try PrivateFiles.replace(path, with: text)
      newest = number
    }
  }
}

extension UserLocale {
  /// The locale in the state of a core.
  package init(state: JSON, orElse other: UserLocale) {
    self.init(
      language: state["language"]?.string.flatMap { LanguageTag($0) } ?? other.language,
      zone: state["timeZone"]?.string.flatMap { ZoneRules.named($0) } ?? other.zone)
  }
}
