/// Fetches each image once, however many screens ask for it, and caches it on disk within a size
/// limit.
package protocol ImageRepository: Sendable {
  /// Returns a `resource:` URI, whose bytes any front end can read without the network.
  /// - Parameter url: The source of the image.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was canceled. Canceling one caller
  ///   does not cancel the fetch for the others.
  func localURL(of url: String) async throws -> String
}

/// The placeholder for an image that failed to load.
package enum FallbackImage {
  /// A gray tile with a question mark.
  package static let url = Tile(color: "cccccc", fontSize: 40, lines: ["?"]).uri

  /// Returns the URL if a front end can open it, nil if it must be fetched first, and the placeholder
  /// for an image without a URL.
  static func openable(_ url: String?) -> String? {
    guard let url else { return Self.url }
    return url.hasPrefix("resource:") || url.hasPrefix("data:image/") ? url : nil
  }
}
