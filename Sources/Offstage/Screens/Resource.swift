/// Bytes that a document refers to by a URI, such as a picture.
public struct Resource: Sendable {
  /// Where the bytes are.
  public enum Content: Sendable {
    /// In memory: something small, or made on demand.
    case bytes([UInt8])
    /// A regular file. A front end on the same machine may open it by its absolute path.
    case file(path: String)
  }

  /// The type, such as `image/png`.
  public let mimeType: String
  /// The bytes.
  public let content: Content

  /// Creates a resource.
  public init(mimeType: String, _ content: Content) {
    self.mimeType = mimeType
    self.content = content
  }
}

/// Finds the bytes behind the `resource:` URIs that the app puts into its document.
///
/// A front end may ask for any URI. Return only what belongs to the app: parse the path strictly,
/// and never use it as the path of a file.
public protocol ResourceSource: Sendable {
  /// Returns a resource; nil if the app has none at this path.
  /// - Parameter path: The URI without `resource:`, such as `image/7f3a.png`; at most 1,024 bytes.
  func resource(at path: String) async throws -> Resource?
}
