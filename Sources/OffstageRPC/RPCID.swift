package import OffstageJSON

/// The id of a request, byte for byte as it came: `1`, `1.0` and `"1"` are three ids.
///
/// It is kept as a string, because up to 15 bytes, and so nearly every id, need no memory of their
/// own then.
package struct RPCID: Hashable, Sendable {
  /// The id as JSON text.
  package let text: String

  package static let null = RPCID(text: "null")

  private init(text: String) { self.text = text }

  /// - Returns: nil for a value that cannot be an id.
  package init?(_ view: JSONView) {
    switch view.kind {
    case .number, .null: text = view.withBytes { String(decoding: $0, as: UTF8.self) }
    case .string:
      // Through the writer, which escapes the separators that would break a line.
      var writer = JSONWriter()
      writer.view(view)
      text = String(writer.bytes)
    case .bool, .array, .object: return nil
    }
  }

  /// By bytes: Swift's own equality takes a letter and its accent for the accented letter.
  package static func == (left: RPCID, right: RPCID) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
