/// What the list of a category is opened with.
struct CategoryListDelegate: Codable, Hashable, Sendable {
  let category: AvatarCategory
}
