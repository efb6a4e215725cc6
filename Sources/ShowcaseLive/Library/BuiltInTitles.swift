import Foundation
import Showcase

/// The titles and shelves that come with the app. What a person does with them is not here.
enum BuiltInTitles {
  static let films = records(builtInFilms).map(Movie.init(record:))
  static let dramas = records(builtInDramas).map(TVDrama.init(record:))
  static let hobbies = records(builtInHobbies).map(Hobby.init(record:))

  static let all: [any LibraryModel] = films + dramas + hobbies

  static let plans: [LibraryContent.Plan] = [
    .init(id: "begun", title: "Continue watching", style: .thumbnail, titles: .begun),
    .init(id: "bookmarked", title: "Bookmarked", style: .poster, titles: .bookmarked),
    .init(
      id: "picks", title: "For a rainy weekend", style: .poster,
      titles: .keys([
        "parasite", "in-the-mood-for-love", "pottery", "signal", "pulp-fiction", "reply-1988",
        "baduk",
      ])),
    .init(
      id: "palme-dor", title: "Winners of the Palme d'Or", style: .thumbnail,
      titles: .keys(["pulp-fiction", "shoplifters", "parasite"])),
    .init(id: "films", title: "Films", style: .poster, titles: .keys(films.map(\.movieKey))),
    .init(
      id: "dramas", title: "TV dramas", style: .thumbnail, titles: .keys(dramas.map(\.dramaID))),
    .init(
      id: "hobbies", title: "Hobbies", style: .thumbnail, titles: .keys(hobbies.map(\.hobbyID))),
  ]

  /// The lines of a table as their fields.
  private static func records(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { $0.components(separatedBy: " | ") }
  }
}

// A wrong line stops the first test that touches its table.

extension Movie {
  fileprivate init(record: [String]) {
    self.init(
      key: record[0], name: record[1], year: Int(record[2])!, director: record[3],
      runningTime: Int(record[4])!, images: TitleTile(record[1], colour: "#7799cc").images)
  }
}

extension TVDrama {
  fileprivate init(record: [String]) {
    self.init(
      id: record[0], title: record[1], firstYear: Int(record[2])!, network: record[3],
      episodes: Int(record[4])!, images: TitleTile(record[1], colour: "#cc88aa").images)
  }
}

extension Hobby {
  fileprivate init(record: [String]) {
    self.init(
      id: record[0], activity: record[1], place: Place(rawValue: record[2])!, equipment: record[3],
      images: TitleTile(record[1], colour: "#88bb88").images)
  }
}
