import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// A core that starts from the state of another one.
@Suite @CoreActor struct RestartTests {
  @Test func fieldsComeBackAndSecretsDoNot() throws {
    let core = try started(.stack(Route(Editor.self)))
    let editor = try #require(core.screen(Editor.self))
    editor.input.titleText.send("Draft")
    editor.input.passwordText.send("secret")
    editor.input.titleText.error = "Too short."
    let again = try #require(core.restarted().screen(Editor.self))
    #expect(again.input.titleText.value == "Draft")
    #expect(again.input.titleText.error == "Too short.")
    #expect(again.input.titleText.isDirty)
    #expect(again.input.passwordText.value == "")
  }

  @Test func theStateContainsNoSecret() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.passwordText.send("hunter2")
    #expect(!core.core.state().description.contains("hunter2"))
  }

  @Test func keptValuesAreThereBeforeTheFirstObserver() throws {
    let core = try started(.stack(Route(Editor.self)))
    let editor = try #require(core.screen(Editor.self))
    editor.input.titleText.send("Draft")
    editor.output.detent.value = "full"
    editor.query.value = "seoul"
    let again = try #require(core.restarted().screen(Editor.self))
    #expect(again.seen == ["title Draft", "detent full", "query seoul"])
    #expect(again.output.detent.value == "full")
    #expect(again.query.value == "seoul")
    #expect(again.output.heading.value == "seoul: Draft")
    #expect(again.output.count.value == 0, "it is not declared as kept")
  }

  @Test func aResetAfterTheRestartKeepsWhatWasTyped() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.titleText.send("Draft")
    let again = try #require(core.restarted().screen(Editor.self))
    again.input.titleText.reset(to: "Loaded")
    #expect(again.input.titleText.value == "Draft")
    #expect(again.input.titleText.isDirty)
    again.input.titleText.reset(to: "Loaded again")
    #expect(again.input.titleText.value == "Loaded again")
  }

  /// As when another account has signed in, to whom the draft does not belong.
  @Test func aTextThatTheScreenSetsLaterReplacesWhatWasTyped() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.titleText.send("Draft")
    let again = try #require(core.restarted().screen(Editor.self))
    again.input.titleText.value = ""
    #expect(again.input.titleText.value == "")
  }

  /// As when a message is sent: the text is reset because it was saved, not because it was loaded.
  @Test func aResetAfterATapReplacesWhatWasTyped() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.titleText.send("Draft")
    let again = try #require(core.restarted().screen(Editor.self))
    again.input.didAppear.send()
    again.input.save.send()
    again.input.titleText.reset(to: "")
    #expect(again.input.titleText.value == "")
  }

  /// As when the user signs in with another account, and a draft of the one before must go.
  @Test func aResetBecauseOfAnotherScreenReplacesWhatWasTyped() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.titleText.send("Draft")
    let restarted = core.restarted()
    let again = try #require(restarted.screen(Editor.self))
    restarted.core.during(Cause(id: "2")) {
      again.input.didAppear.send()
      again.input.titleText.reset(to: "Loaded")
    }
    #expect(again.input.titleText.value == "Draft")
    let third = restarted.restarted()
    let fresh = try #require(third.screen(Editor.self))
    third.core.during(Cause(id: "3")) { fresh.input.titleText.reset(to: "") }
    #expect(fresh.input.titleText.value == "")
  }

  /// As a setting that another process has changed while this one was dead.
  @Test func initReplacesWhatWasSaved() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.titleText.reset(to: "Old setting")
    let again = try #require(core.restarted().screen(Editor.self))
    #expect(again.input.titleText.value == "Initial")
  }

  @Test func cleanFieldsTakeWhatIsLoaded() throws {
    let core = try started(.stack(Route(Editor.self)))
    let again = try #require(core.restarted().screen(Editor.self))
    again.input.titleText.reset(to: "Loaded")
    #expect(again.input.titleText.value == "Loaded")
    #expect(!again.input.titleText.isDirty)
  }

  @Test func keepersInAnotherOrderGetTheirOwnValues() throws {
    Editor.isReversed = false
    let core = try started(.stack(Route(Editor.self)))
    let editor = try #require(core.screen(Editor.self))
    editor.query.value = "seoul"
    editor.note.value = "later"
    Editor.isReversed = true
    defer { Editor.isReversed = false }
    let again = try #require(core.restarted().screen(Editor.self))
    #expect(again.query.value == "seoul")
    #expect(again.note.value == "later")
  }

  @Test func keepersOfOneLineInAnotherOrderGetTheirOwnValues() throws {
    let core = try started(.stack(Route(Sides.self)))
    let sides = try #require(core.screen(Sides.self))
    sides.left.value = "l"
    sides.right.value = "r"
    Sides.isReversed = true
    defer { Sides.isReversed = false }
    let again = try #require(core.restarted().screen(Sides.self))
    #expect([again.left.value, again.right.value] == ["l", "r"])
  }

  /// The same line creates a value that is replaced, and one that is kept.
  @Test func aKeeperIsFoundWhateverAnotherScreenOfItsKindCreates() throws {
    Draft.isReplaced = true
    _ = try started(.stack(Route(Draft.self))).restarted()
    Draft.isReplaced = false
    let core = try started(.stack(Route(Draft.self)))
    core.screen(Draft.self)?.text.value = "typed"
    #expect(core.restarted().screen(Draft.self)?.text.value == "typed")
  }

  @Test func aStateThatIsStartedFromIsWrittenOnceSomethingHasChanged() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.titleText.send("Draft")
    let restarted = try restart(from: core.core.state())
    #expect(!restarted.hasStateChanges)
    (restarted.openScreens.first?.part as? Editor)?.input.titleText.send("Final")
    #expect(restarted.hasStateChanges)
    #expect(!restarted.hasKeptState, "all of it is written")
  }

  @Test func whatAStartChangesIsWritten() throws {
    let core = try started(.stack(Route(Picker.self, .init(start: 1))))
    core.screen(Picker.self)?.input.didAppear.send()
    let restarted = try restart(from: core.core.state())
    #expect((restarted.openScreens.first?.part as? Picker)?.visits.value == 2)
    #expect(restarted.hasStateChanges)
  }

  @Test(arguments: [
    (version: "1", locale: UserLocale(), isStillShown: true),
    (nil, UserLocale(language: "ko", timeZone: "Asia/Seoul"), true),
    (nil, UserLocale(), false),
  ]) func aStateOfAnotherBuildLocaleOrSessionIsWrittenAtTheStart(
    version: String?, locale: UserLocale, isStillShown: Bool
  ) throws {
    let state = try started(.stack(Route(Editor.self))).core.state()
    let restarted = core()
    restarted.noteStateChanges()
    restarted.frontEndLocale = locale
    try restarted.start(from: state, of: version, isStillShown: isStillShown)
    #expect(restarted.hasStateChanges)
  }

  @Test func aStateWithAScreenThatIsLeftOutIsWrittenAtTheStart() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.pick()
    var state = core.core.state()
    state["screens"]!["2"]!["argument"] = ["start": "four"]
    #expect(try restart(from: state).hasStateChanges)
  }

  @Test func partsComeBackByTheirIDs() throws {
    let core = try started(.stack(Route(Editor.self)))
    let editor = try #require(core.screen(Editor.self))
    editor.output.lines[2]?.input.amountText.send("9")
    editor.output.header.value?.input.amountText.send("5")
    // Created in another order, so that the first guess of its state is wrong.
    Editor.lineIDs = [3, 2, 1]
    defer { Editor.lineIDs = [1, 2, 3] }
    let again = try #require(core.restarted().screen(Editor.self))
    #expect(again.output.lines.values.map(\.input.amountText.value) == ["1", "9", "1"])
    #expect(again.output.header.value?.input.amountText.value == "5")
  }

  @Test func partsThatAppearLaterSurviveTwoRestarts() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.output.lines[2]?.input.amountText.send("9")
    Editor.lineIDs = []
    defer { Editor.lineIDs = [1, 2, 3] }
    let again = try #require(core.restarted().restarted().screen(Editor.self))
    #expect(again.output.lines.count == 0)
    again.output.lines.append { Line(2) }
    #expect(again.output.lines[2]?.input.amountText.value == "9")
  }

  @Test func tabsStacksSheetsAndModalsComeBackWithTheirIDs() throws {
    let core = try started(
      .tabs([
        Tab("a", title: "A", icon: "a", Route(Editor.self)),
        Tab("b", title: "B", icon: "b", Route(Editor.self)),
      ]))
    let first = try #require(core.screens(Editor.self).first)
    first.router.selectTab("b")
    let root = try #require(core.screens(Editor.self).last)
    root.router.push(Picker.self, .init(start: 4))
    let picker = try #require(core.screen(Picker.self))
    picker.router.present(Editor.self, as: .sheet([.medium]))
    core.screen(Editor.self)?.router.present(
      Picker.self, .init(start: 1), as: .modal(opacity: 0.2))
    picker.router.enqueue(Route(Picker.self, .init(start: 8)))
    let before = core.document
    let restarted = core.restarted()
    #expect(restarted.document == before)
    #expect(restarted.core.enqueued.map(\.route.argument) == [["start": 8]])
    #expect(restarted.faults == [])
    // Ids go on after the last one.
    restarted.screens(Picker.self).last?.router.present(Picker.self, .init(start: 2), as: .modal)
    #expect(restarted.core.openScreens.last?.id == ScreenID(6))
    #expect(restarted.core.navigation.modals.last?.id == "m2")
  }

  @Test func aResultIsDeliveredAfterTheRestart() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.pick()
    let restarted = core.restarted()
    restarted.screen(Picker.self)?.finish(7)
    #expect(restarted.screen(Editor.self)?.results == [7])
  }

  @Test func aResultIsDeliveredToAnInputThatIsNotOnTheWire() throws {
    let core = try started(.stack(Route(Editor.self)))
    let editor = try #require(core.screen(Editor.self))
    editor.router.push(Picker.self, .init(start: 4)).deliver(to: editor.secretlyPicked)
    // The second restart names the input anew.
    let restarted = core.restarted().restarted()
    restarted.screen(Picker.self)?.finish(7)
    #expect(restarted.screen(Editor.self)?.secretResults == [7])
  }

  @Test func theEndOfTheOldCoreDeliversNothing() throws {
    let core = try started(.stack(Route(Editor.self)))
    let editor = try #require(core.screen(Editor.self))
    editor.pick()
    _ = core.restarted()
    #expect(editor.results.isEmpty)
    #expect(core.liveCounts == (0, 0, 0))
  }

  @Test func aScreenWithAnotherArgumentIsLeftOutWithWhatStandsOnIt() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.router.push(Picker.self, .init(start: 4))
    core.screen(Picker.self)?.router.push(Editor.self)
    var state = core.core.state()
    state["screens"]!["2"]!["argument"] = ["start": "four"]
    let restarted = try start(from: state)
    #expect(restarted.openScreens.map(\.id) == [ScreenID(1)])
    #expect(restarted.navigation.visibleScreen == ScreenID(1))
  }

  @Test func aStateWithoutARootStartsWithTheRootOfTheApp() throws {
    let core = try started(.stack(Route(Editor.self)))
    var state = core.core.state()
    state["screens"] = [:]
    #expect(try start(from: state).openScreens.map(\.kind) == ["editor"])
    for broken: JSON in [[:], .null, ["navigation": 7], ["screens": ["1": 7], "navigation": [:]]] {
      #expect(try start(from: broken).openScreens.map(\.kind) == ["editor"])
    }
  }

  @Test func aValueOfAnotherTypeIsLeftOut() throws {
    let core = try started(.stack(Route(Editor.self)))
    core.screen(Editor.self)?.input.titleText.send("Draft")
    var state = core.core.state()
    let values = state["screens"]!["1"]!["values"]!.array!.map { entry -> JSON in
      entry["name"] == nil ? entry : ["name": entry["name"]!, "value": ["value": [1]]]
    }
    state["screens"]!["1"]!["values"] = .array(values)
    let node = try #require(try start(from: state).openScreens.first)
    #expect((node.part as? Editor)?.input.titleText.value == "Initial")
  }

  @Test func whatWasOnDisplayAppearsAgain() async throws {
    let core = try started(.stack(Route(Editor.self)))
    let editor = try #require(core.screen(Editor.self))
    editor.input.didAppear.send()
    await core.settle()
    editor.pager.loadNext()
    await core.settle()
    #expect(editor.output.count.value == 4)
    let restarted = core.restarted()
    await restarted.settle()
    #expect(restarted.screen(Editor.self)?.output.count.value == 4, "both pages are loaded again")
    restarted.screen(Editor.self)?.input.didDisappear.send()
    let hidden = try #require(restarted.restarted().screen(Editor.self))
    #expect(hidden.appearances == 0)
  }

  @Test func whatAnotherTabHidesDoesNotAppearAgain() async throws {
    let core = try started(
      .tabs(
        ["a", "b"].map { id in
          Tab(id, title: id, icon: id, Route(Picker.self, .init(start: 1)))
        }))
    func appearances(_ core: TestCore) -> [Int] { core.screens(Picker.self).map(\.appearances) }
    for picker in core.screens(Picker.self) { picker.input.didAppear.send() }
    core.screens(Picker.self)[0].router.selectTab("b")
    let second = core.restarted()
    #expect(appearances(second) == [0, 1])
    let third = second.restarted()
    #expect(appearances(third) == [0, 1])
    third.screens(Picker.self)[0].router.selectTab("a")
    #expect(appearances(third) == [0, 1], "the front end sends it")
    #expect(appearances(third.restarted()) == [1, 0])
  }

  /// A front end may show a screen beside the one that is pushed on it.
  @Test(arguments: [
    (PresentationStyle?.none, [1, 1]), (.sheet, [1, 1]), (.fullScreenCover, [0, 1]),
  ]) func whatACoverHidesDoesNotAppearAgain(
    style: PresentationStyle?, appearances: [Int]
  ) throws {
    let core = try started(.stack(Route(Picker.self, .init(start: 1))))
    let first = try #require(core.screen(Picker.self))
    first.input.didAppear.send()
    if let style {
      first.router.present(Picker.self, .init(start: 2), as: style)
    } else {
      first.router.push(Picker.self, .init(start: 2))
    }
    core.screens(Picker.self).last?.input.didAppear.send()
    #expect(core.restarted().screens(Picker.self).map(\.appearances) == appearances)
  }

  @Test func theClockAndTheLocaleGoOn() async throws {
    let core = try started(.stack(Route(Editor.self)))
    core.locale = UserLocale(language: "ko", timeZone: "Asia/Seoul")
    await core.advance(by: .seconds(90))
    let restarted = core.restarted()
    #expect(restarted.clock.now == core.clock.now)
    #expect(restarted.locale == core.locale)
  }

  private func started(_ root: App.Root) throws -> TestCore {
    let core = TestCore(Self.app(root))
    try core.start()
    return core
  }

  private func start(from state: JSON) throws -> Core {
    let core = core()
    try core.start(from: state)
    return core
  }

  /// Starts a core that notes what changes.
  private func restart(from state: JSON) throws -> Core {
    let core = core()
    core.noteStateChanges()
    try core.start(from: state)
    return core
  }

  private func core() -> Core {
    Core(app: Self.app(.stack(Route(Editor.self))), clock: CoreClock(virtualFrom: .zero))
  }

  private static func app(_ root: App.Root) -> App {
    App(
      root: root,
      screens: [
        ScreenFactory(Editor.self) { _ in Editor() },
        ScreenFactory(Picker.self) { argument, _ in Picker(argument) },
        ScreenFactory(Sides.self) { _ in Sides() },
        ScreenFactory(Draft.self) { _ in Draft() },
      ])
  }
}

private final class Editor: Screen {
  static let kind = "editor"
  /// The code of another version of the app.
  static var isReversed = false
  static var lineIDs = [1, 2, 3]

  struct Input: Ports {
    let titleText = Field("Initial")
    let passwordText = Field("")
    let picked = In<Int?>()
    let save = In<Trigger>()
    let didAppear = In<Trigger>()
    let didDisappear = In<Trigger>()
  }

  struct Output: Ports {
    let detent = Out("half", .kept)
    let heading = Out("")
    let count = Out(0)
    let header = Child<Line>()
    let lines = Children<Line>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  let router = Router()
  let query: Kept<String>
  let note: Kept<String>
  let pager: Pager<Empty, Int>
  private(set) var seen: [String] = []
  private(set) var appearances = 0
  private(set) var results: [Int?] = []
  let secretlyPicked = In<Int?>()
  private(set) var secretResults: [Int?] = []

  init() {
    if Self.isReversed {
      note = Kept("")
      query = Kept("")
    } else {
      query = Kept("")
      note = Kept("")
    }
    pager = Pager(effects, limit: 2) { request in
      Offstage.Page([request.offset, request.offset + 1], hasMore: request.page < 3)
    }
    input.titleText.observe { [self] in seen.append("title \($0)") }
    output.detent.observe { [self] in seen.append("detent \($0)") }
    seen.append("query \(query.value)")
    // None of these replaces what was kept.
    input.titleText.reset(to: "Initial")
    query.value = query.value.isEmpty ? "" : "replaced"
    output.heading.derive { [self] in "\(query.value): \(input.titleText.value)" }
    output.header.show { Line(0) }
    for id in Self.lineIDs { output.lines.append { Line(id) } }
    input.picked.observe { [self] in results.append($0) }
    secretlyPicked.observe { [self] in secretResults.append($0) }
    input.didAppear.observe { [self] in
      appearances += 1
      pager.load()
    }
    pager.values.observe { [self] _ in output.count.value = pager.items.count }
  }

  func pick() { router.push(Picker.self, .init(start: 4)).deliver(to: input.picked) }
}

private final class Line: Part, Identifiable {
  struct Input: Ports { let amountText = Field("1") }
  struct Output: Ports { let isEven = Out(false) }

  let input = Input()
  let output = Output()
  let effects = Effects()
  let id: Int

  init(_ id: Int) { self.id = id }
}

private final class Picker: Screen {
  typealias Result = Int
  static let kind = "picker"
  struct Argument: Codable, Sendable { var start: Int }
  struct Input: Ports {
    let amountText = Field("")
    let didAppear = In<Trigger>()
  }
  struct Output: Ports { let start = Out(0) }

  let input = Input()
  let output = Output()
  let effects = Effects()
  let router = Router()
  let visits = Kept(0)
  private(set) var appearances = 0

  init(_ argument: Argument) {
    output.start.value = argument.start
    input.didAppear.observe { [self] in
      appearances += 1
      visits.value += 1
    }
  }
}

private final class Sides: Screen {
  static let kind = "sides"
  /// The code of another version of the app.
  static var isReversed = false
  struct Input: Ports {}
  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  let left: Kept<String>
  let right: Kept<String>

  init() {
    let sides = ["", ""].map { Kept($0) }
    (left, right) = Self.isReversed ? (sides[1], sides[0]) : (sides[0], sides[1])
  }
}

private final class Draft: Screen {
  static let kind = "draft"
  static var isReplaced = false
  struct Input: Ports {}
  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  private(set) var text = Kept("")

  init() {
    if Self.isReplaced { text = Kept("") }
  }
}
