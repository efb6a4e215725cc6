import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The shelves of a mock library.
@Suite @CoreActor struct LibraryTests {
  private let core: TestCore
  private let repository = MockLibrary()
  private let coordinator = MockLibraryCoordinator()
  private let records: LibraryRecords
  private let library: Library

  init() throws {
    (core, records) = TestCore.withRecords(of: repository)
    let (records, coordinator) = (records, coordinator)
    library = try core.show {
      Library(
        dependency: .init(
          records: records, matrix: try .library(), coordinator: coordinator,
          tracker: MockTracker()))
    }
  }

  @Test func appearingLoadsTheShelves() async {
    library.input.didAppear.send()
    #expect(library.output.isLoading.value)
    await reply(.sample(bookmarks: ["alien"], progress: ["jaws": 0.5, "signal": 0.25]))
    #expect(!library.output.isLoading.value)
    check("begun: jaws signal", "bookmarked: alien", "all: jaws alien chess signal")
    #expect(library.output.shelves.values.map(\.style) == [.thumbnail, .poster, .poster])
    #expect(
      library.output.shelves.values.map(\.title) == ["Continue watching", "Bookmarked", "All"])
  }

  @Test func emptyShelfIsLeftOut() async {
    library.input.didAppear.send()
    await reply(.sample())
    check("all: jaws alien chess signal")
  }

  @Test func appearingAgainReplacesARunningLoad() async {
    library.input.didAppear.send()
    let first = await repository.loads.next()
    library.input.didAppear.send()
    #expect(first.isCancelled)
    await reply(.sample(bookmarks: ["jaws"]))
    first.reply(.sample())
    await turns()
    check("bookmarked: jaws", "all: jaws alien chess signal")
    #expect(repository.loads.questions.count == 2)
  }

  @Test func anotherAccountSeesNoShelfOfThePreviousOne() async {
    library.input.didAppear.send()
    await reply(.sample(bookmarks: ["jaws"]))
    records.invalidate()
    #expect(library.output.shelves.isEmpty)
    await reply(.sample())
    check("all: jaws alien chess signal")
  }

  @Test func failureKeepsTheShelvesAndCanBeRetried() async {
    library.input.didAppear.send()
    await reply(.sample())
    let failures = Events(of: library.output.failed)
    library.input.didAppear.send()
    await repository.loads.next().fail(LoadFailure.offline)
    await turns()
    #expect(failures.values.map(\.reason) == [.offline])
    check("all: jaws alien chess signal")
    library.input.retry.send()
    await reply(.sample(bookmarks: ["jaws"]))
    check("bookmarked: jaws", "all: jaws alien chess signal")
    #expect(core.faults.isEmpty)
  }

  /// A model without a mapper is a failure, not a blank card.
  @Test func unknownModelIsAFailure() async throws {
    let matrix = try CardMatrix(models: [], [])
    let library = core.show {
      Library(
        dependency: .init(
          records: records, matrix: matrix, coordinator: coordinator, tracker: MockTracker()))
    }
    let failures = Events(of: library.output.failed)
    library.input.didAppear.send()
    await reply(.sample())
    #expect(failures.values.map(\.reason) == [.storage])
    #expect(core.log.first?.contains("no mapper from movie") == true)
    #expect(library.output.shelves.isEmpty)
  }

  @Test func tappingACardShowsItsTitle() async {
    library.input.didAppear.send()
    await reply(.sample(bookmarks: ["alien"]))
    library.input.cardTapped.send(CardPlace(shelf: "bookmarked", card: "alien"))
    library.input.cardTapped.send(CardPlace(shelf: "all", card: "chess"))
    #expect(
      coordinator.calls == [
        "showTitle was called, with alien", "showTitle was called, with chess",
      ])
  }

  @Test(arguments: [("all", "no such card"), ("no such shelf", "alien"), ("bookmarked", "jaws")])
  func tappingWhatIsNotThereMeansNothing(shelf: String, card: String) async {
    library.input.didAppear.send()
    await reply(.sample(bookmarks: ["alien"]))
    library.input.cardTapped.send(CardPlace(shelf: shelf, card: card))
    library.input.bookmarkTapped.send(CardPlace(shelf: shelf, card: card))
    await turns()
    #expect(coordinator.calls.isEmpty)
    #expect(repository.savings.questions.isEmpty)
  }

  @Test func closingCancelsTheLoad() async {
    library.input.didAppear.send()
    let call = await repository.loads.next()
    core.closeAll()
    #expect(call.isCancelled)
    #expect(core.liveCounts == (0, 0, 0))
  }

  // MARK: Helpers

  private func reply(_ content: LibraryContent) async {
    await repository.loads.next().reply(content)
    await turns()
  }

  private func check(_ shelves: String..., at location: SourceLocation = #_sourceLocation) {
    let found = library.output.shelves.values.map { shelf in
      "\(shelf.id): \(shelf.cards.map(\.id).joined(separator: " "))"
    }
    #expect(found == shelves, sourceLocation: location)
  }
}

/// Returns the library when the test replies.
final class MockLibrary: LibraryRepository {
  struct Saving: Hashable {
    let isBookmarked: Bool
    let key: String
  }

  let loads = Asked<Void, LibraryContent>()
  let progress = Asked<Double?, Void>()
  let savings = Asked<Saving, Void>()

  func library(as owner: Owner) async throws -> LibraryContent { try await loads(()) }

  func setProgress(_ progress: Double?, key: String, as owner: Owner) async throws {
    try await self.progress(progress)
  }

  func setBookmarked(_ isBookmarked: Bool, key: String, as owner: Owner) async throws {
    try await savings(Saving(isBookmarked: isBookmarked, key: key))
  }
}

/// A scope with the records of the library alone.
private final class LibraryScope: Scope {
  struct Input: Ports {}
  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  let records: LibraryRecords

  init(_ repository: MockLibrary) {
    records = LibraryRecords(repository, Session(GuestSession(), effects), effects)
  }
}

private struct GuestSession: AccountRepository {}

extension TestCore {
  /// Creates a core and the records of a library, which outlive its screens.
  static func withRecords(of repository: MockLibrary) -> (TestCore, LibraryRecords) {
    let core = TestCore(
      App(
        root: .tabs([]), scope: ScreenFactory(LibraryScope.self) { _ in LibraryScope(repository) },
        screens: []))
    return (core, core.scope(LibraryScope.self)!.records)
  }
}

/// Records the coordinator calls.
@CoreActor
final class MockLibraryCoordinator: LibraryCoordinator {
  private(set) var calls: [String] = []

  func showTitle(_ selection: Selection) {
    calls.append("showTitle was called, with \(selection.key)")
  }
}

extension LibraryContent {
  /// Two movies, a hobby and a drama on a shelf of posters, and the personal shelves.
  static func sample(
    bookmarks: Set<String> = [], progress: [String: Double] = [:]
  ) -> LibraryContent {
    LibraryContent(
      plans: [
        Plan(id: "begun", style: .thumbnail, titles: .begun),
        Plan(id: "bookmarked", style: .poster, titles: .bookmarked),
        Plan(
          id: "all", style: .poster,
          titles: .keys(["jaws", "alien", "chess", "signal", "no such title"])),
      ],
      models: [Movie.jaws, Movie.alien, Hobby.chess, TVDrama.signal], bookmarks: bookmarks,
      progress: progress)
  }
}

extension Movie {
  static let jaws = Movie(
    movieKey: "jaws", movieName: "Jaws", year: 1975, director: "Steven Spielberg", runningTime: 124,
    movieImages: .of("jaws"), movieStream: "data:,jaws")
  static let alien = Movie(
    movieKey: "alien", movieName: "Alien", year: 1979, director: "Ridley Scott", runningTime: 117,
    movieImages: .of("alien"), movieStream: "data:,alien")
}

extension Hobby {
  static let chess = Hobby(
    hobbyID: "chess", activity: "Chess", place: .anywhere, equipment: "A board, 32 pieces",
    hobbyImages: .of("chess"))
}

extension TVDrama {
  static let signal = TVDrama(
    dramaID: "signal", dramaTitle: "Signal", firstYear: 2016, network: "tvN", episodes: 16,
    keyVisuals: .of("signal"), dramaStream: "data:,signal")
}

extension TitleImages {
  static func of(_ key: String) -> TitleImages {
    TitleImages(portrait: "data:,\(key)/portrait", landscape: "data:,\(key)/landscape")
  }
}
