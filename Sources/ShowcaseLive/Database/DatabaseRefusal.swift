/// Why a database was not opened: what, where, and what to do about it. Nothing was changed.
public enum DatabaseRefusal: Error, Hashable, Sendable {
  /// The app that wrote it is newer than this one.
  case newerVersion(path: String, found: Int, known: Int)
  /// Another program's database.
  case foreign(path: String, applicationID: Int)
  case notADatabase(path: String)
  /// SQLite's quick check found damage.
  case damaged(path: String, detail: String)
  /// The directory or the file cannot be made, read or written.
  case inaccessible(path: String, detail: String)
  /// A migration failed, or another process kept the file locked. The version is the last one that
  /// was reached in full.
  case failed(path: String, detail: String)
}

extension DatabaseRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .newerVersion(let path, let found, let known):
      """
      \(path) has version \(found) and this app knows versions up to \(known). Update the app, or \
      choose another directory with --data.
      """
    case .foreign(let path, let applicationID):
      """
      \(path) belongs to another program (application id \(applicationID)). Choose another \
      directory with --data.
      """
    case .notADatabase(let path):
      "\(path) is no SQLite database. Move it away, or choose another directory with --data."
    case .damaged(let path, let detail):
      """
      \(path) is damaged (\(detail)). Restore it from a backup, or move it away to start with an \
      empty one.
      """
    case .inaccessible(let path, let detail):
      """
      \(path) cannot be used (\(detail)). Check who owns it and whether it may be written, or \
      choose another directory with --data.
      """
    case .failed(let path, let detail):
      "\(path) could not be prepared (\(detail)). Close other programs that use it and try again."
    }
  }
}
