import OffstageTesting
import Testing

@testable import Offstage

/// What a front end asks of the navigation as a whole.
@Suite @CoreActor struct CoreNavigationTests {
  @Test func opensLinksThroughTabs() async throws {
    try check("page://blue", "tabs red[1 3] green*[2 6 7]")
    try check("page://home", "tabs red*[1] green[2]")
    try check("page://unknown", nil)
    try check("page://never", nil)
    try check("page://broken", nil)
    try check("page://lost", nil)
  }

  @Test func theSameLinkTwiceWorksTwice() async throws {
    let core = try start()
    try core.core.open("page://blue")
    try core.core.open("page://blue")
    #expect(core.core.navigation.testDescription == "tabs red[1 3] green*[2 8 9]")
    #expect(core.kinds.count == 5)
  }

  @Test func popToUncoversAScreen() async throws {
    let core = try start()
    #expect(core.core.popTo(2))
    #expect(core.core.navigation.testDescription == "tabs red[1 3] green*[2]")
    #expect(core.core.popTo(1))
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
    #expect(!core.core.popTo(3))
  }

  /// `tabs red*[1 3] green[2] | p1[4] | m1(5 of 4)`.
  private func start() throws -> TestCore {
    let core = TestCore(
      Pages.app(links: [
        Link("page://blue", tab: "green") { _ in [Route(Page<Blue>.self), Route(Page<Red>.self)] },
        Link("page://home", tab: "red") { _ in [] },
        Link("page://lost", tab: "nowhere") { _ in [Route(Page<Blue>.self)] },
        Link("page://never") { _ in nil },
        Link("page://broken") { _ in [Route(Page<Blue>.self), Route(kind: "nowhere")] },
      ]))
    try core.start()
    _ = Page<Blue>.shown(by: core.page(1)!.router, .push)
    _ = Page<Blue>.shown(by: core.page(3)!.router, .sheet)
    _ = Page<Blue>.shown(by: core.page(4)!.router, .modal)
    return core
  }

  private func check(_ url: String, _ expected: String?) throws {
    let core = try start()
    let before = core.core.navigation
    do {
      try core.core.open(url)
      #expect(core.core.navigation.testDescription == expected)
    } catch {
      #expect(expected == nil, "\(error)")
      #expect(core.core.navigation == before, "what cannot be opened changes nothing")
      #expect(core.liveCounts.screens == 5)
    }
  }
}
