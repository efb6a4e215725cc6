/// What a place's own screen needs to know of the world, and no more.
public protocol PlaceDetailRepository: Sendable {
  /// - Throws: `LoadFailure` (`notFound` for an unknown id), or `CancellationError` when the caller
  ///   was cancelled.
  func place(id: Int) async throws -> Place
}
