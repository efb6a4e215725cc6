public import Foundation
public import Showcase

/// Pictures from the web, fetched once and kept on disk.
///
/// A picture is never asked for again while it is kept: what an address shows does not change.
/// A file may be gone when the front end opens it, as others have been fetched since; whoever
/// shows many large pictures asks again.
public final class ImageStore: ImageRepository {
  private let client: HTTPClient
  private let shelf: ImageShelf
  private let fetches = Coalescer<String, String>()

  /// - Parameters:
  ///   - directory: the data directory; the files are in `images` in it. With a database in memory
  ///     they are in the system's temporary directory, as they mean nothing to the next start.
  ///   - database: where the list of the files is kept.
  ///   - byteLimit: how much all files together may take. The picture that was fetched last is kept
  ///     whatever its size.
  public init(directory: URL, database: Database, client: HTTPClient, byteLimit: Int = 64 << 20) {
    self.client = client
    let parent = database.isTemporary ? Self.temporaryDirectory : directory
    shelf = ImageShelf(
      directory: parent.appendingPathComponent("images"), database: database, byteLimit: byteLimit)
  }

  private static var temporaryDirectory: URL {
    let process = ProcessInfo.processInfo.processIdentifier
    return FileManager.default.temporaryDirectory.appendingPathComponent("showcase-\(process)")
  }

  public func localURL(of url: String) async throws -> String {
    if url.hasPrefix("data:") { return url }
    guard let remote = URL(string: url), ["http", "https"].contains(remote.scheme?.lowercased())
    else {
      throw LoadFailure(.malformed, "\(url) is no address of a picture.", retryable: false)
    }
    return try await fetches.value(for: url) { [client, shelf] in
      if let file = try await shelf.find(url) { return file.absoluteString }
      let answer = try await client.get(remote, accept: "image/*")
      guard let suffix = answer.imageSuffix else {
        let found = answer.contentType ?? "no content type"
        throw LoadFailure(.malformed, "\(url) is no picture but \(found).", retryable: false)
      }
      return try await shelf.keep(answer.body, suffix: suffix, for: url).absoluteString
    }
  }
}

extension HTTPAnswer {
  /// The file name's ending that suits an `image/…`, such as `svg` for `image/svg+xml`; nil for
  /// everything else.
  fileprivate var imageSuffix: String? {
    guard let parts = contentType?.split(separator: "/"), parts.count == 2, parts[0] == "image"
    else { return nil }
    let suffix = parts[1].prefix { $0 != "+" }.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return suffix.isEmpty ? nil : suffix
  }
}
