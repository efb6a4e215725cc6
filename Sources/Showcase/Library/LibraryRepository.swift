/// What the library needs to know of the world, and no more.
public protocol LibraryRepository: Sendable {
  /// All titles, what stands on which shelf, and what the person has done with it.
  /// - Throws: `LoadFailure`, or `CancellationError` when the caller was cancelled.
  func library() async throws -> LibraryContent

  /// One title, as it is for the person.
  /// - Throws: `LoadFailure` (`notFound` for an unknown key), or `CancellationError`.
  func title(key: String) async throws -> any LibraryModel

  /// Keeps whether a title is bookmarked.
  /// - Throws: `LoadFailure` when it could not be kept.
  func setBookmarked(_ isBookmarked: Bool, key: String) async throws
}
