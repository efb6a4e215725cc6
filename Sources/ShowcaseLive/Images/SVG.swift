/// Pictures that are text.
enum SVG {
  /// A picture as a URL that a browser opens as it is; the same text gives the same URL.
  static func dataURL(_ svg: String) -> String {
    var url = "data:image/svg+xml,"
    for byte in svg.utf8 {
      if allowed.contains(byte) {
        url.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        url += byte < 16 ? "%0" + digits : "%" + digits
      }
    }
    return url
  }

  /// A text as it stands between tags.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      default: escaped.append(character)
      }
    }
  }

  /// What RFC 3986 allows in the path of a URL, but for `%` and quotes.
  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/@!$&()*+,;=".utf8)
}
