import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The place screen.
@Suite @CoreActor struct PlaceDetailTests {
  private let core = TestCore()
  private let repository = MockPlaces()
  private let detail: PlaceDetail

  init() {
    let repository = repository
    detail = core.show {
      PlaceDetail(
        dependency: .init(
          id: 3, repository: repository, userLocation: Out(nil), tracker: MockTracker()))
    }
  }

  @Test func loadsAtOnceAndOnce() async {
    detail.input.didAppear.send()
    #expect(detail.output.isLoading.value)
    await repository.details.next().reply(PlaceDetails(.number(3)))
    await turns()
    #expect(detail.output.place.value == .number(3))
    detail.input.didAppear.send()
    await turns()
    #expect(repository.details.questions == [3])
    #expect(!detail.output.isLoading.value)
  }

  @Test func aFailureCanBeRetried() async {
    let failures = Events(of: detail.output.failed)
    await repository.details.next().fail(LoadFailure.offline)
    await turns()
    #expect(failures.values.map(\.reason) == [.offline])
    #expect(detail.output.place.value == nil)
    detail.input.retry.send()
    await repository.details.next().reply(PlaceDetails(.number(3)))
    await turns()
    #expect(detail.output.place.value == .number(3))
  }

  @Test func leavingCancelsTheLoad() async {
    let call = await repository.details.next()
    core.closeAll()
    #expect(call.isCancelled)
    await turns()
    #expect(core.liveCounts == (0, 0, 0))
  }
}
