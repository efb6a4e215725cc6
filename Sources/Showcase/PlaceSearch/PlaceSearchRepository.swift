/// What the search for a place needs to know of the world, and no more.
public protocol PlaceSearchRepository: Sendable {
  /// The places whose names, in either language, contain `text`; letters from A to Z do so in
  /// either case. Those whose names begin with it come first.
  /// - Throws: `LoadFailure`, or `CancellationError` when the caller was cancelled.
  func places(named text: String, limit: Int) async throws -> [Place]
}
