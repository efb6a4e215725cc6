import OffstageTesting
import Testing

@testable import Offstage

/// Showing screens.
@Suite @CoreActor struct RouterTests {
  @Test func showsScreens() async throws {
    try await check("tabs red*[1 3] green[2]") { $0.show(Page<Blue>.self, .push, by: 1) }
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
  }

  @Test func pushUniqueKeepsTheRootAtTheBottom() async throws {
    try await check("tabs red*[1] green[2]") { core in
      core.show(Page<Blue>.self, .push, by: 1)
      core.show(Page<Red>.self, .pushUnique, by: 3)
    }
  }

  @Test func closesScreens() async throws {
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
    try await check("tabs red*[1] green[2] | m1(3 of 1)") { core in
      core.show(Page<Blue>.self, .modal, by: 1)
      core.show(Page<Blue>.self, .modal, by: 3)
      core.page(3)?.router.popToSelf()
    }
  }

  /// Two taps in one write are two turns. The first shows a screen in one way, the second tries each.
  @Test(arguments: PageWay.allCases, PageWay.allCases)
  func coveredScreenShowsNothingMore(_ first: PageWay, _ second: PageWay) async throws {
    let core = TestCore(Pages.app())
    try core.start()
    let received = Recorder<Int?>()
    core.core.turn(of: "1") { core.show(Page<Blue>.self, first, by: 1) }
    let shown = core.core.navigation
    core.core.turn(of: "2") {
      Page<Green>.shown(by: core.page(1)!.router, second).onEnd { received.append($0) }
    }
    #expect(core.core.navigation == shown)
    #expect(received.values == [nil])
    #expect(core.log == ["info: the screen is covered, so it shows nothing"])
    core.page(3)?.finish(with: 1)
    core.core.turn(of: "3") { core.show(Page<Green>.self, second, by: 1) }
    #expect(core.page(4) is Page<Green>)
  }

  @Test func screenOfAHiddenTabShowsNothing() async throws {
    try await check("tabs red*[1] green[2]") { core in
      for way in PageWay.allCases { core.show(Page<Blue>.self, way, by: 2) }
    }
  }

  @Test func queueOfACoveredScreenWaits() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    core.page(1)!.router.enqueue(Route(Page<Green>.self))
    core.core.turn(of: "1") { core.show(Page<Blue>.self, .push, by: 1) }
    core.core.turn(of: "2") { #expect(core.page(1)?.router.showNext() == false) }
    core.back()
    core.core.turn(of: "3") { #expect(core.page(1)?.router.showNext() == true) }
    #expect(core.core.navigation.testDescription == "tabs red*[1 4] green[2]")
  }

  @Test func screenShowsSeveralInOneTurn() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    core.core.turn(of: "1") {
      core.show(Page<Blue>.self, .push, by: 1)
      core.show(Page<Green>.self, .push, by: 1)
      core.show(Page<Blue>.self, .sheet, by: 1)
    }
    #expect(core.core.navigation.testDescription == "tabs red*[1 3 4] green[2] | p1[5]")
  }

  /// The result of a screen arrives after it has closed.
  @Test func screenShowsAnotherWhenItsSheetFinishes() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    core.core.turn(of: "1") {
      Page<Blue>.shown(by: core.page(1)!.router, .sheet).onEnd { _ in
        core.show(Page<Green>.self, .push, by: 1)
      }
    }
    core.core.turn(of: "2") { core.page(3)?.finish(with: 1) }
    #expect(core.core.navigation.testDescription == "tabs red*[1 4] green[2]")
  }

  @Test(arguments: [
    ("close", "Screen 1 (red) is the root of its stack and cannot be closed."),
    ("selectTab", "The app has no tab \"blue\"."),
  ])
  func reportsFaults(what: String, fault: String) async throws {
    let core = TestCore(Pages.app())
    try core.start()
    switch what {
    case "close": core.page(1)?.router.close()
    default: core.page(1)?.router.selectTab("blue")
    }
    #expect(core.faults.count == 1)
    #expect(core.faults.first?.hasPrefix(fault) == true)
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
  }

  @Test func screenThatFailsToInitializeIsAFaultAndDismissed() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let received = Recorder<Int?>()
    screen.input.result.observe { received.append($0) }
    screen.router.push(Probe.self, Empty()).deliver(to: screen.input.result)
    #expect(received.values == [nil])
    #expect(core.faults.count == 1)
    #expect(core.faults.first?.hasPrefix("Screen 1 (probe) cannot show \"probe\": ") == true)
    #expect(core.liveCounts.screens == 1)
  }

  @Test func closedScreenShowsNothing() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    core.show(Page<Blue>.self, .push, by: 1)
    let page = try #require(core.page(3))
    core.back()
    let results = Recorder<Int?>()
    Page<Blue>.shown(by: page.router, .push).onEnd { results.append($0) }
    #expect(results.values == [nil])
    page.router.close()
    page.router.popToSelf()
    page.finish(with: 1)
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
    #expect(core.faults == [])
  }

  @Test func initCanShowAnotherScreen() async throws {
    let core = Probe.core()
    _ = core.show { Probe() }
    await core.turn()
    core.core.apply(
      core.core.navigation.push(
        core.core.mount("outer") { Probe { $0.router.present(Probe.self, Empty()) } }.id,
        on: 0))
    #expect(core.core.navigation.testDescription == "stack[1 2] | p1[3]")
    #expect(core.core.screens.keys.map(\.number).sorted() == [1, 2, 3])
  }

  private func check(
    _ expected: String, _ act: (TestCore) -> Void, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let core = TestCore(Pages.app())
    try core.start()
    act(core)
    #expect(core.core.navigation.testDescription == expected, sourceLocation: location)
    #expect(core.faults == [], sourceLocation: location)
    let shown = core.core.screens.keys.map(\.number).sorted()
    await core.turn()
    #expect(core.core.screens.keys.map(\.number).sorted() == shown, sourceLocation: location)
  }
}

extension TestCore {
  fileprivate func show(_ kind: any AnyPage.Type, _ way: PageWay, by id: Int) {
    _ = kind.shown(by: page(id)!.router, way)
  }
}
