package import OffstageJSON

/// The id of a request, byte for byte as it came: `1`, `1.0` and `"1"` are three ids.
package struct RPCID: Hashable, Sendable {
  package let bytes: [UInt8]

  package static let null = RPCID(bytes: Array("null".utf8))

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// - Returns: nil for a value that cannot be an id.
  package init?(_ view: JSONView) {
    switch view.kind {
    case .number, .null: bytes = view.bytes
    case .string:
      // Through the writer, which escapes the separators that would break a line.
      var writer = JSONWriter()
      writer.view(view)
      bytes = writer.bytes
    case .bool, .array, .object: return nil
    }
  }
}
