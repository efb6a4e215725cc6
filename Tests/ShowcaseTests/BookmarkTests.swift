import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// A bookmark shows at once and is rolled back with an event if it cannot be saved.
@Suite @CoreActor struct BookmarkTests {
  private let core: TestCore
  private let repository = MockLibrary()
  private let records: LibraryRecords
  private let library: Library
  private let failures: Events<Failure>

  init() async throws {
    (core, records) = TestCore.withRecords(of: repository)
    let records = records
    library = try core.show {
      Library(
        dependency: .init(
          records: records, matrix: try .library(), coordinator: MockLibraryCoordinator(),
          tracker: MockTracker()))
    }
    failures = Events(of: library.output.failed)
    library.input.didAppear.send()
    await reply(.sample(bookmarks: ["alien"], progress: ["jaws": 0.5]))
  }

  @Test func bookmarkShowsAtOnceOnEveryShelf() async {
    tap("jaws")
    check(bookmarked: ["jaws", "alien"], stars: ["jaws", "alien"])
    let call = await repository.savings.next()
    #expect(call.question == .init(isBookmarked: true, key: "jaws"))
    call.reply(())
    await turns()
    check(bookmarked: ["jaws", "alien"], stars: ["jaws", "alien"])
    #expect(failures.values.isEmpty)
  }

  @Test func removalShowsAtOnce() async {
    tap("alien", on: "bookmarked")
    check(bookmarked: [], stars: [])
    #expect(library.output.shelves["bookmarked"] == nil)
    let call = await repository.savings.next()
    #expect(call.question == .init(isBookmarked: false, key: "alien"))
    call.fail(LoadFailure.full)
    await turns()
    check(bookmarked: ["alien"], stars: ["alien"], failures: [.storage])
  }

  @Test func failureRollsTheBookmarkBack() async {
    let before = library.output.shelves.values
    tap("jaws")
    #expect(library.output.shelves.values != before)
    await repository.savings.next().fail(LoadFailure.full)
    await turns()
    #expect(library.output.shelves.values == before)
    check(bookmarked: ["alien"], stars: ["alien"], failures: [.storage])
    tap("jaws")
    await repository.savings.next().reply(())
    await turns()
    check(bookmarked: ["jaws", "alien"], stars: ["jaws", "alien"], failures: [.storage])
    #expect(core.faults.isEmpty)
  }

  @Test func lastOfQuickTapsWins() async {
    tap("jaws")
    let first = await repository.savings.next()
    tap("jaws")
    check(bookmarked: ["alien"], stars: ["alien"])
    #expect(repository.savings.questions.count == 1, "One at a time, so that none overtakes.")
    first.reply(())
    let second = await repository.savings.next()
    #expect(second.question == .init(isBookmarked: false, key: "jaws"))
    second.reply(())
    await turns()
    check(bookmarked: ["alien"], stars: ["alien"])
    #expect(repository.savings.questions.count == 2)
  }

  /// The failed save has been superseded by a newer tap.
  @Test func supersededFailureIsNotEmitted() async {
    tap("jaws")
    let first = await repository.savings.next()
    tap("jaws")
    first.fail(LoadFailure.full)
    await repository.savings.next().reply(())
    await turns()
    check(bookmarked: ["alien"], stars: ["alien"])
  }

  @Test func bookmarksOfTwoTitlesAreIndependent() async {
    tap("jaws")
    tap("alien")
    let calls = [await repository.savings.next(), await repository.savings.next()]
    calls[0].fail(LoadFailure.full)
    calls[1].reply(())
    await turns()
    check(bookmarked: [], stars: [], failures: [.storage])
  }

  /// A load that started before the tap, or during its save, does not have the bookmark yet.
  @Test(arguments: [false, true]) func lateResultOfAnOlderQueryIsIgnored(saved: Bool) async {
    library.input.didAppear.send()
    let load = await repository.loads.next()
    tap("jaws")
    let call = await repository.savings.next()
    if saved {
      call.reply(())
      await turns()
    }
    load.reply(.sample(bookmarks: ["alien"]))
    await turns()
    check(bookmarked: ["jaws", "alien"], stars: ["jaws", "alien"])
    library.input.didAppear.send()
    await reply(.sample(bookmarks: saved ? [] : ["alien"]))
    check(bookmarked: saved ? [] : ["jaws", "alien"], stars: saved ? [] : ["jaws", "alien"])
  }

  @Test(arguments: ["chess", "signal"]) func onlyMoviesCanBeBookmarked(_ key: String) async {
    tap(key)
    await turns()
    #expect(repository.savings.questions.isEmpty)
    check(bookmarked: ["alien"], stars: ["alien"])
  }

  @Test func closingDuringTheSaveIsSafe() async {
    tap("jaws")
    let call = await repository.savings.next()
    core.closeAll()
    #expect(!call.isCancelled)
    call.reply(())
    await turns()
    #expect(core.liveCounts == (0, 0, 0))
    #expect(core.faults.isEmpty)
    #expect(failures.values.isEmpty)
  }

  @Test func changesOfAnotherScreenAreShown() async {
    let signal = LibraryTitle(model: TVDrama.signal, record: PersonalRecord())
    records.setProgress(0.25, of: signal) { Issue.record($0) }
    let begun = library.output.shelves["begun"]?.cards.map(\.id)
    #expect(begun == ["jaws", "signal"])
    let jaws = LibraryTitle(model: Movie.jaws, record: PersonalRecord())
    records.toggleBookmark(of: jaws) { Issue.record($0) }
    #expect(library.output.shelves["begun"]?.cards.map(\.id) == ["signal"])
    #expect(library.output.shelves["bookmarked"]?.cards.map(\.id) == ["jaws", "alien"])
    await repository.progress.next().reply(())
    await repository.savings.next().reply(())
    await turns()
  }

  // MARK: Helpers

  private func tap(_ card: String, on shelf: String = "all") {
    library.input.bookmarkTapped.send(CardPlace(shelf: shelf, card: card))
  }

  private func reply(_ content: LibraryContent) async {
    await repository.loads.next().reply(content)
    await turns()
  }

  private func check(
    bookmarked: [String], stars: [String], failures: [LoadFailure.Reason] = [],
    at location: SourceLocation = #_sourceLocation
  ) {
    let shelf = library.output.shelves["bookmarked"]?.cards.map(\.id) ?? []
    #expect(shelf == bookmarked, sourceLocation: location)
    let starred = library.output.shelves["all"]?.cards.filter { card in
      if case .poster(let poster) = card { poster.badge?.kind == .star } else { false }
    }
    #expect(starred?.map(\.id) == stars, sourceLocation: location)
    #expect(self.failures.values.map(\.reason) == failures, sourceLocation: location)
  }
}

extension LoadFailure {
  fileprivate static let full = LoadFailure(.storage, "The disk is full.", retryable: true)
}
