import OffstageTesting
import Testing

@testable import Offstage

/// The outcome of a screen, in each way that it can end.
@Suite @CoreActor struct PresentedScreenTests {
  enum Ending: CaseIterable {
    case finish, back, dismiss, close, popToSelf, popTo, open, setRoot, closeAll
  }

  @Test(arguments: Ending.allCases, PageWay.allCases)
  func deliversTheOutcomeExactlyOnce(_ ending: Ending, _ way: PageWay) async throws {
    let core = TestCore(Pages.app(links: [Link("page://home") { _ in [] }]))
    try core.start()
    let presenter = try #require(core.page(1))
    let delivered = Recorder<Outcome<Int>>()
    presenter.input.outcome.observe { delivered.append($0) }
    let shown = Page<Blue>.shown(by: presenter.router, way)
    shown.deliver(to: presenter.input.outcome)
    await core.turn()
    #expect(delivered.values.isEmpty)
    try end(ending, core)
    // The second end of the same screen says nothing.
    core.page(3)?.finish(with: 8)
    let expected: Outcome<Int> = ending == .finish ? .finished(7) : .dismissed
    #expect(core.page(3) == nil)
    #expect(delivered.values == [expected])
    shown.onEnd { #expect($0 == expected, "it can still be asked for") }
    #expect(delivered.values.count == 1)
  }

  @Test func onlyAResultIsFinished() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    let presenter = try #require(core.page(1))
    let finished = Recorder<Int>()
    Page<Blue>.shown(by: presenter.router, .push).onFinish { finished.append($0) }
    core.back()
    Page<Blue>.shown(by: presenter.router, .push).onFinish { finished.append($0) }
    core.page(4)?.finish(with: 8)
    #expect(finished.values == [8])
  }

  @Test func deliversOnceForAUniqueScreenShownRepeatedly() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    let presenter = try #require(core.page(1))
    let delivered = Recorder<Outcome<Int>>()
    presenter.input.outcome.observe { delivered.append($0) }
    for _ in 1...3 {
      Page<Blue>.shown(by: presenter.router, .pushUnique).deliver(to: presenter.input.outcome)
    }
    core.page(3)?.finish(with: 7)
    #expect(delivered.values == [.finished(7)])
    Page<Blue>.shown(by: presenter.router, .pushUnique).deliver(to: presenter.input.outcome)
    core.page(4)?.finish(with: 8)
    #expect(delivered.values == [.finished(7), .finished(8)])
  }

  /// The events that a core sends from now on, such as `1 finished`.
  private func events(of core: TestCore) -> Recorder<String> {
    let sent = Recorder<String>()
    core.watch { changes in
      for event in changes.events { sent.append("\(event.screen) \(event.name)") }
    }
    return sent
  }

  @Test func finishAtTheRootSendsTheEventAndKeepsTheScreen() async throws {
    let core = TestCore(Pages.app())
    let sent = events(of: core)
    try core.start()
    let page = try #require(core.page(1))
    page.finish(with: 1)
    page.finish(with: 2)
    await core.turn()
    #expect(core.page(1) === page)
    #expect(sent.values == ["1 finished", "1 finished"])
    let timers = core.liveCounts.timers
    page.input.tick.send(1)
    #expect(core.liveCounts.timers == timers + 1, "it goes on working")
  }

  @Test func finishClosesTheScreensAbove() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    let received = Recorder<String>()
    func note(_ id: Int) -> In<Outcome<Int>> {
      let ear = In<Outcome<Int>>()
      ear.observe { received.append("\(id) \($0)") }
      return ear
    }
    Page<Blue>.shown(by: core.page(1)!.router, .push).deliver(to: note(3))
    Page<Blue>.shown(by: core.page(3)!.router, .push).deliver(to: note(4))
    Page<Blue>.shown(by: core.page(4)!.router, .modal).deliver(to: note(5))
    core.page(3)?.finish(with: 7)
    #expect(received.values == ["5 dismissed", "4 dismissed", "3 finished(7)"])
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
  }

  @Test func screenThatIsClosingCannotFinish() async throws {
    let core = TestCore(Pages.app())
    let sent = events(of: core)
    try core.start()
    let outcomes = Recorder<Outcome<Int>>()
    Page<Blue>.shown(by: core.page(1)!.router, .push).onEnd { outcomes.append($0) }
    let page = try #require(core.page(3))
    Page<Blue>.shown(by: page.router, .push).onEnd { _ in page.finish(with: 1) }
    core.page(1)?.router.closeStack()
    await core.turn()
    #expect(outcomes.values == [.dismissed])
    #expect(sent.values == [])
  }

  private func end(_ ending: Ending, _ core: TestCore) throws {
    switch ending {
    case .finish: core.page(3)?.finish(with: 7)
    case .back: core.back()
    case .dismiss: _ = core.core.dismiss(3)
    case .close: core.page(3)?.router.close()
    case .popToSelf: core.page(1)?.router.popToSelf()
    case .popTo: _ = core.core.popTo(1)
    case .open: try core.core.open("page://home")
    case .setRoot: try core.core.setRoot(core.core.app.root)
    case .closeAll: core.closeAll()
    }
  }
}
