import Foundation
package import Offstage
import Showcase
import Synchronization

/// Pictures from the web, loaded once and kept on disk, or in memory if the database is.
///
/// A cached picture is never fetched again: the picture at an address is assumed not to change.
/// After a 404, an address is not requested again for a while. By the time a front end opens a
/// picture, newer ones may have evicted it; a screen with many large pictures has to ask again.
package final class ImageStore: ImageRepository {
  /// The time after a 404 during which an address is not requested again.
  private static let missLifetime = Duration.seconds(600)

  private let client: HTTPClient
  private let cache: ImageCache
  private let loads = Coalescer<String, String>()
  /// The addresses that returned a 404, with the time since 1970.
  private let misses = Mutex<[String: (failure: LoadFailure, time: Duration)]>([:])

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
      if let failure = await recentMiss(of: url) { throw failure }
      do {
        return Self.uri(of: try await load(remote, as: url))
      } catch let failure as LoadFailure where failure.reason == .notFound {
        let time = await client.now()
        misses.withLock { $0[url] = (failure, time) }
        throw failure
      }
    }
  }

  private static func uri(of name: String) -> String { "resource:image/\(name)" }

  /// - Returns: The name of the picture in the cache.
  private func load(_ url: URL, as key: String) async throws -> String {
    let response = try await client.get(url, accept: "image/*")
    guard let suffix = response.head.imageSuffix else {
      let found = response.head.contentType ?? "no content type"
      throw HTTPFailure.wrongType(found, expected: "a picture").loadFailure(url)
    }
    return try await cache.keep(response.body, suffix: suffix, for: key)
  }

  private func recentMiss(of url: String) async -> LoadFailure? {
    let time = await client.now()
    return misses.withLock { misses in
      misses = misses.filter { time - $0.value.time < Self.missLifetime }
      return misses[url]?.failure
    }
  }
}

extension ImageStore: ResourceSource {
  /// Returns a picture from the cache.
  package func resource(at path: String) async throws -> Resource? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "image",
      let content = try await cache.content(of: String(parts[1]))
    else { return nil }
    let suffix = parts[1].drop { $0 != "." }.dropFirst()
    return Resource(mimeType: "image/\(suffix == "svg" ? "svg+xml" : suffix)", content)
  }
}

extension HTTPHead {
  /// The file name extension of an image type, such as `svg` for `image/svg+xml`; nil for other
  /// types.
  fileprivate var imageSuffix: String? {
    guard let parts = contentType?.split(separator: "/"), parts.count == 2, parts[0] == "image"
    else { return nil }
    let suffix = parts[1].prefix { $0 != "+" }.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return suffix.isEmpty || suffix.count > 16 ? nil : suffix
  }
}
