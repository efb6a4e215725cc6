import OffstageTesting
import Testing

@testable import Offstage

/// What screens do to the navigation, on their own behalf.
@Suite @CoreActor struct RouterTests {
  @Test func showsScreens() async throws {
    try await check("tabs red*[1 3] green[2]") { $0.show(Page<Blue>.self, .push, by: 1) }
    try await check("tabs red*[1] green[2 3]") { $0.show(Page<Blue>.self, .push, by: 2) }
    try await check("tabs red*[1] green[2] | p1[3]") { $0.show(Page<Blue>.self, .sheet, by: 1) }
    try await check("tabs red*[1] green[2] | p1[3 4]") {
      $0.show(Page<Blue>.self, .cover, by: 1)
      $0.show(Page<Blue>.self, .push, by: 3)
    }
    try await check("tabs red*[1] green[2] | m1(3 of 1)") {
      $0.show(Page<Blue>.self, .modal, by: 1)
    }
    try await check("tabs red*[1 4] green[2] | m1(3 of 1)") {
      $0.show(Page<Blue>.self, .modal, by: 1)
      $0.show(Page<Blue>.self, .push, by: 3)
    }
  }

  @Test func pushUniqueMovesTheSameInstance() async throws {
    try await check("tabs red*[1 4 3] green[2]") { core in
      core.show(Page<Blue>.self, .pushUnique, by: 1)
      core.show(Page<Green>.self, .pushUnique, by: 3)
      let blue = core.page(3)
      core.show(Page<Blue>.self, .pushUnique, by: 4)
      #expect(core.page(3) === blue)
    }
    try await check("tabs red*[1 3] green[2]") { core in
      core.show(Page<Blue>.self, .pushUnique, by: 1)
      core.show(Page<Blue>.self, .pushUnique, by: 3)
    }
    try await check("tabs red*[1] green[2 3]") { core in
      core.show(Page<Red>.self, .pushUnique, by: 2)
    }
  }

  @Test func takesScreensAway() async throws {
    try await check("tabs red*[1 3] green[2]") { core in
      core.show(Page<Blue>.self, .push, by: 1)
      core.show(Page<Blue>.self, .push, by: 3)
      core.page(4)?.router.close()
    }
    try await check("tabs red*[1] green[2]") { core in
      core.show(Page<Blue>.self, .push, by: 1)
      core.show(Page<Blue>.self, .push, by: 3)
      core.show(Page<Blue>.self, .sheet, by: 4)
      core.page(1)?.router.popToSelf()
    }
    try await check("tabs red[1] green*[2]") { $0.page(1)?.router.selectTab("green") }
  }

  @Test(arguments: [
    ("close", "Screen 1 (red) is the root of its stack and cannot be closed."),
    ("selectTab", "The app has no tab \"blue\"."),
  ])
  func complains(what: String, fault: String) async throws {
    let core = TestCore(Pages.app())
    try core.start()
    switch what {
    case "close": core.page(1)?.router.close()
    default: core.page(1)?.router.selectTab("blue")
    }
    #expect(core.faults.count == 1 && core.faults[0].hasPrefix(fault))
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
  }

  @Test func aScreenThatCannotBeMadeIsAFaultAndCountsAsDismissed() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let heard = Heard<Outcome<Int>>()
    screen.input.outcome.observe { heard.append($0) }
    screen.router.push(Probe.self, Empty()).deliver(to: screen.input.outcome)
    #expect(heard.values == [.dismissed])
    #expect(core.faults.count == 1)
    #expect(core.liveCounts.screens == 1)
  }

  @Test func aClosedScreenShowsNothing() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    core.show(Page<Blue>.self, .push, by: 1)
    let page = try #require(core.page(3))
    core.back()
    let outcome = try await Page<Blue>.shown(by: page.router, .push).outcome()
    #expect(outcome == .dismissed)
    page.router.close()
    page.router.popToSelf()
    page.finish(with: 1)
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
    #expect(core.faults == [])
  }

  /// Shows are allowed while a screen is being made; ids stay its own.
  @Test func aScreenMayShowAnotherInItsInit() async throws {
    let core = Probe.core()
    _ = core.show { Probe() }
    await core.turn()
    core.core.apply(
      core.core.navigation.push(
        core.core.mount("outer") { Probe { $0.router.present(Probe.self, Empty()) } }.id,
        at: .root))
    #expect(core.core.navigation.testDescription == "stack[1 2] | p1[3]")
    #expect(core.core.screens.keys.map(\.number).sorted() == [1, 2, 3])
  }

  private func check(_ expected: String, _ act: (TestCore) -> Void) async throws {
    let core = TestCore(Pages.app())
    try core.start()
    act(core)
    #expect(core.core.navigation.testDescription == expected)
    #expect(core.faults == [])
    let shown = core.core.screens.keys.map(\.number).sorted()
    await core.turn()
    #expect(core.core.screens.keys.map(\.number).sorted() == shown)
  }
}

extension TestCore {
  fileprivate func show(_ kind: any AnyPage.Type, _ way: PageWay, by id: Int) {
    _ = kind.shown(by: page(id)!.router, way)
  }
}
