import Offstage

/// The drawn picture of a title, which needs no network: a scene with the name on it, the same for the
/// same name.
package struct PosterArt {
  var width: Int
  var height: Int
  /// The middle of the colors, as `rrggbb`.
  var color: String
  /// What the scene depends on, such as the name in English.
  var seed: String
  /// The name in the user's language.
  var name: String
}

// MARK: Resources

extension PosterArt {
  /// The URI, which contains the whole picture: `resource:poster/96-144-7799cc/Casablanca/카사블랑카`, with
  /// the second name if it differs.
  var uri: String {
    let names = seed == name ? [seed] : [seed, name]
    return (["resource:poster", "\(width)-\(height)-\(color)"] + names.map { $0.percentEncoded() })
      .joined(separator: "/")
  }

  /// Creates a picture from the part of its URI after `resource:`.
  /// - Returns: nil for anything but the path of a picture of reasonable size.
  package init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard (3...4).contains(parts.count), parts[0] == "poster",
      let size = parts[1].wholeMatch(of: /([0-9]{1,4})-([0-9]{1,4})-([0-9A-Fa-f]{6})/)?.output,
      let width = Int(size.1), let height = Int(size.2), let seed = parts[2].percentDecoded,
      let name = parts[parts.count - 1].percentDecoded
    else { return nil }
    self.init(width: width, height: height, color: String(size.3), seed: seed, name: name)
  }

  // MARK: Drawing

  private static let fontSize = 14

  /// The picture as an SVG document, the same for equal pictures.
  package var svg: String {
    let lines = Self.lines(of: name, width: width - 8)
    let lineHeight = Self.fontSize + 2
    // Front ends draw how far one has watched near the lower edge.
    let top = height - 14 - lineHeight * (lines.count - 1)
    let text = lines.enumerated().map { index, line in
      #"<text x="\#(width / 2)" y="\#(top + lineHeight * index)">\#(Tile.escaped(line))</text>"#
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" font-family="sans-serif" \
      font-size="\(Self.fontSize)" font-weight="600" fill="#fff" text-anchor="middle">\
      <linearGradient id="f" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity="0"/>\
      <stop offset="1" stop-color="#000" stop-opacity=".75"/></linearGradient>\
      \(scene)<rect y="\(max(0, top - 34))" width="\(width)" height="\(height)" fill="url(#f)"/>\
      \(text.joined())</svg>
      """
  }

  /// Wraps a name at spaces. A word that is too long gets its own line.
  private static func lines(of name: String, width: Int) -> [String] {
    // A syllable of Hangul is as wide as it is high; a Latin letter is about half as wide.
    func length(_ text: some StringProtocol) -> Int {
      text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? fontSize : fontSize * 9 / 16) }
    }
    return name.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, length(last + " " + word) <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  /// The scene, in a square of 100 that covers the picture.
  private var scene: String {
    var dice = Dice(seed)
    let sky = Self.shades(of: color, turned: dice.roll(5) * 14 - 28)
    let scale = Double(max(width, height)) / 100
    let (left, top) = (Double(width) / 2 - 50 * scale, Double(height) / 2 - 50 * scale)
    let light = dice.pick(["fff3c4", "ffd9a8", "f4f6ff"])
    let (x, y, radius) = (35 + dice.roll(30), 22 + dice.roll(16), 8 + dice.roll(7))
    let ground = dice.pick([Self.hills, Self.city, Self.sea, Self.forest, Self.road, Self.peaks])
    return """
      <linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#\(sky.dark)"/>\
      <stop offset="1" stop-color="#\(sky.light)"/></linearGradient>\
      <rect width="\(width)" height="\(height)" fill="url(#s)"/>\
      <g transform="translate(\(Self.short(left)) \(Self.short(top))) scale(\(Self.short(scale)))">\
      <circle cx="\(x)" cy="\(y)" r="\(radius * 2)" fill="#\(light)" opacity=".18"/>\
      <circle cx="\(x)" cy="\(y)" r="\(radius)" fill="#\(light)"/>\
      \(ground(&dice, sky.dark))</g>
      """
  }

  private static func short(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

  private static func hills(_ dice: inout Dice, _ dark: String) -> String {
    let a = 50 + dice.roll(12)
    return """
      <path d="M0 \(a)q25-22 50 0t50-6v60H0z" fill="#\(dark)" opacity=".55"/>\
      <path d="M0 \(a + 14)q30-18 60 0t40-4v60H0z" fill="#\(dark)" opacity=".85"/>\
      <path d="M0 \(a + 28)q20-10 50 0t50-2v50H0z" fill="#11131c"/>
      """
  }

  private static func peaks(_ dice: inout Dice, _ dark: String) -> String {
    let (a, b) = (28 + dice.roll(14), 56 + dice.roll(20))
    return """
      <path d="M0 84L\(a) 40l16 20L\(b) 34l30 50z" fill="#\(dark)" opacity=".8"/>\
      <path d="M\(a) 40l6 7.5-6 3-6-2zM\(b) 34l7 12-7 4-6-6z" fill="#fff" opacity=".85"/>\
      <path d="M0 76q50-10 100 2v30H0z" fill="#11131c"/>
      """
  }

  private static func city(_ dice: inout Dice, _ dark: String) -> String {
    var (houses, windows) = ("", "")
    for column in 0..<10 {
      let top = 42 + dice.roll(28)
      houses += "M\(column * 10) \(top)h9.4v70h-9.4z"
      for window in 0..<3 where dice.roll(2) == 0 {
        windows += "M\(column * 10 + 2 + dice.roll(4)) \(top + 4 + window * 6)h2v3h-2z"
      }
    }
    return """
      <path d="\(houses)" fill="#\(dark)"/><path d="\(houses)" fill="#0b0d14" opacity=".55"/>\
      <path d="\(windows)" fill="#ffe39a"/>
      """
  }

  private static func sea(_ dice: inout Dice, _ dark: String) -> String {
    let boat = 20 + dice.roll(50)
    return """
      <path d="M0 58h100v50H0z" fill="#\(dark)"/><path d="M0 58h100v50H0z" fill="#0c1a2e" opacity=".35"/>\
      <path d="M20 66h24M52 70h30M10 78h34M58 82h26" stroke="#fff" stroke-width="1.2" opacity=".4"/>\
      <path d="M\(boat) 61h18l-4 6h-10zM\(boat + 8) 60V40l11 18z" fill="#f6efe2"/>
      """
  }

  private static func forest(_ dice: inout Dice, _ dark: String) -> String {
    var trees = ""
    for column in 0..<9 {
      let top = 38 + dice.roll(22)
      trees += "M\(column * 12 + 2) \(top)l9 \(86 - top)h-18z"
    }
    return """
      <path d="M0 70q50-14 100 0v40H0z" fill="#\(dark)" opacity=".6"/><path d="\(trees)" fill="#\(dark)"/>\
      <path d="\(trees)" fill="#08130d" opacity=".5"/><path d="M0 82q50-8 100 0v30H0z" fill="#0d1410"/>
      """
  }

  private static func road(_ dice: inout Dice, _ dark: String) -> String {
    let x = 40 + dice.roll(20)
    return """
      <path d="M0 56q50-8 100 0v50H0z" fill="#\(dark)"/>\
      <path d="M\(x) 54h4L92 104H8z" fill="#20222c"/>\
      <path d="M\(x + 2) 58v4M\(x + 2) 66v6M\(x + 1) 78v9" stroke="#ffe39a" stroke-width="1.8"/>\
      <path d="M16 56V36M16 40h9M82 56V32M82 36h-9" stroke="#11131c" stroke-width="1.6"/>
      """
  }

  /// Returns a dark and a light shade of a color whose channels are shifted towards each other.
  private static func shades(of color: String, turned: Int) -> (dark: String, light: String) {
    let value = Int(color, radix: 16) ?? 0
    let channels = [(value >> 16) % 256 + turned, (value >> 8) % 256, value % 256 - turned]
    func hex(_ factor: Int, _ lift: Int) -> String {
      channels.map {
        let channel = min(255, max(0, $0 * factor / 100 + lift))
        return (channel < 16 ? "0" : "") + String(channel, radix: 16)
      }.joined()
    }
    return (hex(42, 0), hex(80, 45))
  }
}
