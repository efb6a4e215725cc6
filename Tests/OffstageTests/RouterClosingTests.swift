import OffstageTesting
import Testing

@testable import Offstage

/// Closing screens, the queue, a new root, and `mayLeave`.
@Suite @CoreActor struct RouterClosingTests {
  /// A screen that can refuse to leave.
  final class Room: Screen {
    static let kind = "room"
    struct Argument: Codable, Sendable { let name: String }
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input()
    let output = Output()
    let effects = Effects()
    let router = Router()
    let name: String
    var isDirty = false
    var wasAsked = 0
    var whenAsked: () -> Void = {}

    init(name: String) { self.name = name }

    func mayLeave() -> Bool {
      if isDirty { wasAsked += 1 }
      whenAsked()
      return !isDirty
    }

    /// Shows another room, and observes its end.
    func show(
      _ name: String, as style: PresentationStyle? = nil, ends: @escaping (String) -> Void
    ) {
      let argument = Argument(name: name)
      let shown =
        style.map { router.present(Room.self, argument, as: $0) }
        ?? router.push(Room.self, argument)
      shown.onEnd { _ in ends(name) }
    }
  }

  final class House {
    let core: TestCore
    var ended: [String] = []

    @CoreActor init(tabs: [String] = ["home"]) throws {
      core = TestCore(
        App(
          root: .tabs(
            tabs.map { Tab($0, title: $0, icon: "", Route(Room.self, .init(name: $0))) }),
          links: [
            Link("house://room/:name", tab: "home") {
              [Route(Room.self, .init(name: $0["name"]))]
            }
          ],
          screens: [ScreenFactory(Room.self) { argument, _ in Room(name: argument.name) }]))
      try core.start()
    }

    @CoreActor var rooms: [String] { core.screens(Room.self).map(\.name) }
    @CoreActor subscript(name: String) -> Room {
      core.screens(Room.self).first { $0.name == name }!
    }

    @CoreActor func show(_ name: String, from: String, as style: PresentationStyle? = nil) {
      self[from].show(name, as: style) { [self] in ended.append($0) }
    }

    /// Pushes a on home, presents b with c pushed on it, and shows the modal m.
    @CoreActor func fill() {
      show("a", from: "home")
      show("b", from: "a", as: .sheet)
      show("c", from: "b")
      show("m", from: "c", as: .modal)
    }
  }

  private typealias Step = @CoreActor (House) -> Void

  @Test func closesTopmostFirstAndOnce() throws {
    let steps: [(name: String, step: Step, ended: [String])] = [
      ("this one", { $0["m"].router.close() }, ["m"]),
      ("this one and what is above it", { $0["c"].router.close() }, ["m", "c"]),
      ("the sheet by its root", { $0["b"].router.close() }, ["m", "c", "b"]),
      ("down to a screen", { $0["a"].router.popToSelf() }, ["m", "c", "b"]),
      ("by count", { $0["home"].router.close(count: 2) }, ["m", "c"]),
      ("by a count that is too large", { $0["c"].router.close(count: 9) }, ["m", "c", "b", "a"]),
      ("the modals", { $0["home"].router.closeModals() }, ["m"]),
      ("everything", { $0["c"].router.closeAll() }, ["m", "c", "b", "a"]),
      ("the root, which stays", { $0["home"].router.close() }, []),
    ]
    for (name, step, ended) in steps {
      let house = try House()
      house.fill()
      step(house)
      #expect(house.ended == ended, "\(name)")
      house.core.closeAll()
      #expect(house.ended.sorted() == ["a", "b", "c", "m"], "\(name), and then everything")
    }
  }

  /// A screen shown by a closing screen could never be closed.
  @Test func closingScreensCannotShowOthers() throws {
    let house = try House()
    house.show("a", from: "home")
    let a = house["a"]
    a.show("b") { _ in a.show("note", as: .modal) { _ in } }
    house["home"].router.closeStack()
    #expect(house.rooms == ["home"])
  }

  @Test func mayLeaveCanShowAnotherScreen() throws {
    let house = try House()
    house.show("a", from: "home")
    let a = house["a"]
    a.whenAsked = { a.show("aside", as: .sheet) { _ in } }
    #expect(house.core.back())
    #expect(house.rooms == ["home"], "the aside closes with the room that has presented it")
    for id in house.core.core.screens.keys {
      #expect(house.core.core.navigation.stack(for: id) != nil)
    }
  }

  @Test func closeStackKeepsTheRoot() throws {
    let house = try House()
    house.show("a", from: "home")
    house.show("b", from: "a")
    house["b"].router.closeStack()
    #expect(house.ended == ["b", "a"])
    #expect(house.rooms == ["home"])
  }

  @Test func queueShowsScreensInOrder() throws {
    let house = try House()
    let router = house["home"].router
    router.enqueue(Route(Room.self, .init(name: "first")))
    router.enqueue(Route(Room.self, .init(name: "second")), as: .fullScreenCover)
    #expect(house.rooms == ["home"])
    #expect(router.showNext())
    #expect(house.rooms == ["home", "first"])
    #expect(router.showNext())
    #expect(house.rooms == ["home", "first", "second"])
    #expect(!router.showNext())
  }

  @Test func setRootClosesAllScreens() throws {
    let house = try House()
    house.fill()
    try house["a"].router.setRoot(.stack(Route(Room.self, .init(name: "new"))))
    #expect(house.ended == ["m", "c", "b", "a"])
    #expect(house.rooms == ["new"])
  }

  @Test func mayLeaveIsCalledForRequestsOfTheUser() throws {
    let ways: [(name: String, @CoreActor (House) -> Void)] = [
      ("back", { $0.core.back() }),
      ("a link", { try? $0.core.open("house://room/elsewhere") }),
    ]
    for (name, leave) in ways {
      let house = try House()
      house.show("a", from: "home")
      house["a"].isDirty = true
      leave(house)
      #expect(house.rooms == ["home", "a"], "\(name)")
      #expect(house["a"].wasAsked == 1, "\(name)")
      house["a"].isDirty = false
      leave(house)
      #expect(house.ended == ["a"], "\(name)")
    }
  }

  @Test func screenThatMayNotBeLeftStays() throws {
    let house = try House()
    house.show("a", from: "home")
    house["a"].isDirty = true
    #expect(!house.core.back() && !house.core.dismiss(house["a"]))
    house["a"].isDirty = false
    #expect(house.core.back() && !house.core.back())
  }

  /// The user does not agree to leave a screen that appears while the question is open.
  @Test func agreeingLeavesTheScreenThatWasAsked() throws {
    let house = try House()
    house.show("a", from: "home")
    house["a"].isDirty = true
    #expect(!house.core.back())
    house.show("news", from: "home", as: .sheet)
    house["a"].isDirty = false
    house["a"].router.leave()
    #expect(house.rooms == ["home", "news"])
  }

  @Test func screenThatFinishesWhenItIsAskedIsTheOnlyOneThatCloses() throws {
    let house = try House()
    house.show("a", from: "home")
    house.show("b", from: "a")
    let b = house["b"]
    b.whenAsked = { b.finish() }
    #expect(house.core.back())
    #expect(house.rooms == ["home", "a"])
  }

  @Test func linkThatAScreenHoldsUpBelongsToItsRequest() throws {
    let house = try House()
    house.show("a", from: "home")
    house["a"].isDirty = true
    let core = house.core.core
    core.turn(of: "7") { #expect((try? core.open("house://room/b")) == .asked) }
    #expect(core.pendingWork.map(\.name) == ["leave"])
    #expect(core.pendingWork.first?.cause == "7")
    core.cancelWork(ofRequest: "7")
    #expect(core.pendingWork.isEmpty)
    house["a"].router.leave()
    #expect(house.rooms == ["home"], "the link is not opened")
  }

  /// A button that closes a screen asks as the user's Back does.
  @Test func mayLeaveIsCalledForButtons() throws {
    let buttons: [(name: String, @CoreActor (House) -> Void)] = [
      ("close", { $0["a"].router.close() }),
      ("close by count", { $0["a"].router.close(count: 1) }),
      ("close the stack", { $0["a"].router.closeStack() }),
      ("close everything", { $0["a"].router.closeAll() }),
      ("close what is above", { $0["home"].router.popToSelf() }),
    ]
    for (name, press) in buttons {
      let house = try House()
      house.show("a", from: "home")
      house["a"].isDirty = true
      press(house)
      #expect(house.ended == [], "\(name)")
      #expect(house["a"].wasAsked == 1, "\(name)")
      house["a"].router.leave()
      #expect(house.ended == ["a"], "\(name)")
    }
  }

  @Test func mayLeaveIsNotCalledForAScreenThatIsDone() throws {
    let house = try House()
    house.show("a", from: "home")
    house["a"].isDirty = true
    house["a"].finish()
    #expect(house.ended == ["a"])
    #expect(house.core.faults == [])
  }

  @Test func observerOfTheResultCanShowAnotherScreen() throws {
    let house = try House()
    house.show("a", from: "home", as: .sheet)
    house["home"].show("b", as: .sheet) { [house] _ in
      house.show("c", from: "home", as: .sheet)
    }
    house["a"].router.close()
    #expect(house.rooms == ["home", "c"])
  }
}
