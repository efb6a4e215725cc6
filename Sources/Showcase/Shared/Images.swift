import Offstage

/// Fetches each image once, however many screens ask for it, and caches it on disk within a size
/// limit.
package protocol ImageRepository: Sendable {
  /// Returns a `resource:` URI whose bytes any front end can read without the network. Canceling one
  /// caller does not cancel the fetch for the others.
  func localURL(of url: String) async throws -> String
}

/// The placeholder for an image that failed to load.
enum FallbackImage {
  /// A gray tile with a question mark.
  static let url = Tile(color: "cccccc", fontSize: 40, lines: ["?"]).uri

  /// Returns the URL if a front end can open it, nil if it must be fetched first, and the
  /// placeholder for an image without a URL.
  static func displayableURL(_ url: String?) -> String? {
    guard let url else { return Self.url }
    return url.hasPrefix("resource:") || url.hasPrefix("data:image/") ? url : nil
  }
}

/// A picture that needs no network: a few words on a color.
package struct Tile {
  var width = 96
  var height = 96
  /// The radius of the corners.
  var radius = 12
  /// The background as `rrggbb`, light enough for black text.
  var color: String
  var isMonospaced = false
  var fontSize: Int
  var lines: [String]

  /// The tile as an SVG document, the same for equal tiles.
  package var svg: String {
    let lineHeight = fontSize + 2
    let top = height / 2 + fontSize * 3 / 8 - lineHeight * (lines.count - 1) / 2
    let text = lines.enumerated().map { index, line in
      #"<text x="\#(width / 2)" y="\#(top + lineHeight * index)">\#(Self.escaped(line))</text>"#
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      font-family="\(isMonospaced ? "monospace" : "sans-serif")" font-size="\(fontSize)" \
      text-anchor="middle">\
      <rect width="\(width)" height="\(height)" rx="\(radius)" fill="#\(color)"/>\
      \(text.joined())</svg>
      """
  }

  /// Escapes text for use between tags. Works on scalars, because `<` with a combining mark is a
  /// single `Character` that is not `<`.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // XML cannot hold these, not even escaped.
      case "\0"..<"\t", "\u{B}", "\u{C}", "\u{E}"..<" ", "\u{FFFE}", "\u{FFFF}":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

// MARK: Resources

extension Tile {
  /// The URI of the tile. It contains the whole tile, so nothing needs to be stored:
  /// `resource:tile/96-96-48-8cc8ff-40/A`.
  var uri: String {
    let style = "\(width)-\(height)-\(radius)-\(color)-\(fontSize)\(isMonospaced ? "m" : "")"
    return (["resource:tile", style] + lines.map { $0.percentEncoded() }).joined(separator: "/")
  }

  /// Creates a tile from the part of its URI after `resource:`.
  /// - Returns: nil for anything but the path of a tile of reasonable size.
  package init?(path: String) {
    let pattern = /([0-9]{1,4})-([0-9]{1,4})-([0-9]{1,4})-([0-9A-Fa-f]{6})-([0-9]{1,4})(m?)/
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard (2...12).contains(parts.count), parts[0] == "tile",
      let style = parts[1].wholeMatch(of: pattern)?.output,
      let width = Int(style.1), let height = Int(style.2), let radius = Int(style.3),
      let fontSize = Int(style.5)
    else { return nil }
    lines = parts[2...].compactMap(\.percentDecoded)
    guard lines.count == parts.count - 2 else { return nil }
    (self.width, self.height, self.radius, self.fontSize) = (width, height, radius, fontSize)
    color = String(style.4)
    isMonospaced = !style.6.isEmpty
  }
}
