import Foundation
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct BuiltInTitlesTests {
  @Test func keysAreUnique() {
    #expect(BuiltInTitles.films.count == 28)
    #expect(BuiltInTitles.dramas.count == 15)
    #expect(BuiltInTitles.hobbies.count == 12)
    let keys = keys
    #expect(Set(keys).count == keys.count)
    // Keys appear in links.
    for key in keys { #expect(key.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }) }
  }

  @Test func shelvesNameKnownTitles() {
    let known = Set(keys)
    for plan in BuiltInTitles.plans {
      if case .keys(let keys) = plan.titles {
        #expect(known.isSuperset(of: keys), "\(plan.id)")
        #expect(Set(keys).count == keys.count, "\(plan.id)")
      }
    }
    #expect(Set(BuiltInTitles.plans.map(\.id)).count == BuiltInTitles.plans.count)
  }

  @Test func yearsAndLengthsArePlausible() {
    for film in BuiltInTitles.films {
      #expect((1895...2025).contains(film.year))
      #expect((60...240).contains(film.runningTime))
    }
    for drama in BuiltInTitles.dramas {
      #expect((1950...2025).contains(drama.firstYear))
      #expect((4...100).contains(drama.episodes))
    }
  }

  @Test func tilesAreSmallDistinctURLs() throws {
    let images =
      BuiltInTitles.films.map(\.movieImages) + BuiltInTitles.dramas.map(\.keyVisuals)
      + BuiltInTitles.hobbies.map(\.hobbyImages)
    #expect(Set(images.map(\.portrait)).count == images.count)
    for image in images {
      try check(image.portrait, "viewBox=\"0 0 96 144\"")
      try check(image.landscape, "viewBox=\"0 0 160 90\"")
    }
  }

  private func check(
    _ url: String, _ viewBox: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(url.utf8.count < 100, sourceLocation: location)
    let svg = try #require(
      PosterArt(path: String(url.dropFirst("resource:".count))), sourceLocation: location
    ).svg
    #expect(svg.contains(viewBox), sourceLocation: location)
    #expect(svg.hasPrefix("<svg "), sourceLocation: location)
    #expect(svg.hasSuffix("</text></svg>"), sourceLocation: location)
  }

  private var keys: [String] {
    BuiltInTitles.films.map(\.movieKey) + BuiltInTitles.dramas.map(\.dramaID)
      + BuiltInTitles.hobbies.map(\.hobbyID)
  }
}
