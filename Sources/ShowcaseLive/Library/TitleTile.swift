import Showcase

/// Pictures that need no network: a title's name on a colour, upright and across.
struct TitleTile {
  private let name: String
  private let colour: String

  /// - Parameter colour: light enough for black letters to be read on it.
  init(_ name: String, colour: String) {
    self.name = name
    self.colour = colour
  }

  var images: TitleImages {
    TitleImages(
      portrait: dataURL(width: 96, height: 144, lineLength: 11),
      landscape: dataURL(width: 160, height: 90, lineLength: 19))
  }

  private func dataURL(width: Int, height: Int, lineLength: Int) -> String {
    let lines = lines(of: lineLength)
    let top = height / 2 - 8 * (lines.count - 1) + 5
    let text = lines.enumerated().map { index, line in
      #"<text x="\#(width / 2)" y="\#(top + 16 * index)">\#(line)</text>"#
    }
    return SVG.dataURL(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      font-family="sans-serif" font-size="14" text-anchor="middle">\
      <rect width="\(width)" height="\(height)" rx="6" fill="\(colour)"/>\(text.joined())</svg>
      """)
  }

  /// The words of the name, as many on a line as fit; a word is never cut.
  private func lines(of length: Int) -> [String] {
    name.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= length {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }.map(SVG.escaped)
  }
}
