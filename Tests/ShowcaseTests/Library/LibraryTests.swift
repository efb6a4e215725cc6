import Offstage
import OffstageTesting
import Showcase
import Testing

/// The shelves, which come when the test says so.
@Suite @CoreActor struct LibraryTests {
  private let core = TestCore()
  private let repository = MockLibrary()
  private let coordinator = MockLibraryCoordinator()
  private let library: Library

  init() throws {
    let (repository, coordinator) = (repository, coordinator)
    library = try core.show {
      Library(
        dependency: .init(
          repository: repository, matrix: try .library(), coordinator: coordinator))
    }
  }

  @Test func appearingLoadsTheShelves() async {
    library.input.didAppear.send()
    #expect(library.output.isLoading.value)
    await reply(.sample(bookmarks: ["alien"], progress: ["jaws": 0.5, "signal": 0.25]))
    #expect(!library.output.isLoading.value)
    check("begun: jaws signal", "bookmarked: alien", "all: jaws alien chess signal")
    #expect(library.output.shelves.values.map(\.style) == [.thumbnail, .poster, .poster])
    #expect(library.output.shelves.values.map(\.title) == ["Begun", "Bookmarked", "All"])
  }

  @Test func aShelfOnWhichNothingStandsIsLeftOut() async {
    library.input.didAppear.send()
    await reply(.sample())
    check("all: jaws alien chess signal")
  }

  @Test func aLoadWhileOneRunsIsDropped() async {
    for _ in 1...3 { library.input.didAppear.send() }
    await reply(.sample())
    library.input.didAppear.send()
    await reply(.sample(bookmarks: ["jaws"]))
    check("bookmarked: jaws", "all: jaws alien chess signal")
    #expect(repository.loads.questions.count == 2)
  }

  @Test func aFailureIsToldKeepsTheShelvesAndCanBeRetried() async {
    library.input.didAppear.send()
    await reply(.sample())
    let failures = Events(of: library.output.failed)
    library.input.didAppear.send()
    await repository.loads.next().fail(LoadFailure.offline)
    await turns()
    #expect(failures.values == [.offline])
    check("all: jaws alien chess signal")
    library.input.retry.send()
    await reply(.sample(bookmarks: ["jaws"]))
    check("bookmarked: jaws", "all: jaws alien chess signal")
    #expect(core.faults.isEmpty)
  }

  /// What was forgotten in the matrix is a failure, not a blank card.
  @Test func aModelThatNobodyKnowsIsAFailure() async throws {
    let matrix = try CardMatrix(models: [], [])
    let library = core.show {
      Library(
        dependency: .init(repository: repository, matrix: matrix, coordinator: coordinator))
    }
    let failures = Events(of: library.output.failed)
    library.input.didAppear.send()
    await reply(.sample())
    #expect(failures.values.map(\.message).first?.hasPrefix("No mapper shows a movie") == true)
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
