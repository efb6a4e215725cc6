import Foundation
import Showcase

/// The app's own titles and shelves, without bookmarks and progress.
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
    .init(id: "films", title: "Movies", style: .poster, titles: .keys(films.map(\.movieKey))),
    .init(
      id: "dramas", title: "TV dramas", style: .thumbnail, titles: .keys(dramas.map(\.dramaID))),
    .init(
      id: "hobbies", title: "Hobbies", style: .thumbnail, titles: .keys(hobbies.map(\.hobbyID))),
  ]

  /// Splits a table into lines and fields.
  private static func records(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { $0.components(separatedBy: " | ") }
  }
}

extension Movie {
  fileprivate init(record: [String]) {
    self.init(
      key: record[0], name: record[1], year: Int(record[2])!, director: record[3],
      runningTime: Int(record[4])!, images: TitleImages(tile: record[1], color: "7799cc"))
  }
}

extension TVDrama {
  fileprivate init(record: [String]) {
    self.init(
      id: record[0], title: record[1], firstYear: Int(record[2])!, network: record[3],
      episodes: Int(record[4])!, images: TitleImages(tile: record[1], color: "cc88aa"))
  }
}

extension Hobby {
  fileprivate init(record: [String]) {
    self.init(
      id: record[0], activity: record[1], place: Place(rawValue: record[2])!, equipment: record[3],
      images: TitleImages(tile: record[1], color: "88bb88"))
  }
}

extension TitleImages {
  /// A title's name on a color, in portrait and landscape.
  init(tile name: String, color: String) {
    func tile(_ width: Int, _ height: Int, lineLength: Int) -> String {
      Tile(
        width: width, height: height, radius: 6, color: color, fontSize: 14,
        lines: Self.lines(of: name, length: lineLength)
      ).uri
    }
    self.init(
      portrait: tile(96, 144, lineLength: 11), landscape: tile(160, 90, lineLength: 19))
  }

  /// Wraps the name at spaces; a longer word keeps its line.
  private static func lines(of name: String, length: Int) -> [String] {
    name.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= length {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}

/// Films: key, title, year of release, director, minutes. A string, because an array literal of
/// this size compiles slowly.
private let builtInFilms = """
  citizen-kane | Citizen Kane | 1941 | Orson Welles | 119
  casablanca | Casablanca | 1942 | Michael Curtiz | 102
  bicycle-thieves | Bicycle Thieves | 1948 | Vittorio De Sica | 89
  tokyo-story | Tokyo Story | 1953 | Yasujirō Ozu | 136
  seven-samurai | Seven Samurai | 1954 | Akira Kurosawa | 207
  the-godfather | The Godfather | 1972 | Francis Ford Coppola | 175
  jaws | Jaws | 1975 | Steven Spielberg | 124
  star-wars | Star Wars | 1977 | George Lucas | 121
  alien | Alien | 1979 | Ridley Scott | 117
  blade-runner | Blade Runner | 1982 | Ridley Scott | 117
  pulp-fiction | Pulp Fiction | 1994 | Quentin Tarantino | 154
  the-matrix | The Matrix | 1999 | Lana and Lilly Wachowski | 136
  in-the-mood-for-love | In the Mood for Love | 2000 | Wong Kar-wai | 98
  yi-yi | Yi Yi | 2000 | Edward Yang | 173
  crouching-tiger | Crouching Tiger, Hidden Dragon | 2000 | Ang Lee | 120
  amelie | Amélie | 2001 | Jean-Pierre Jeunet | 123
  spirited-away | Spirited Away | 2001 | Hayao Miyazaki | 125
  memories-of-murder | Memories of Murder | 2003 | Bong Joon-ho | 131
  oldboy | Oldboy | 2003 | Park Chan-wook | 120
  inception | Inception | 2010 | Christopher Nolan | 148
  mad-max-fury-road | Mad Max: Fury Road | 2015 | George Miller | 120
  moonlight | Moonlight | 2016 | Barry Jenkins | 111
  the-handmaiden | The Handmaiden | 2016 | Park Chan-wook | 145
  train-to-busan | Train to Busan | 2016 | Yeon Sang-ho | 118
  burning | Burning | 2018 | Lee Chang-dong | 148
  roma | Roma | 2018 | Alfonso Cuarón | 135
  shoplifters | Shoplifters | 2018 | Hirokazu Kore-eda | 121
  parasite | Parasite | 2019 | Bong Joon-ho | 132
  """

/// TV dramas: key, title, year of the first broadcast, network, episodes of all seasons.
private let builtInDramas = """
  the-wire | The Wire | 2002 | HBO | 60
  winter-sonata | Winter Sonata | 2002 | KBS2 | 20
  jewel-in-the-palace | Jewel in the Palace | 2003 | MBC | 54
  breaking-bad | Breaking Bad | 2008 | AMC | 62
  my-love-from-the-star | My Love from the Star | 2013 | SBS | 21
  reply-1988 | Reply 1988 | 2015 | tvN | 20
  descendants-of-the-sun | Descendants of the Sun | 2016 | KBS2 | 16
  signal | Signal | 2016 | tvN | 16
  mr-sunshine | Mr. Sunshine | 2018 | tvN | 24
  my-mister | My Mister | 2018 | tvN | 16
  sky-castle | Sky Castle | 2018 | JTBC | 20
  chernobyl | Chernobyl | 2019 | HBO | 5
  crash-landing-on-you | Crash Landing on You | 2019 | tvN | 16
  itaewon-class | Itaewon Class | 2020 | JTBC | 16
  extraordinary-attorney-woo | Extraordinary Attorney Woo | 2022 | ENA | 16
  """

/// Hobbies: key, name, place, equipment.
private let builtInHobbies = """
  astronomy | Amateur Astronomy | Outdoors | A telescope, or the eyes alone
  baduk | Baduk | Indoors | A board of 19 by 19 lines, 361 stones
  birdwatching | Birdwatching | Outdoors | Binoculars, a field guide
  bouldering | Bouldering | Anywhere | Climbing shoes, chalk, a mat
  calligraphy | Calligraphy | Indoors | A brush, ink, an inkstone, paper
  chess | Chess | Anywhere | A board, 32 pieces
  film-photography | Film Photography | Anywhere | A camera, film
  gardening | Gardening | Outdoors | Soil, seeds, a trowel
  knitting | Knitting | Anywhere | Two needles, yarn
  origami | Origami | Anywhere | Square paper
  pottery | Pottery | Indoors | Clay, a wheel, a kiln
  sourdough | Sourdough Baking | Indoors | Flour, water, salt, an oven
  """
