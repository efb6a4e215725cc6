import Foundation
import Showcase
import Testing

@testable import ShowcaseLive

@Suite struct SVGTests {
  @Test(arguments: ["", "<a b=\"#c\">'100%'</a>", "é 기생충\n\u{1}\u{7F}|^`{}[]\\"])
  func aDataURLIsPlainASCIIAndLosesNothing(_ text: String) throws {
    let url = SVG.dataURL(text)
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/,;=+%")
    #expect(url.unicodeScalars.allSatisfy(allowed.contains))
    #expect(url.dropFirst("data:image/svg+xml,".count).removingPercentEncoding == text)
  }

  @Test func textBetweenTags() {
    #expect(SVG.escaped("Tom & <Jerry>") == "Tom &amp; &lt;Jerry>")
  }

  @Test func aLongNameHasSeveralLines() {
    let svg = TitleTile(name: "Crouching Tiger, Hidden Dragon", color: "#ffffff").images
    let lines = { (url: String) in
      url.removingPercentEncoding?.components(separatedBy: "<text ").count
    }
    #expect(lines(svg.portrait) == 5)
    #expect(lines(svg.landscape) == 3)
  }
}
