public import Offstage
public import OffstageFoundation

/// The formats of the files in a ``FileCache``, recognized by their bytes: servers send files of any
/// type, and anything as a picture. ``PictureFormat`` is one.
///
/// The raw value becomes the suffix of the file's name.
public protocol FileFormat: RawRepresentable<String>, Sendable {
  /// Recognizes a whole file; nil for anything else, such as half a file or a web page.
  init?(of data: Data)

  /// The media type, such as `image/png`.
  var mimeType: String { get }

  /// The files, for messages, such as "a whole picture".
  static var expectation: String { get }
}

/// Files from the web, such as pictures, each loaded once and kept on disk up to a total size.
///
/// A cached file is never fetched again: what is at an address is assumed not to change. The files
/// that have not been used for the longest time make room for new ones. One of those is fetched again
/// when a front end opens it, so that a cache smaller than a screen still shows the screen. Concurrent
/// requests for one address share a download.
///
/// The files are in a folder beside the database, or in the database if that is in memory. The
/// database needs ``Migration/fileCache``, and serves one cache.
/// ```swift
/// let pictures = FileCache<PictureFormat>(database: database, client: client)
/// dependencies.set(.resources, to: pictures)
///
/// output.imageURL.value = try await pictures.uri(of: book.cover)  // "resource:file/1f….png"
/// ```
public final class FileCache<Format: FileFormat>: Sendable {
  private let client: HTTPClient
  private let accept: String
  private let path: String
  private let list: FileList
  private let loads = Coalescer<URL, String>()

  /// Creates a cache.
  /// - Parameters:
  ///   - database: The database that lists the files.
  ///   - client: Its `bodyLimit` is the largest file to accept.
  ///   - accept: The media types to ask for, as in the header field of that name.
  ///   - byteLimit: The maximum total size. The newest file is kept whatever its size.
  public convenience init(
    database: Database, client: HTTPClient, accept: String = "*/*", byteLimit: Int = 64 << 20
  ) {
    self.init(
      database: database, client: client, accept: accept, byteLimit: byteLimit, folder: "files",
      path: "file")
  }

  /// - Parameters:
  ///   - folder: The name of the folder beside the database.
  ///   - path: The start of the URIs, after `resource:`.
  package init(
    database: Database, client: HTTPClient, accept: String, byteLimit: Int, folder: String,
    path: String
  ) {
    self.client = client
    self.accept = accept
    self.path = path
    list = FileList(database: database, folder: folder, byteLimit: byteLimit)
  }

  /// Returns a `resource:` URI whose bytes any front end can read without the network.
  /// - Throws: What ``HTTPClient/send(_:)`` throws, also if the content is not a file of the format;
  ///   what ``Database/write(_:)`` throws; and ``StorageError``, as the database maps it, if the file
  ///   cannot be written. Canceling one caller does not cancel the download for the others.
  public func uri(of url: URL) async throws -> String {
    try await loads.value(for: url) { [self] in
      if let name = try await list.find(url.absoluteString) { return uri(of: name) }
      return uri(of: try await load(url))
    }
  }

  private func uri(of name: String) -> String { "resource:\(path)/\(name)" }

  /// - Returns: The name of the file in the cache.
  private func load(_ url: URL) async throws -> String {
    let response = try await client.get(url, accept: accept)
    guard let format = Format(of: response.body) else {
      let found = response.contentType ?? "no content type"
      let reason = HTTPError.Reason.wrongType(
        response.body.isEmpty ? "nothing" : response.body.isMarkup ? HTTPError.webPage : found,
        expected: Format.expectation)
      throw client.mapError(HTTPError(reason, url))
    }
    return try await list.keep(
      response.body, suffix: format.rawValue, for: url.absoluteString)
  }
}

extension FileCache: ResourceSource {
  /// Returns a file of the cache; nil for any other path.
  public func resource(at path: String) async throws -> Resource? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == self.path else { return nil }
    let name = String(parts[1])
    guard let address = try await list.url(of: name), let url = URL(string: address),
      let format = Format(rawValue: String(name.drop { $0 != "." }.dropFirst()))
    else { return nil }
    var content = try await list.content(of: name)
    if content == nil {
      _ = try await uri(of: url)
      content = try await list.content(of: name)
    }
    return content.map { Resource(mimeType: format.mimeType, $0) }
  }
}
