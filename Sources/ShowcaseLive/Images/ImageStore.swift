import Foundation
package import Offstage
import Showcase

/// Pictures from the web, loaded once and kept on disk, or in memory if the database is.
///
/// A cached picture is never fetched again: the picture at an address is assumed not to change. A
/// picture that newer ones have evicted is fetched again when a front end opens it, so that a cache
/// smaller than a screen still shows the screen.
package final class ImageStore: ImageRepository {
  private let client: HTTPClient
  private let cache: ImageCache
  private let loads = Coalescer<String, String>()

  /// - Parameters:
  ///   - database: The database that lists the pictures and, in memory, holds their bytes.
  ///   - byteLimit: The maximum total size. The newest picture is kept whatever its size.
  package init(database: Database, client: HTTPClient, byteLimit: Int = 64 << 20) {
    self.client = client
    cache = ImageCache(database: database, byteLimit: byteLimit)
  }

  package func localURL(of url: String) async throws -> String {
    guard let remote = URL(string: url), remote.isHTTP else {
      throw LoadFailure(
        .malformed, "The address of a picture must be http or https.", retryable: false)
    }
    return try await loads.value(for: url) { [self] in
      if let name = try await cache.find(url) { return Self.uri(of: name) }
      return Self.uri(of: try await load(remote, as: url))
    }
  }

  private static func uri(of name: String) -> String { "resource:image/\(name)" }

  /// - Returns: The name of the picture in the cache.
  private func load(_ url: URL, as key: String) async throws -> String {
    let response = try await client.get(url, accept: "image/*")
    guard let format = PictureFormat(of: response.body) else {
      let found = response.head.contentType ?? "no content type"
      throw HTTPFailure.wrongType(
        response.body.isEmpty ? "nothing" : response.body.isMarkup ? "text/html" : found,
        expected: "a whole picture"
      ).loadFailure(url)
    }
    return try await cache.keep(response.body, suffix: format.rawValue, for: key)
  }
}

extension ImageStore: ResourceSource {
  /// Returns a picture from the cache.
  package func resource(at path: String) async throws -> Resource? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "image" else { return nil }
    let name = String(parts[1])
    guard let url = try await cache.url(of: name),
      let format = PictureFormat(rawValue: String(name.drop { $0 != "." }.dropFirst()))
    else { return nil }
    var content = try await cache.content(of: name)
    if content == nil {
      _ = try await localURL(of: url)
      content = try await cache.content(of: name)
    }
    return content.map { Resource(mimeType: format.mimeType, $0) }
  }
}
