import OffstageFoundation
import OffstageSQLite
import Synchronization

/// The content of new databases. A process that serves many users creates one for each, and its
/// migrations take 20 ms of computing; a copy takes a fiftieth.
///
/// Most processes create one at most, so the content is kept from the second one on.
enum FreshDatabases {
  private struct Entry {
    /// The objects that identify them live as long as the entry.
    let migrations: [Migration]
    let applicationID: Int
    var content: Data?

    func matches(_ migrations: [Migration], _ applicationID: Int) -> Bool {
      applicationID == self.applicationID && migrations.count == self.migrations.count
        && zip(migrations, self.migrations).allSatisfy { $0.identity === $1.identity }
    }
  }

  private static let entries = Mutex<[Entry]>([])

  /// Returns the content of a new database; nil if it has to be migrated.
  static func content(_ migrations: [Migration], _ applicationID: Int) -> Data? {
    entries.withLock { entries in
      entries.first { $0.matches(migrations, applicationID) }?.content
    }
  }

  /// Notes that a new database has been migrated.
  static func note(_ handle: OpaquePointer, _ migrations: [Migration], _ applicationID: Int) {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.matches(migrations, applicationID) })
      else {
        entries.append(Entry(migrations: migrations, applicationID: applicationID))
        return
      }
      guard entries[index].content == nil else { return }
      var size: sqlite3_int64 = 0
      guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else { return }
      entries[index].content = Data(bytes: bytes, count: Int(size))
      sqlite3_free(bytes)
    }
  }
}
