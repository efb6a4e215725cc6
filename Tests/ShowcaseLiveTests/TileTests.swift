import Foundation
import FoundationXML
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct TileTests {
  @Test(arguments: ["", "<a b=\"#c\">'100%'</a>", "é 기생충\u{7F}|^`{}[]\\", "a/b//..", "-"])
  func uriIsPlainASCIIAndHoldsTheWholeTile(_ text: String) throws {
    let tile = Tile(color: "ffffff", isMonospaced: true, fontSize: 10, lines: [text, "x"])
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/%")
    #expect(tile.uri.unicodeScalars.allSatisfy(allowed.contains))
    let parsed = try #require(Tile(uri: tile.uri))
    #expect(parsed.svg == tile.svg)
    #expect(parsed.svg.hasSuffix(">x</text></svg>"))
    #expect(parsed.svg.contains(">\(Tile.escaped(text))</text>"))
  }

  @Test(arguments: [
    "", "tile", "tile/", "tile/96-96-12-ffffff", "tile/96-96-12-ffffff-10-1/a",
    "image/96-96-12-ffffff-10/a",
    "tile/-1-96-12-ffffff-10/a", "tile/99999-96-12-ffffff-10/a", "tile/96-96-12-fffff\"-10/a",
    "tile/96-96-12-ffffff-mm/a", "tile/96-96-12-ffffff-10/%", "tile/96-96-12-ffffff-10/%FF",
    "tile/96-96-12-ffffff-10/a/a/a/a/a/a/a/a/a/a/a", "../tile/96-96-12-ffffff-10/a",
  ])
  func otherPathsAreNoTiles(path: String) { #expect(Tile(path: path) == nil) }

  /// A scalar that joins the one before it hides it from a comparison of characters.
  @Test(arguments: [
    ("Tom & <Jerry>", "Tom &amp; &lt;Jerry&gt;"), ("<\u{0301}", "&lt;\u{0301}"),
    ("\u{0D4E}<", "\u{0D4E}&lt;"), ("a\0b\u{1B}c\u{FFFE}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
    ("tab\tline\n", "tab\tline\n"),
  ])
  func textIsEscapedByScalars(text: String, escaped: String) {
    #expect(Array(Tile.escaped(text).unicodeScalars) == Array(escaped.unicodeScalars))
  }

  @Test(arguments: [
    "\u{0D4E}<", "<\u{0D4E}", "\u{0D4E}&", "a\u{0301}<", "\u{0600}<x", "a\0", "", "한나",
  ])
  func everyNameHasAPicture(name: String) throws {
    for category in AvatarCategory.allCases {
      let portrait = try #require(Portrait(uri: Portrait(name, category).uri))
      #expect(portrait.svg == Portrait(name, category).svg)
      #expect(XMLParser(data: Data(portrait.svg.utf8)).parse())
    }
    let images = TitleImages(scene: name, color: "ffffff").named("제목 \(name)")
    let poster = try #require(PosterArt(path: String(images.portrait.dropFirst("resource:".count))))
    #expect(XMLParser(data: Data(poster.svg.utf8)).parse())
    #expect(poster.svg.contains(">제목"))
  }

  @Test func portraitOfManyCombiningMarksIsSmall() {
    let name = "a" + String(repeating: "\u{0301}", count: 10_000)
    #expect(Portrait(name, .artists).uri.utf8.count < 150)
  }

  @Test(arguments: [
    "portrait", "portrait/", "portrait/bakers/Mina", "portrait/cooks/%FF", "portrait/cooks/a/b",
    "poster/96-144/x", "poster/96-144-7799cg/x", "poster/96-144-7799cc",
    "poster/96-144-7799cc/a/b/c",
  ])
  func otherPathsAreNoPictures(path: String) {
    #expect(Portrait(path: path) == nil)
    #expect(PosterArt(path: path) == nil)
  }

  @Test func longNameIsWrapped() throws {
    let images = TitleImages(scene: "Crouching Tiger, Hidden Dragon", color: "ffffff")
    let lines = { (uri: String) in
      let art = try #require(PosterArt(path: String(uri.dropFirst("resource:".count))))
      return art.svg.components(separatedBy: "<text ").count
    }
    #expect(try lines(images.portrait) == 5)
    #expect(try lines(images.landscape) == 3)
  }

  /// The page draws how far one has watched on the lowest tenth of a picture.
  @Test(arguments: ["Spirited Away", "Crouching Tiger, Hidden Dragon"])
  func nameIsAboveTheProgress(name: String) throws {
    let uri = TitleImages(scene: name, color: "ffffff").landscape
    let art = try #require(PosterArt(path: String(uri.dropFirst("resource:".count))))
    let baselines = art.svg.matches(of: /<text x="[0-9]+" y="([0-9]+)"/).compactMap { Int($0.1) }
    let descent = 4
    #expect(try #require(baselines.last) + descent < art.height * 9 / 10)
  }

  @Test func fallbackImageIsATile() throws {
    #expect(try svg(FallbackImage.url).contains(">?</text>"))
  }

  private func svg(_ uri: String) throws -> String {
    try #require(Tile(uri: uri)).svg
  }
}

extension Tile {
  /// - Parameter uri: The whole URI.
  init?(uri: String) {
    guard uri.hasPrefix("resource:") else { return nil }
    self.init(path: String(uri.dropFirst("resource:".count)))
  }
}

extension Portrait {
  /// - Parameter uri: The whole URI.
  init?(uri: String) {
    guard uri.hasPrefix("resource:") else { return nil }
    self.init(path: String(uri.dropFirst("resource:".count)))
  }
}
