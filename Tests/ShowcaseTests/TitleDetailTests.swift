import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The title screen.
@Suite @CoreActor struct TitleDetailTests {
  private let core = TestCore()
  private let repository = MockLibrary()

  struct Case: Sendable, CustomTestStringConvertible {
    let model: any LibraryModel
    let facts: [String]
    var testDescription: String { "\(type(of: model))" }
  }

  private nonisolated static let jaws = [
    "Year: 1975", "Director: Steven Spielberg", "Running time: 124 min",
  ]
  private nonisolated static let signal = ["First broadcast: 2016", "Network: tvN", "Episodes: 16"]

  /// Each kind of model has facts of its own.
  @Test(arguments: [
    Case(model: Movie.jaws, facts: jaws),
    Case(
      model: WatchedMovie(movie: .jaws, progress: 0.25), facts: jaws + ["Left: 93 min"]),
    Case(model: BookmarkedMovie(movie: .jaws, progress: nil), facts: jaws + ["Bookmarked: Yes"]),
    Case(
      model: BookmarkedMovie(movie: .jaws, progress: 0.25),
      facts: jaws + ["Left: 93 min", "Bookmarked: Yes"]),
    Case(model: Hobby.chess, facts: ["Where: Anywhere", "Equipment: A board, 32 pieces"]),
    Case(model: TVDrama.signal, facts: signal),
    Case(
      model: TVDrama.signal.personal(PersonalRecord(progress: 0.5)),
      facts: signal + ["Episodes left: 8"]),
  ])
  func showsTheModelsOwnData(_ test: Case) async {
    let detail = show()
    #expect(detail.output.isLoading.value)
    await repository.titles.next().reply(test.model)
    await turns()
    #expect(!detail.output.isLoading.value)
    let shown = detail.output.detail.value
    #expect(shown?.facts.map { "\($0.label): \($0.value)" } == test.facts)
    #expect(shown.map { "data:,\($0.id)/portrait" } == shown?.image)
  }

  @Test func loadsOnce() async {
    let detail = show()
    detail.input.didAppear.send()
    await repository.titles.next().reply(Movie.jaws)
    await turns()
    detail.input.didAppear.send()
    detail.input.retry.send()
    await turns()
    #expect(repository.titles.questions == ["jaws"])
    #expect(detail.output.detail.value?.title == "Jaws")
  }

  @Test func failureIsEmittedAndCanBeRetried() async {
    let detail = show()
    let failures = Events(of: detail.output.failed)
    await repository.titles.next().fail(LoadFailure.offline)
    await turns()
    #expect(failures.values == [.offline])
    #expect(!detail.output.isLoading.value)
    detail.input.retry.send()
    await repository.titles.next().reply(Movie.jaws)
    await turns()
    #expect(detail.output.detail.value?.id == "jaws")
    #expect(core.faults.isEmpty)
  }

  @Test func leavingCancelsTheLoad() async {
    let detail = Weak(show())
    let call = await repository.titles.next()
    core.closeAll()
    #expect(call.isCancelled)
    #expect(core.liveCounts == (0, 0, 0))
    await turns()
    await turns()
    #expect(detail.object == nil)
  }

  private func show() -> TitleDetail {
    core.show { TitleDetail(dependency: .init(key: "jaws", repository: repository)) }
  }
}
