import OffstageJSON
import Showcase

/// A picture that needs no network: a few words on a colored ground.
struct Tile {
  var width = 96
  var height = 96
  /// The radius of the corners; half of the width makes a circle.
  var radius = 12
  /// As `#rrggbb`; light enough for black text.
  var color: String
  var font = "sans-serif"
  var fontSize: Int
  var lines: [String]

  /// An SVG as a `data:` URL. Equal tiles have equal URLs.
  var dataURL: String {
    let lineHeight = fontSize + 2
    let top = height / 2 + fontSize * 3 / 8 - lineHeight * (lines.count - 1) / 2
    let text = lines.enumerated().map { index, line in
      #"<text x="\#(width / 2)" y="\#(top + lineHeight * index)">\#(Self.escaped(line))</text>"#
    }
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      font-family="\(font)" font-size="\(fontSize)" text-anchor="middle">\
      <rect width="\(width)" height="\(height)" rx="\(radius)" fill="\(color)"/>\
      \(text.joined())</svg>
      """
    return Self.dataURL(svg)
  }

  /// Escapes a text for use between tags. Works on scalars, because `<` and a combining mark after it
  /// form a single `Character` that is not `<`.
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

  private static func dataURL(_ svg: String) -> String {
    var url = "data:image/svg+xml,"
    for byte in svg.utf8 {
      if allowed.contains(byte) {
        url.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        url += "%" + byte.hexadecimal
      }
    }
    return url
  }

  /// The characters that RFC 3986 allows in the path of a URL, except `%` and quotes.
  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/@!$&()*+,;=".utf8)
}

extension Tile {
  /// A portrait: the first letter or digit of a name on the color of a category.
  static func portrait(_ name: String, _ category: AvatarCategory) -> String {
    let color =
      switch category {
      case .cooks: "#ffb074"
      case .travellers: "#8cc8ff"
      case .scientists: "#b6e388"
      case .artists: "#ff9ec4"
      case .animals: "#e4c590"
      case .machines: "#c3c9d4"
      }
    let letter = name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "?"
    // A letter may carry any number of combining marks.
    let short = String(letter.unicodeScalars.prefix(8))
    return Tile(radius: 48, color: color, fontSize: 40, lines: [short]).dataURL
  }
}
