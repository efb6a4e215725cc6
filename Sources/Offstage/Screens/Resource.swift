/// Bytes that a document refers to by a `resource:` URI, such as a picture.
///
/// An ``App`` has a function that returns them for a path: the URI without `resource:`, at most 1,024
/// bytes. It returns nil if the app has none there. A front end may ask for any URI, so return only
/// what belongs to the app: parse the path strictly, and never use it as the path of a file.
/// ```swift
/// App(root: root, resources: { try await covers.resource(at: $0) }, screens: screens)
/// ```
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
