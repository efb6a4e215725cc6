import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// The result of a screen, in each way that it can end.
@Suite @CoreActor struct PresentedScreenTests {
  enum Ending: CaseIterable {
    case finish, back, dismiss, close, popToSelf, popTo, open, setRoot, closeAll
  }

  @Test(arguments: Ending.allCases, PageWay.allCases)
  func deliversTheResultExactlyOnce(_ ending: Ending, _ way: PageWay) async throws {
    let core = TestCore(Pages.app(links: [Link("page://home") { _ in [] }]))
    try core.start()
    let presenter = try #require(core.page(1))
    let delivered = Recorder<Int?>()
    presenter.input.result.observe { delivered.append($0) }
    let shown = Page<Blue>.shown(by: presenter.router, way)
    shown.deliver(to: presenter.input.result)
    await core.turn()
    #expect(delivered.values.isEmpty)
    try end(ending, core)
    // The second end of the same screen says nothing.
    core.page(3)?.finish(with: 8)
    let expected: Int? = ending == .finish ? 7 : nil
    #expect(core.page(3) == nil)
    #expect(delivered.values == [expected])
    shown.onEnd { #expect($0 == expected, "it can still be asked for") }
    #expect(delivered.values.count == 1)
  }

  @Test func theArgumentTellsScreensApart() throws {
    let core = TestCore(Rooms.app)
    try core.start()
    let lobby = try #require(core.screen(Room.self))
    for number in 1...3 {
      lobby.router.push(Room.self, .init(number: number)).deliver(to: lobby.roomEnded)
    }
    core.screen(Room.self)?.finish("done")
    // A result, although it is nil.
    core.screen(Room.self)?.finish(nil)
    core.back()
    #expect(lobby.ends == ["3 done", "2 nothing", "1 dismissed"])
    #expect(core.faults == [])
  }

  /// As by another build of the app.
  @Test func anInputThatIsGoneAfterARestartIsInTheLog() throws {
    let core = TestCore(Rooms.app)
    try core.start()
    let lobby = try #require(core.screen(Room.self))
    lobby.router.push(Room.self, .init(number: 1)).deliver(to: lobby.roomEnded)
    let state = core.core.state().description
      .replacing("\"input\":\"roomEnded\"", with: "\"input\":\"doorClosed\"")
    let later = TestCore(Rooms.app)
    try later.core.start(from: JSON(parsing: state))
    #expect(
      later.log == [
        "warning: the delivery of the result of \"room\" has not come back after the restart: "
          + "\"room\" has no input \"doorClosed\" for it"
      ])
    #expect(later.kinds == ["room", "room"])
  }

  @Test func deliversOnceForAUniqueScreenShownRepeatedly() async throws {
    let core = TestCore(Pages.app())
    try core.start()
    let presenter = try #require(core.page(1))
    let delivered = Recorder<Int?>()
    presenter.input.result.observe { delivered.append($0) }
    for _ in 1...3 {
      Page<Blue>.shown(by: presenter.router, .pushUnique).deliver(to: presenter.input.result)
    }
    core.page(3)?.finish(with: 7)
    #expect(delivered.values == [7])
    Page<Blue>.shown(by: presenter.router, .pushUnique).deliver(to: presenter.input.result)
    core.page(4)?.finish(with: 8)
    #expect(delivered.values == [7, 8])
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
    func note(_ id: Int) -> In<Int?> {
      let ear = In<Int?>()
      ear.observe { received.append("\(id) \($0.map { "\($0)" } ?? "nothing")") }
      return ear
    }
    Page<Blue>.shown(by: core.page(1)!.router, .push).deliver(to: note(3))
    Page<Blue>.shown(by: core.page(3)!.router, .push).deliver(to: note(4))
    Page<Blue>.shown(by: core.page(4)!.router, .modal).deliver(to: note(5))
    core.page(3)?.finish(with: 7)
    #expect(received.values == ["5 nothing", "4 nothing", "3 7"])
    #expect(core.core.navigation.testDescription == "tabs red*[1] green[2]")
  }

  @Test func screenThatIsClosingCannotFinish() async throws {
    let core = TestCore(Pages.app())
    let sent = events(of: core)
    try core.start()
    let results = Recorder<Int?>()
    Page<Blue>.shown(by: core.page(1)!.router, .push).onEnd { results.append($0) }
    let page = try #require(core.page(3))
    Page<Blue>.shown(by: page.router, .push).onEnd { _ in page.finish(with: 1) }
    core.page(1)?.router.closeStack()
    await core.turn()
    #expect(results.values == [nil])
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

private enum Rooms {
  @CoreActor static let app = App(
    root: .stack(Route(Room.self, .init(number: 0))),
    screens: [ScreenFactory(Room.self) { argument, _ in Room(argument) }])
}

/// A screen that shows others of its kind.
private final class Room: Screen {
  static let kind = "room"
  typealias Result = String?
  struct Argument: Codable, Sendable { var number: Int }
  struct Input: Ports {}
  struct Output: Ports { let number = Out(0) }

  let input = Input()
  let output = Output()
  let effects = Effects()
  let router = Router()
  let roomEnded = In<Ended<Argument, String?>>()
  private(set) var ends: [String] = []

  init(_ argument: Argument) {
    output.number.value = argument.number
    roomEnded.observe { [self] in
      let result = $0.result.map { $0 ?? "nothing" } ?? "dismissed"
      ends.append("\($0.argument.number) \(result)")
    }
  }
}
