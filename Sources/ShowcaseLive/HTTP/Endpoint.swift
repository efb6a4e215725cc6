public import Foundation

/// A GET request of an API and the shape of its answer.
public struct Endpoint<Response: Codable & Sendable>: Sendable {
  /// Relative to the API's base, without a leading slash.
  public var path: String
  public var query: [URLQueryItem]

  public init(path: String, query: [URLQueryItem] = []) {
    self.path = path
    self.query = query
  }

  /// The full address.
  public func url(at base: URL) -> URL {
    let url = base.appendingPathComponent(path)
    guard !query.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return url
    }
    parts.queryItems = query
    return parts.url ?? url
  }
}
