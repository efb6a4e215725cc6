/// Who there is to talk to.
public protocol AvatarRepository: Sendable {
  /// The avatars that the makers of the app recommend.
  /// - Throws: `LoadFailure`, or `CancellationError` when the caller was cancelled; so do all.
  func featured() async throws -> [Avatar]

  /// The avatars that most people talk to, the most popular first.
  func popular() async throws -> [Avatar]

  /// All avatars of a category.
  func avatars(in category: AvatarCategory) async throws -> [Avatar]

  /// One avatar, wherever it comes from.
  /// - Throws: also `LoadFailure` (`notFound`) for an unknown id.
  func avatar(id: String) async throws -> Avatar

  /// The avatars that were created here, the newest first.
  func created() async throws -> [Avatar]

  /// Keeps a new avatar and gives it an id and a picture.
  func create(name: String, category: AvatarCategory, description: String) async throws -> Avatar

  /// The picture that somebody of this name would have, as a URL that opens without the network.
  func portrait(name: String, category: AvatarCategory) -> String
}
