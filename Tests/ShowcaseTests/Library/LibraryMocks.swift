import Offstage
import Showcase

/// A library that answers when the test says so.
final class MockLibrary: LibraryRepository {
  struct Saving: Hashable {
    let isBookmarked: Bool
    let key: String
  }

  let loads = Asked<Void, LibraryContent>()
  let titles = Asked<String, any LibraryModel>()
  let savings = Asked<Saving, Void>()

  func library() async throws -> LibraryContent { try await loads(()) }

  func title(key: String) async throws -> any LibraryModel { try await titles(key) }

  func setBookmarked(_ isBookmarked: Bool, key: String) async throws {
    try await savings(Saving(isBookmarked: isBookmarked, key: key))
  }
}

/// Notes what the library asked its coordinator for, in the article's words.
@CoreActor
final class MockLibraryCoordinator: LibraryCoordinator {
  private(set) var calls: [String] = []

  func showTitle(_ selection: Selection) {
    calls.append("showTitle was called, with \(selection.key)")
  }
}

extension LibraryContent {
  /// Two films, a hobby and a drama on a shelf of posters, and the shelves of what one has done.
  static func sample(
    bookmarks: Set<String> = [], progress: [String: Double] = [:]
  ) -> LibraryContent {
    LibraryContent(
      plans: [
        Plan(id: "begun", title: "Begun", style: .thumbnail, titles: .begun),
        Plan(id: "bookmarked", title: "Bookmarked", style: .poster, titles: .bookmarked),
        Plan(
          id: "all", title: "All", style: .poster,
          titles: .keys(["jaws", "alien", "chess", "signal", "no such title"])),
      ],
      models: [Movie.jaws, Movie.alien, Hobby.chess, TVDrama.signal], bookmarks: bookmarks,
      progress: progress)
  }
}

extension Movie {
  static let jaws = Movie(
    key: "jaws", name: "Jaws", year: 1975, director: "Steven Spielberg", runningTime: 124,
    images: .of("jaws"))
  static let alien = Movie(
    key: "alien", name: "Alien", year: 1979, director: "Ridley Scott", runningTime: 117,
    images: .of("alien"))
}

extension Hobby {
  static let chess = Hobby(
    id: "chess", activity: "Chess", place: .anywhere, equipment: "A board, 32 pieces",
    images: .of("chess"))
}

extension TVDrama {
  static let signal = TVDrama(
    id: "signal", title: "Signal", firstYear: 2016, network: "tvN", episodes: 16,
    images: .of("signal"))
}

extension TitleImages {
  static func of(_ key: String) -> TitleImages {
    TitleImages(portrait: "data:,\(key)/portrait", landscape: "data:,\(key)/landscape")
  }
}
