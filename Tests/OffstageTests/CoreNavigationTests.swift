import OffstageTesting
import Testing

@testable import Offstage

/// The requests of a front end to the navigation.
@Suite @CoreActor struct CoreNavigationTests {
  @Test func opensLinksThroughTabs() async throws {
    try check("page://blue", "tabs red[1 3] green*[2 6 7]")
    try check("page://home", "tabs red*[1] green[2]")
    try check("page://unknown", nil)
    try check("page://never", nil)
    try check("page://broken", nil)
    try check("page://lost", nil)
  }

  @Test func linkToTheScreenOnTopDoesNothing() async throws {
    let core = try start()
    #expect(try core.core.open("page://blue") == .done)
    #expect(try core.core.open("page://blue") == .unchanged)
    #expect(core.core.navigation.testDescription == "tabs red[1 3] green*[2 6 7]")
    #expect(core.kinds.count == 5)
  }

  /// The screen keeps its state, on another tab and beneath others.
  @Test func linkUncoversTheScreenThatIsOpen() async throws {
    let core = try start()
    try core.core.open("page://blue")
    _ = Page<Blue>.shown(by: core.page(7)!.router, .push)
    _ = core.core.selectTab("red")
    #expect(try core.core.open("page://blue") == .done)
    #expect(core.core.navigation.testDescription == "tabs red[1 3] green*[2 6 7]")
  }

  @Test func argumentsWithTheSameIDLeadToTheSameScreen() {
    struct Draft: Identifiable, Codable {
      let id: Int
      var title = ""
    }
    final class Editor: Screen {
      static let kind = "editor"
      typealias Argument = Draft
      struct Input: Ports {}
      struct Output: Ports {}
      let input = Input()
      let output = Output()
      let effects = Effects()
    }
    let route = Route(Editor.self, Draft(id: 1, title: "a"))
    #expect(route.leads(to: Route(Editor.self, Draft(id: 1, title: "b"))))
    #expect(!route.leads(to: Route(Editor.self, Draft(id: 2, title: "a"))))
  }

  @Test func popToUncoversAScreen() async throws {
    let core = try start()
    #expect(core.core.popTo(2) == .done)
    #expect(core.core.navigation.testDescription == "tabs red[1 3] green*[2]")
    #expect(core.core.popTo(1) == .done)
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
    #expect(core.core.popTo(3) == nil)
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

  private func check(
    _ url: String, _ expected: String?, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let core = try start()
    let before = core.core.navigation
    do {
      try core.core.open(url)
      #expect(core.core.navigation.testDescription == expected, sourceLocation: location)
    } catch {
      #expect(expected == nil, "\(error)", sourceLocation: location)
      #expect(
        core.core.navigation == before, "what cannot be opened changes nothing",
        sourceLocation: location)
      #expect(core.liveCounts.screens == 5, sourceLocation: location)
    }
  }
}

/// After every random step, the document names every screen once and every result was delivered
/// once. After closing everything, nothing is left in memory.
@Suite @CoreActor struct RandomNavigationTests {
  @Test(arguments: [1, 2] as [UInt64])
  func randomNavigationIsConsistent(seed: UInt64) async throws {
    let walk = try RandomWalk(seed: seed)
    for step in 0..<10_000 {
      let action = walk.act()
      let problems = walk.problems()
      #expect(problems == [], "step \(step), \(action): \(walk.core.core.navigation)")
      guard problems.isEmpty else { return }
      if step.isMultiple(of: 20) { await walk.core.turn() }
      if step.isMultiple(of: 50) { await walk.core.advance(by: .seconds(2)) }
    }
    #expect(walk.core.core.screens.count > 1)
    walk.core.closeAll()
    await walk.core.turn()
    #expect(walk.core.liveCounts == (0, 0, 0))
    #expect(walk.core.prompts.map(\.description) == [])
    #expect(walk.livePages == 0)
    #expect(walk.unheardEndings == 0)
    #expect(walk.endings > 1_000, "the walk should have shown and closed many screens")
  }
}
