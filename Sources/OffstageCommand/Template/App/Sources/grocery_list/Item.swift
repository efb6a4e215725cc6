import Offstage

struct Item: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  var title: String
}

/// The items, stored on a server or on disk. Tests replace this.
protocol ItemStore: Sendable {
  func items() async throws -> [Item]
  /// - Throws: `ItemError` if the title is taken.
  func add(_ title: String) async throws -> Item
}

struct ItemError: Error, CustomStringConvertible {
  let description: String
}

extension Dependencies.Key<any ItemStore> {
  static let items = Self("items")
}

/// Stores items in memory until the app has a database.
actor MemoryStore: ItemStore {
  private var stored: [Item] = []
  private var lastID = 0

  func items() -> [Item] { stored }

  func add(_ title: String) throws -> Item {
    guard !stored.contains(where: { $0.title == title }) else {
      throw ItemError(description: "\(title) is on the list already.")
    }
    lastID += 1
    let item = Item(id: lastID, title: title)
    stored.append(item)
    return item
  }
}
