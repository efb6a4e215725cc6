import OffstageTesting
import Testing

@testable import Offstage

/// The number of screens that may be open or queued.
@Suite @CoreActor struct ScreenLimitTests {
  private let core: TestCore
  private var router: Router { core.page(1)!.router }

  /// Three screens are open and one is queued.
  init() throws {
    core = TestCore(Pages.app(links: [Link("page://green") { _ in [Route(Page<Green>.self)] }]))
    try core.start()
    core.core.screenLimit = 4
    _ = Page<Blue>.shown(by: router, .push)
    router.enqueue(Route(Page<Blue>.self))
  }

  @Test(arguments: PageWay.allCases) func screenThatIsRefusedCountsAsDismissed(
    _ way: PageWay
  ) async throws {
    let before = core.core.navigation
    let results = Recorder<Int?>()
    Page<Green>.shown(by: core.page(3)!.router, way).onEnd { results.append($0) }
    #expect(results.values == [nil])
    #expect(core.core.navigation == before)
    #expect(
      core.faults == [
        "Screen 3 (blue) cannot show \"green\": 4 screens are open or queued; close some first."
      ])
  }

  @Test func queueIsBounded() {
    router.enqueue(Route(Page<Green>.self))
    #expect(core.faults.count == 1)
    core.page(3)!.router.showNext()
    core.page(4)!.router.showNext()
    #expect(core.kinds == ["red", "green", "blue", "blue"])
  }

  @Test func linkAndRootAreRefused() {
    #expect(throws: NavigationError.self) { try core.open("page://green") }
    #expect(throws: NavigationError.self) { try router.setRoot(.stack(Route(Page<Blue>.self))) }
    #expect(core.kinds == ["red", "green", "blue"])
    #expect(core.faults == [])
  }

  @Test func closedScreenMakesRoom() {
    core.page(3)!.router.close()
    _ = Page<Green>.shown(by: router, .sheet)
    #expect(core.faults == [])
    #expect(core.kinds == ["red", "green", "green"])
  }
}
