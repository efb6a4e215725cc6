import Showcase

/// A portrait that needs no network: the first letter on the colour of the category.
struct AvatarTile {
  let name: String
  let category: AvatarCategory

  /// An SVG that a browser opens as it is; the same tile gives the same text.
  var dataURL: String {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">\
      <circle cx="48" cy="48" r="48" fill="\(colour)"/>\
      <text x="48" y="62" font-size="40" text-anchor="middle">\(letter)</text>\
      </svg>
      """
    return "data:image/svg+xml," + svg.utf8.map(Self.percentEncoded).joined()
  }

  /// The first letter or digit: anything else could mean something in an SVG.
  private var letter: String {
    name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "?"
  }

  /// Light enough, all of them, for a black letter to be read on it.
  private var colour: String {
    switch category {
    case .cooks: "#ffb074"
    case .travellers: "#8cc8ff"
    case .scientists: "#b6e388"
    case .artists: "#ff9ec4"
    case .animals: "#e4c590"
    case .machines: "#c3c9d4"
    }
  }

  /// Encodes what RFC 3986 does not allow in the path of a URL.
  private static func percentEncoded(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), 0x80...:
      "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    default: String(UnicodeScalar(byte))
    }
  }
}
