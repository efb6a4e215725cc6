import Offstage
import OffstageLive
import OffstageTesting
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// The library on a database that takes its time to save.
@Suite @CoreActor struct SlowSaveTests {
  /// The shelves are read again while the title's own screen still saves.
  @Test func changesOfAClosedScreenAreShownWhileTheyAreSaved() async throws {
    let database = try Database(.memory, execution: .inline)
    let repository = SlowLibrary(PersonalDatabase(database))
    var dependencies = try Dependencies.stored(in: database)
    dependencies.set(.library, to: repository)
    var app = try CoreBuilder.app(dependencies)
    app.root = .stack(Route(Library.self))
    let core = TestCore(app)
    try core.start()
    let library = try #require(core.screen(Library.self))
    library.input.didAppear.send()
    await core.settle()
    library.input.cardTapped.send(CardPlace(shelf: "films", card: "jaws"))
    await core.settle()
    let detail = try #require(core.screen(TitleDetail.self))
    detail.input.bookmarkTapped.send()
    detail.input.seek.send(Seek(to: 0.5))
    await core.run()
    #expect(core.back())
    library.input.didAppear.send()
    await core.run()
    for isSaved in [false, true] {
      for shelf in ["bookmarked", "begun"] {
        let cards = library.output.shelves[shelf]?.cards.map(\.id) ?? []
        #expect(cards.contains("jaws"), "on \(shelf), saved: \(isSaved)")
      }
      repository.save()
      await core.settle()
    }
    #expect(try await repository.library(as: .guest)["jaws"]?.record.isBookmarked == true)
    #expect(core.faults.isEmpty)
  }
}

/// Saves when the test says so.
@CoreActor
private final class SlowLibrary: LibraryRepository {
  private let repository: PersonalDatabase
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ repository: PersonalDatabase) { self.repository = repository }

  func save() {
    for save in waiting { save.resume() }
    waiting = []
  }

  func library(as owner: Owner) async throws -> LibraryContent {
    try await repository.library(as: owner)
  }

  func setProgress(_ progress: Double?, key: String, as owner: Owner) async throws {
    await withCheckedContinuation { waiting.append($0) }
    try await repository.setProgress(progress, key: key, as: owner)
  }

  func setBookmarked(_ isBookmarked: Bool, key: String, as owner: Owner) async throws {
    await withCheckedContinuation { waiting.append($0) }
    try await repository.setBookmarked(isBookmarked, key: key, as: owner)
  }
}
