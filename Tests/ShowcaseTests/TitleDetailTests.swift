import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The title screen.
@Suite @CoreActor struct TitleDetailTests {
  private let core: TestCore
  private let repository = MockLibrary()
  private let records: LibraryRecords

  init() { (core, records) = TestCore.withRecords(of: repository) }

  struct Case: Sendable, CustomTestStringConvertible {
    let model: any LibraryModel
    var record = PersonalRecord()
    let facts: [String]
    var testDescription: String { "\(type(of: model))" }
  }

  private nonisolated static let jaws = [
    "Year: 1975", "Director: Steven Spielberg", "Running time: 124 min",
  ]
  private nonisolated static let signal = ["First aired: 2016", "Network: tvN", "Episodes: 16"]

  /// Each kind of model has facts of its own.
  @Test(arguments: [
    Case(model: Movie.jaws, facts: jaws),
    Case(
      model: Movie.jaws, record: .init(progress: 0.25), facts: jaws + ["Time left: 93 min"]),
    Case(
      model: Movie.jaws, record: .init(isBookmarked: true), facts: jaws + ["Bookmarked: Yes"]),
    Case(
      model: Movie.jaws, record: .init(isBookmarked: true, progress: 0.25),
      facts: jaws + ["Time left: 93 min", "Bookmarked: Yes"]),
    Case(model: Hobby.chess, facts: ["Where: Anywhere", "Equipment: A board, 32 pieces"]),
    Case(model: TVDrama.signal, facts: signal),
    Case(
      model: TVDrama.signal, record: .init(progress: 0.5),
      facts: signal + ["Episodes left: 8"]),
  ])
  func showsTheModelsOwnData(_ test: Case) async {
    let detail = show(test.model.key)
    #expect(detail.output.isLoading.value)
    await repository.loads.next().reply(.of(test.model, test.record))
    await turns()
    #expect(!detail.output.isLoading.value)
    let shown = detail.output.detail.value
    #expect(shown?.facts.map { "\($0.label): \($0.value)" } == test.facts)
    #expect(shown.map { "data:,\($0.id)/portrait" } == shown?.image)
  }

  @Test func loadsOnce() async {
    let detail = show()
    detail.input.didAppear.send()
    await repository.loads.next().reply(.of(Movie.jaws))
    await turns()
    detail.input.didAppear.send()
    detail.input.retry.send()
    await turns()
    #expect(repository.loads.questions.count == 1)
    #expect(detail.output.detail.value?.title == "Jaws")
  }

  @Test func failureIsEmittedAndCanBeRetried() async {
    let detail = show()
    let failures = Events(of: detail.output.failed)
    await repository.loads.next().fail(LoadFailure.offline)
    await turns()
    #expect(failures.values.map(\.reason) == [.offline])
    #expect(!detail.output.isLoading.value)
    detail.input.retry.send()
    await repository.loads.next().reply(.of(Movie.jaws))
    await turns()
    #expect(detail.output.detail.value?.id == "jaws")
    #expect(core.faults.isEmpty)
  }

  @Test func leavingCancelsTheLoad() async {
    let detail = Weak(show())
    let call = await repository.loads.next()
    core.closeAll()
    #expect(call.isCancelled)
    #expect(core.liveCounts == (0, 0, 0))
    await turns()
    await turns()
    #expect(detail.object == nil)
  }

  @Test func playingRunsOnTheClockAndIsSaved() async {
    let saved: [Double] = [1.0 / 7_440, 1.5 / 7_440]
    let detail = show()
    await repository.loads.next().reply(.of(Movie.jaws))
    await turns()
    detail.input.playTapped.send()
    #expect(detail.output.isPlaying.value)
    // The clock moves on once the progress is saved.
    async let advanced: Void = core.advance(by: .milliseconds(1_500))
    await repository.progress.next().reply(())
    await advanced
    #expect(detail.output.detail.value?.progress == saved[0])
    detail.input.pauseTapped.send()
    #expect(!detail.output.isPlaying.value)
    #expect(detail.output.detail.value?.progress == saved[1])
    await repository.progress.next().reply(())
    await core.advance(by: .seconds(10))
    #expect(repository.progress.questions == saved)
    detail.input.seek.send(Seek(to: 0.5))
    #expect(detail.output.detail.value?.facts.contains { $0.value == "62 min" } == true)
    detail.input.playTapped.send()
    detail.input.seek.send(Seek(to: 1))
    #expect(!detail.output.isPlaying.value)
    #expect(detail.output.detail.value?.progress == nil)
  }

  @Test func titleThatEndsAsTheScreenDisappearsDoesNotPlayOn() async {
    let detail = show()
    let record = PersonalRecord(progress: 0.9999)
    await repository.loads.next().reply(.of(Movie.jaws, record))
    await turns()
    detail.input.playTapped.send()
    await core.advance(by: .milliseconds(900))
    detail.input.didDisappear.send()
    #expect(detail.output.detail.value?.progress == nil)
    detail.input.didAppear.send()
    #expect(!detail.output.isPlaying.value)
  }

  @Test func titlePlaysOnHoweverOftenTheScreenDisappears() async {
    let detail = show()
    await repository.loads.next().reply(.of(Movie.jaws))
    await turns()
    detail.input.playTapped.send()
    detail.input.didDisappear.send()
    detail.input.didDisappear.send()
    #expect(!detail.output.isPlaying.value)
    detail.input.didAppear.send()
    #expect(detail.output.isPlaying.value)
  }

  @Test func bookmarkIsRolledBackEverywhere() async {
    let detail = show()
    await repository.loads.next().reply(.of(Movie.jaws))
    await turns()
    let seen = Events(of: records.changes)
    detail.input.bookmarkTapped.send()
    #expect(detail.output.detail.value?.isBookmarked == true)
    await repository.savings.next().fail(LoadFailure.diskFull)
    await turns()
    #expect(detail.output.detail.value?.isBookmarked == false)
    #expect(seen.values.map(\.record.isBookmarked) == [true, false])
  }

  /// The result of the older read has neither.
  @Test func refreshTakesBackNoNewerChange() async {
    let detail = show()
    let jaws = LibraryContent.of(Movie.jaws)
    await repository.loads.next().reply(jaws)
    await turns()
    detail.input.refresh.send()
    let read = await repository.loads.next()
    detail.input.bookmarkTapped.send()
    detail.input.seek.send(Seek(to: 0.5))
    await repository.savings.next().reply(())
    await repository.progress.next().reply(())
    read.reply(jaws)
    await turns()
    #expect(detail.output.detail.value?.isBookmarked == true)
    #expect(detail.output.detail.value?.progress == 0.5)
    // A newer change of another process counts.
    detail.input.refresh.send()
    await repository.loads.next().reply(jaws)
    await turns()
    #expect(detail.output.detail.value?.isBookmarked == false)
    #expect(detail.output.detail.value?.progress == nil)
  }

  @Test func leavingDuringASaveSaves() async throws {
    let detail = show()
    await repository.loads.next().reply(.of(Movie.jaws))
    await turns()
    detail.input.bookmarkTapped.send()
    detail.input.seek.send(Seek(to: 0.5))
    core.closeAll()
    await turns()
    try #require(repository.savings.questions.count + repository.progress.questions.count == 2)
    let saves = (await repository.savings.next(), await repository.progress.next())
    #expect(!saves.0.isCancelled)
    #expect(!saves.1.isCancelled)
    saves.0.reply(())
    saves.1.reply(())
    await turns()
    #expect(core.faults.isEmpty)
  }

  @Test(arguments: [(Movie.jaws as any LibraryModel, true, true), (Hobby.chess, false, false)])
  func inputsAreEnabledByTheModel(
    _ model: any LibraryModel, plays: Bool, canBeBookmarked: Bool
  ) async {
    let detail = show(model.key)
    let output = detail.output
    await repository.loads.next().reply(.of(model, PersonalRecord(progress: 0.5)))
    await turns()
    #expect(output.canPlay.value == plays)
    #expect(output.canSeek.value == plays)
    #expect(output.canBookmark.value == canBeBookmarked)
    #expect(!output.canPause.value)
    #expect(output.position.value == Seek(to: 0.5))
    detail.input.playTapped.send()
    #expect(!output.canPlay.value)
    #expect(output.canPause.value == plays)
  }

  private func show(_ key: String = "jaws") -> TitleDetail {
    core.show {
      TitleDetail(
        dependency: .init(
          key: key, records: records, tracker: MockTracker()))
    }
  }
}

extension LibraryContent {
  /// A library with one title.
  fileprivate static func of(
    _ model: any LibraryModel, _ record: PersonalRecord = PersonalRecord()
  ) -> LibraryContent {
    var content = LibraryContent(plans: [], models: [model], bookmarks: [], progress: [:])
    content.setRecord(record, of: model.key)
    return content
  }
}
