import Foundation
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct TileTests {
  @Test(arguments: ["", "<a b=\"#c\">'100%'</a>", "é 기생충\u{7F}|^`{}[]\\"])
  func dataURLIsPlainASCIIAndLosesNothing(_ text: String) throws {
    let url = Tile(color: "#ffffff", fontSize: 10, lines: [text]).dataURL
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/&,;=+%")
    #expect(url.unicodeScalars.allSatisfy(allowed.contains))
    let svg = url.dropFirst("data:image/svg+xml,".count).removingPercentEncoding
    #expect(svg?.hasSuffix(">\(Tile.escaped(text))</text></svg>") == true)
  }

  /// A scalar that joins the one before it hides it from a comparison of characters.
  @Test(arguments: [
    ("Tom & <Jerry>", "Tom &amp; &lt;Jerry&gt;"), ("<\u{0301}", "&lt;\u{0301}"),
    ("\u{0D4E}<", "\u{0D4E}&lt;"), ("a\0b\u{1B}c\u{FFFE}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
    ("tab\tline\n", "tab\tline\n"),
  ])
  func textIsEscapedByScalars(text: String, escaped: String) {
    #expect(Array(Tile.escaped(text).unicodeScalars) == Array(escaped.unicodeScalars))
  }

  @Test(arguments: ["\u{0D4E}<", "<\u{0D4E}", "\u{0D4E}&", "a\u{0301}<", "\u{0600}<x", "a\0"])
  func everyPortraitIsWellFormed(name: String) throws {
    let url = Tile.portrait(name, .artists)
    let svg = try #require(
      url.dropFirst("data:image/svg+xml,".count).removingPercentEncoding)
    let tags = svg.unicodeScalars.count { $0 == "<" }
    #expect(tags == 5, "\(svg)")
  }

  @Test func portraitOfManyCombiningMarksIsSmall() {
    let name = "a" + String(repeating: "\u{0301}", count: 10_000)
    #expect(Tile.portrait(name, .artists).utf8.count < 500)
  }

  @Test func longNameIsWrapped() {
    let images = TitleImages(tile: "Crouching Tiger, Hidden Dragon", color: "#ffffff")
    let lines = { (url: String) in
      url.removingPercentEncoding?.components(separatedBy: "<text ").count
    }
    #expect(lines(images.portrait) == 5)
    #expect(lines(images.landscape) == 3)
  }
}
