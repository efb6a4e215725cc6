import OffstageFoundation

/// The format of a picture, recognized by its bytes: servers send pictures of any type, and anything as a
/// picture. The raw value becomes the suffix of the file's name.
enum PictureFormat: String, CaseIterable {
  case png, jpeg, gif, webp, avif, bmp, ico, svg

  /// Recognizes a whole picture; nil for anything else, such as half a picture or a web page.
  init?(of data: Data) {
    let bytes = Array(data)
    guard let format = Self.allCases.first(where: { $0.isWhole(bytes) }) else { return nil }
    self = format
  }

  /// The media type, such as `image/png`.
  var mimeType: String {
    switch self {
    case .ico: "image/x-icon"
    case .svg: "image/svg+xml"
    case .png, .jpeg, .gif, .webp, .avif, .bmp: "image/\(rawValue)"
    }
  }

  private func isWhole(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .png: bytes.starts(with: [0x89] + Array("PNG\r\n\u{1a}\n".utf8)) && Self.hasPNGEnd(bytes)
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF]) && Self.hasJPEGEnd(bytes)
    case .gif:
      ["GIF87a", "GIF89a"].contains { bytes.starts(with: $0.utf8) }
        && bytes.last { $0 != 0 } == UInt8(ascii: ";")
    case .webp:
      bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        && bytes.count >= 8 + bytes.littleEndian(4, at: 4)
    case .avif:
      ["ftypavif", "ftypavis"].contains { bytes.dropFirst(4).starts(with: $0.utf8) }
        && Self.hasWholeBoxes(bytes)
    case .bmp:
      bytes.starts(with: "BM".utf8) && bytes.count >= 26 && bytes.littleEndian(4, at: 6) == 0
        && bytes.count >= bytes.littleEndian(4, at: 2)
    case .ico: bytes.starts(with: [0, 0, 1, 0]) && Self.hasWholeIcons(bytes)
    case .svg: Self.isSVG(bytes)
    }
  }

  private static func hasPNGEnd(_ bytes: [UInt8]) -> Bool {
    var next = 8
    while next + 12 <= bytes.count {
      let end = next + 12 + bytes.bigEndian(4, at: next)
      if bytes[(next + 4)...].starts(with: "IEND".utf8) { return end <= bytes.count }
      next = end
    }
    return false
  }

  /// The marker of the end cannot be within the data. Some cameras append their own after it.
  private static func hasJPEGEnd(_ bytes: [UInt8]) -> Bool {
    let end = bytes.suffix(1 << 10)
    return zip(end, end.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
  }

  /// The first box only names the format.
  private static func hasWholeBoxes(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > bytes.bigEndian(4, at: 0) else { return false }
    var next = 0
    while next + 8 <= bytes.count {
      switch bytes.bigEndian(4, at: next) {
      case 0: return true
      // Files of 4 GiB have a longer size.
      case 1..<8: return false
      case let size: next += size
      }
    }
    return next == bytes.count
  }

  private static func hasWholeIcons(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 6 else { return false }
    let count = bytes.littleEndian(2, at: 4)
    guard count > 0, bytes.count >= 6 + 16 * count else { return false }
    return (0..<count).allSatisfy { icon in
      let entry = 6 + 16 * icon
      return bytes.littleEndian(4, at: entry + 8) + bytes.littleEndian(4, at: entry + 12)
        <= bytes.count
    }
  }

  /// A web page may contain SVG, so this looks for the first element.
  private static func isSVG(_ bytes: [UInt8]) -> Bool {
    guard bytes.isMarkup, let text = String(validating: bytes, as: UTF8.self) else { return false }
    let prolog =
      /(\u{FEFF}|\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(\[.*?\]\s*)?>)*<(\w+:)?svg[\s>\/]/
      .dotMatchesNewlines().ignoresCase()
    let end = text.suffix(256).trimmed
    return text.prefixMatch(of: prolog) != nil && (end.hasSuffix("svg>") || end.hasSuffix("/>"))
  }
}

extension [UInt8] {
  fileprivate func bigEndian(_ count: Int, at index: Int) -> Int {
    self[index..<Swift.min(index + count, self.count)].reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate func littleEndian(_ count: Int, at index: Int) -> Int {
    self[index..<Swift.min(index + count, self.count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
