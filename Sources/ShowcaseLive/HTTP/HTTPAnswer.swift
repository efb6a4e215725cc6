public import Foundation

/// What a server answered when all went well (HTTP 2xx).
public struct HTTPAnswer: Sendable {
  /// The media type in lower case without its parameters, such as `image/png`.
  public var contentType: String?
  public var body: Data
}
