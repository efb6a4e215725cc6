public import Offstage
public import OffstageFoundation

/// Pictures from the web, each loaded once and kept on disk up to a total size: PNG, JPEG, GIF, WebP,
/// AVIF, BMP, ICO, and SVG, whatever their content type.
///
/// A cached picture is never fetched again: what is at an address is assumed not to change. The pictures
/// that have not been used for the longest time make room for new ones. One of those is fetched again
/// when a front end opens it, so that a cache smaller than a screen still shows the screen. Concurrent
/// requests for one address share a download.
///
/// The pictures are in a folder beside the database, or in the database if that is in memory. The
/// database needs ``Migration/pictureCache``, and serves one cache.
/// ```swift
/// let pictures = PictureCache(database: database, client: client)
/// App(root: root, resources: { try await pictures.resource(at: $0) }, screens: screens)
///
/// output.imageURL.value = try await pictures.uri(of: book.cover)  // "resource:image/1f….png"
/// ```
public final class PictureCache: Sendable {
  private let client: HTTPClient
  private let list: FileList
  private let loads = Coalescer<URL, String>()

  /// Creates a cache.
  /// - Parameters:
  ///   - database: The database that lists the pictures.
  ///   - client: Its `bodyLimit` is the largest picture to accept.
  ///   - byteLimit: The maximum total size. The newest picture is kept whatever its size.
  public init(database: Database, client: HTTPClient, byteLimit: Int = 64 << 20) {
    self.client = client
    list = FileList(database: database, folder: "images", byteLimit: byteLimit)
  }

  /// Returns a `resource:` URI whose bytes any front end can read without the network.
  /// - Throws: What ``HTTPClient/send(_:)`` throws, also if the content is not a whole picture;
  ///   what ``Database/write(_:)`` throws; and ``StorageError``, as the database maps it, if the file
  ///   cannot be written. Canceling one caller does not cancel the download for the others.
  public func uri(of url: URL) async throws -> String {
    try await loads.value(for: url) { [self] in
      if let name = try await list.find(url.absoluteString) { return uri(of: name) }
      return uri(of: try await load(url))
    }
  }

  private func uri(of name: String) -> String { "resource:image/\(name)" }

  /// - Returns: The name of the file in the cache.
  private func load(_ url: URL) async throws -> String {
    let response = try await client.get(url, accept: "image/*")
    guard let format = PictureFormat(of: response.body) else {
      let found = response.contentType ?? "no content type"
      let reason = HTTPError.Reason.wrongType(
        response.body.isEmpty ? "nothing" : response.body.isMarkup ? HTTPError.webPage : found,
        expected: "a whole picture")
      throw client.mapError(HTTPError(reason, url))
    }
    return try await list.keep(
      response.body, suffix: format.rawValue, for: url.absoluteString)
  }

  /// Returns a picture of the cache; nil for any other path.
  public func resource(at path: String) async throws -> Resource? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "image" else { return nil }
    let name = String(parts[1])
    guard let address = try await list.url(of: name), let url = URL(string: address),
      let format = PictureFormat(rawValue: String(name.drop { $0 != "." }.dropFirst()))
    else { return nil }
    var content = try await list.content(of: name)
    if content == nil {
      _ = try await uri(of: url)
      content = try await list.content(of: name)
    }
    return content.map { Resource(mimeType: format.mimeType, $0) }
  }
}
