/// Pictures, fetched once however many screens ask and kept on disk within a byte limit.
public protocol ImageRepository: Sendable {
  /// A URL that any front end can open without the network: `file:` or `data:`.
  /// - Parameter url: where the picture comes from.
  /// - Throws: `LoadFailure`, or `CancellationError` when the caller was cancelled. A cancelled
  ///   caller does not cancel the fetch for the others who wait for the same picture.
  func localURL(of url: String) async throws -> String
}
