import Foundation
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

@Suite struct PictureFormatTests {
  private static let whole: [(PictureFormat, [UInt8])] = [
    (.png, Pictures.png),
    (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 0xFF, 0xD9]),
    (.gif, Array("GIF89a123;".utf8)),
    (.webp, Array("RIFF".utf8) + [8, 0, 0, 0] + Array("WEBPVP8 ".utf8)),
    (.avif, [0, 0, 0, 12] + Array("ftypavif".utf8) + [0, 0, 0, 9] + Array("mdat1".utf8)),
    (.bmp, Array("BM".utf8) + [30, 0, 0, 0] + Array(repeating: 0, count: 24)),
    (
      .ico,
      [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 3, 0, 0, 0, 22, 0, 0, 0] + [1, 2, 3]
    ),
    (
      .svg,
      Array(
        "<?xml version='1.0'?>\n<!-- <html> --><svg xmlns='http://www.w3.org/2000/svg'></svg>\n"
          .utf8)
    ),
  ]

  @Test(arguments: whole) func wholePictureHasAFormat(format: PictureFormat, bytes: [UInt8]) {
    #expect(PictureFormat(of: Data(bytes)) == format)
    #expect(
      format.mimeType == ["ico": "image/x-icon", "svg": "image/svg+xml"][format.rawValue]
        ?? "image/\(format)")
  }

  @Test(arguments: whole) func partOfAPictureHasNone(format: PictureFormat, bytes: [UInt8]) {
    for count in 0..<bytes.count - 2 {
      #expect(PictureFormat(of: Data(bytes.prefix(count))) == nil, "\(format), \(count)")
    }
  }

  @Test(arguments: ["", "<html><svg></svg></html>", "<!DOCTYPE html><html></html>", "{}", "BM"])
  func textHasNone(text: String) {
    #expect(PictureFormat(of: Data(text.utf8)) == nil)
  }
}
