extension CoreInteractor {
  func featuredAvatars() async throws -> [Avatar] { try await avatars.featured() }
  func popularAvatars() async throws -> [Avatar] { try await avatars.popular() }
  func createdAvatars() async throws -> [Avatar] { try await avatars.created() }

  func avatars(in category: AvatarCategory) async throws -> [Avatar] {
    try await avatars.avatars(in: category)
  }

  func avatar(id: String) async throws -> Avatar { try await avatars.avatar(id: id) }

  func createAvatar(
    name: String, category: AvatarCategory, description: String
  ) async throws -> Avatar {
    try await avatars.create(name: name, category: category, description: description)
  }

  func portrait(name: String, category: AvatarCategory) -> String {
    avatars.portrait(name: name, category: category)
  }

  func portrait(of category: AvatarCategory) -> String {
    avatars.portrait(name: category.title, category: category)
  }
}
