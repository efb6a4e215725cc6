/// Fetches each image once, however many screens ask for it, and caches it on disk within a size
/// limit.
package protocol ImageRepository: Sendable {
  /// Returns a URL that any front end can open without the network: `file:` or `data:`.
  /// - Parameter url: the source of the image.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was cancelled. Cancelling one caller
  ///   does not cancel the fetch for the others.
  func localURL(of url: String) async throws -> String
}

/// The placeholder for an image that failed to load.
package enum FallbackImage {
  /// A gray tile with a question mark, as a URL that opens without the network.
  package static let url =
    "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2096%2096'%3E"
    + "%3Crect%20width='96'%20height='96'%20rx='12'%20fill='%23ccc'/%3E%3Ctext%20x='48'%20y='62'%20"
    + "font-size='40'%20text-anchor='middle'%20fill='%23666'%3E?%3C/text%3E%3C/svg%3E"

  /// Returns the URL if it is an image in itself, nil if it must be fetched first, and the
  /// placeholder for an image without a URL.
  static func openable(_ url: String?) -> String? {
    guard let url else { return Self.url }
    return url.hasPrefix("data:image/") ? url : nil
  }
}
