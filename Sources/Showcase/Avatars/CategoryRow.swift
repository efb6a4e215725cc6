/// A category as explore shows it.
struct CategoryRow: Identifiable, Codable, Hashable, Sendable {
  let id: AvatarCategory
  let title: String
  /// A URL that opens without the network.
  let image: String
}
