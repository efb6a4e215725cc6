import Offstage
import OffstageTesting
import Testing

/// Every way to take screens away, the queue, the root swap, and a screen that asks before it goes.
@Suite @CoreActor struct RouterSurfaceTests {
  /// A screen that notes its end, and can refuse to go.
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

    /// Shows another room, and notes its end.
    func show(_ name: String, _ segue: Segue, ends: @escaping (String) -> Void) {
      let argument = Argument(name: name)
      let shown: PresentedScreen<Empty> =
        switch segue {
        case .push: router.push(Room.self, argument)
        case .present(let style): router.present(Room.self, argument, as: style)
        case .modal(let background):
          router.showModal(Room.self, argument, background: background)
        }
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

    @CoreActor func show(_ name: String, from: String, _ segue: Segue) {
      self[from].show(name, segue) { [self] in ended.append($0) }
    }

    /// home, a pushed on it, sheet b with c pushed, modal m over all.
    @CoreActor func fill() {
      show("a", from: "home", .push)
      show("b", from: "a", .present(.sheet))
      show("c", from: "b", .push)
      show("m", from: "c", .modal(ModalBackground()))
    }
  }

  private typealias Step = @CoreActor (House) -> Void

  @Test func whatGoesGoesTopFirstAndOnce() throws {
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

  /// What hears of an end while it ends itself shows nothing more: nobody could close it.
  @Test func whatIsClosingTogetherShowsNothing() throws {
    let house = try House()
    house.show("a", from: "home", .push)
    let a = house["a"]
    a.show("b", .push) { _ in a.show("note", .modal(ModalBackground())) { _ in } }
    house["home"].router.closeStack()
    #expect(house.rooms == ["home"])
  }

  @Test func whereARoomGoesWhenItIsAskedIsNotLost() throws {
    let house = try House()
    house.show("a", from: "home", .push)
    let a = house["a"]
    a.whenAsked = { a.show("aside", .present(.sheet)) { _ in } }
    #expect(house.core.back())
    #expect(house.rooms == ["home", "a"])
    for id in house.core.core.screens.keys {
      #expect(house.core.core.navigation.place(of: id) != nil)
    }
  }

  @Test func theStackIsPoppedToItsRoot() throws {
    let house = try House()
    house.show("a", from: "home", .push)
    house.show("b", from: "a", .push)
    house["b"].router.closeStack()
    #expect(house.ended == ["b", "a"])
    #expect(house.rooms == ["home"])
  }

  @Test func theQueueShowsOneAfterTheOther() throws {
    let house = try House()
    let router = house["home"].router
    router.enqueue(Route(Room.self, .init(name: "first")))
    router.enqueue(Route(Room.self, .init(name: "second")), .present(.fullScreenCover))
    #expect(house.rooms == ["home"])
    #expect(router.showNext())
    #expect(house.rooms == ["home", "first"])
    #expect(router.showNext())
    #expect(house.rooms == ["home", "first", "second"])
    #expect(!router.showNext())
    router.enqueue(Route(Room.self, .init(name: "third")))
    router.clearQueue()
    #expect(!router.showNext())
  }

  @Test func aNewRootEndsAllThatWas() throws {
    let house = try House()
    house.fill()
    try house["a"].router.setRoot(.stack(Route(Room.self, .init(name: "new"))))
    #expect(house.ended == ["m", "c", "b", "a"])
    #expect(house.rooms == ["new"])
  }

  @Test func whatHasSomethingToLoseIsAskedFirst() throws {
    let ways: [(name: String, @CoreActor (House) -> Void)] = [
      ("back", { $0.core.back() }),
      ("a link", { try? $0.core.open("house://room/elsewhere") }),
    ]
    for (name, leave) in ways {
      let house = try House()
      house.show("a", from: "home", .push)
      house["a"].isDirty = true
      leave(house)
      #expect(house.rooms == ["home", "a"], "\(name)")
      #expect(house["a"].wasAsked == 1, "\(name)")
      house["a"].isDirty = false
      leave(house)
      #expect(house.ended == ["a"], "\(name)")
    }
  }

  @Test func theProgramDoesNotAsk() throws {
    let house = try House()
    house.show("a", from: "home", .push)
    house["a"].isDirty = true
    house["a"].router.close()
    #expect(house.ended == ["a"])
  }

  @Test func whatTheEndOfAScreenShowsIsShown() throws {
    let house = try House()
    house.show("a", from: "home", .present(.sheet))
    house["home"].show("b", .present(.sheet)) { [house] _ in
      house.show("c", from: "home", .present(.sheet))
    }
    house["a"].router.close()
    #expect(house.rooms == ["home", "c"])
  }
}
