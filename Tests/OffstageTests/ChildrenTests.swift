import OffstageTesting
import Testing

@testable import Offstage

@Suite @CoreActor struct ChildrenTests {
  /// A list of parts whose ports a test wires.
  private final class Board: Screen {
    static let kind = "board"
    struct Input: Ports {}
    struct Output: Ports {
      let one = Child<Card>()
      let cards = Children<Card>()
      let sum = Out(0)
    }
    let input = Input(), output = Output(), effects = Effects()

    init(_ ids: [Int] = []) {
      for id in ids { output.cards.append { Card(id: id) } }
      output.sum.derive { [output] in output.cards.values.reduce(0) { $0 + $1.output.number.value }
      }
    }
  }

  private final class Card: Part, Identifiable {
    struct Input: Ports { let number = In<Int>() }
    struct Output: Ports {
      let number = Out(0)
      let items = Rows<Probe.Item>()
    }
    let input = Input(), output = Output(), effects = Effects()
    let router = Router()
    let id: Int
    nonisolated(unsafe) static var live = 0

    init(id: Int) {
      self.id = id
      Self.live += 1
      output.number.bind(input.number)
    }

    isolated deinit { Self.live -= 1 }
  }

  private struct Key: Identifiable { let id: Int }

  @Test func ownerWorksWhileAPartIsBeingCreated() async {
    final class Owner: Screen {
      static let kind = "owner"
      struct Input: Ports {}
      struct Output: Ports { let card = Child<Card>() }
      let input = Input(), output = Output(), effects = Effects()

      init(_ loaded: Recorder<Int>) {
        let filter = Out(0)
        filter.observe { [effects] filter in effects.run { loaded.append(filter) } }
        output.card.show {
          filter.value = 1
          return Card(id: 1)
        }
      }
    }
    let (core, loaded) = (TestCore(), Recorder<Int>())
    _ = core.show { Owner(loaded) }
    await core.settle()
    #expect(loaded.values == [0, 1])
  }

  @Test func aPartIsTestedAlone() throws {
    let core = TestCore()
    let card = core.show { Card(id: 1) }
    card.input.number.send(3)
    #expect(card.output.number.value == 3)
    #expect(core.kinds == ["Card"])
    #expect(core.faults == [])
    #expect(core.differences(from: #"{"number":3,"items":[]}"#, at: "/screens/1/output") == [])
  }

  @Test func derivedOutputsFollowParts() async throws {
    let core = TestCore()
    let board = core.show { Board([1, 2]) }
    board.output.cards[1]?.input.number.send(3)
    board.output.cards[2]?.input.number.send(4)
    #expect(board.output.sum.value == 7)
    board.output.cards.remove(1)
    #expect(board.output.sum.value == 4)
  }

  @Test func resetKeepsPartsWithTheirState() {
    let core = TestCore()
    let board = core.show { Board([1, 2, 3]) }
    board.output.cards[3]?.input.number.send(9)
    var made: [Int] = []
    board.output.cards.reset(to: [3, 4, 1, 3].map { Key(id: $0) }) {
      made.append($0.id)
      return Card(id: $0.id)
    }
    #expect(board.output.cards.values.map(\.id) == [3, 4, 1])
    #expect(board.output.cards[3]?.output.number.value == 9)
    #expect(made == [4])
  }

  @Test func aPartEndsWithItsPlace() async throws {
    let core = TestCore()
    let board = core.show { Board([1, 2]) }
    let first = board.output.cards[1]!
    var ends: [String] = []
    for card in board.output.cards.values {
      card.effects.onClose { ends.append("\(card.id)") }
      card.effects.run("wait") {
        do { try await card.effects.sleep(for: .seconds(1)) } catch { ends.append("canceled") }
      }
      card.effects.every(.seconds(1)) { card.output.number.value += 1 }
    }
    await core.run()
    #expect(core.liveCounts == (1, 2, 4))
    board.output.cards.remove(1)
    await core.settle()
    #expect(ends == ["1", "canceled"])
    #expect(core.liveCounts == (1, 1, 2))
    first.input.number.send(5)
    #expect(first.output.number.value == 0)
    core.closeAll()
    await core.settle()
    #expect(ends == ["1", "canceled", "2", "canceled"])
    #expect(core.liveCounts == (0, 0, 0))
  }

  @Test func aPromptDisappearsWithThePartThatAsks() async throws {
    let core = TestCore()
    let board = core.show { Board([1]) }
    let card = board.output.cards[1]!
    card.effects.run("ask") { _ = try await card.effects.ask(.alert(Dialog("Really?"))) }
    await core.settle()
    #expect(core.prompts.map(\.screen) == ["1"])
    board.output.cards.remove(1)
    #expect(core.prompts == [])
  }

  @Test func aPartWithTheSameIDTakesThePlace() async throws {
    let core = TestCore()
    let board = core.show { Board([1, 2]) }
    let old = board.output.cards[2]!
    let frames = await core.frames {
      old.input.number.send(3)
      board.output.cards.append { Card(id: 2) }
      board.output.cards.append { Card(id: 1) }
      board.output.cards[1]?.input.number.send(4)
      await core.settle()
    }
    // The whole list is shorter than two removals and two insertions.
    #expect(
      frames == [
        #"{"revision":2,"patch":[{"op":"replace","path":"/screens/1/output/cards","#
          + #""value":[{"id":2,"number":0,"items":[]},{"id":1,"number":4,"items":[]}]},"#
          + #"{"op":"replace","path":"/screens/1/output/sum","value":4}]}"#
      ])
  }

  @Test func promptOfWorkThatOutlivesAPartEndsWithThePart() async {
    let core = TestCore()
    let board = core.show { Board([1, 2]) }
    let card = board.output.cards[1]!
    card.effects.run("ask", outlivesScreen: true) {
      _ = try await card.effects.ask(.alert(Dialog("Really?")))
    }
    await core.settle()
    #expect(core.prompts.count == 1)
    board.output.cards.remove(1)
    #expect(core.prompts == [])
  }

  @Test func aPartIsInsertedBeforeThatOfAPosition() {
    let core = TestCore()
    let board = core.show { Board([1, 2, 3]) }
    board.output.cards.insert(at: 1) { Card(id: 1) }
    #expect(board.output.cards.values.map(\.id) == [1, 2, 3])
    board.output.cards.insert(at: 1) { Card(id: 3) }
    #expect(board.output.cards.values.map(\.id) == [1, 3, 2])
    board.output.cards.insert(at: 9) { Card(id: 3) }
    #expect(board.output.cards.values.map(\.id) == [1, 2, 3])
  }

  @Test func rowsOfAPartThatMovesAreEditedInTheirNewPlace() async throws {
    let core = TestCore()
    let board = core.show { Board([1, 2]) }
    let frames = await core.frames {
      board.output.cards[1]?.output.items.append(.init(id: "a"))
      await core.settle()
      board.output.cards.move(1, to: 1)
      board.output.cards[1]?.output.items.append(.init(id: "b"))
      await core.settle()
    }
    #expect(frames.count == 2)
    #expect(frames.last?.contains(#""/screens/1/output/cards/1/items/1""#) == true)
  }

  @Test func childrenDoNotKeepAClosedScreenInMemory() async throws {
    let before = Card.live
    do {
      let core = TestCore()
      let board = core.show { Board([1, 2]) }
      for card in board.output.cards.values {
        card.input.number.observe { _ in _ = board }
      }
      board.output.one.show { Card(id: 3) }
      board.output.one.show { Card(id: 4) }
      #expect(Card.live == before + 3)
      core.closeAll()
      board.output.cards.append { Card(id: 5) }
      board.output.one.show { Card(id: 6) }
      #expect(board.output.cards.count == 0)
      #expect(board.output.one.value == nil)
    }
    #expect(Card.live == before)
  }

  @Test func aPartThatCannotBeMadeLeavesNothingBehind() {
    struct Failure: Error {}
    let core = TestCore()
    let board = core.show { Board() }
    #expect(throws: Failure.self) {
      try board.output.cards.append {
        let card = Card(id: 1)
        card.effects.every(.seconds(1)) {}
        throw Failure()
      }
    }
    #expect(board.output.cards.count == 0)
    #expect(core.liveCounts == (1, 0, 0))
  }

  @Test func theEndOfAPartMayEditTheList() async throws {
    let core = TestCore()
    let board = core.show { Board([1, 2, 3, 4]) }
    let cards = board.output.cards
    for card in cards.values { card.effects.onClose { cards.remove(card.id == 1 ? 4 : 0) } }
    let frames = await core.frames {
      cards.remove(1)
      await core.settle()
      cards.reset(to: [5].map { Key(id: $0) }) { Card(id: $0.id) }
      await core.settle()
    }
    #expect(
      frames.first
        == #"{"revision":2,"patch":[{"op":"remove","path":"/screens/1/output/cards/0"},"#
        + #"{"op":"remove","path":"/screens/1/output/cards/2"}]}"#)
    #expect(cards.values.map(\.id) == [5])
  }

  @Test func aListStaysAsItIsIfAPartOfItCannotBeMade() {
    struct Failure: Error {}
    let core = TestCore()
    let board = core.show { Board([1, 2]) }
    #expect(throws: Failure.self) {
      try board.output.cards.reset(to: [2, 3, 4].map { Key(id: $0) }) {
        if $0.id == 4 { throw Failure() }
        let card = Card(id: $0.id)
        card.effects.every(.seconds(1)) {}
        return card
      }
    }
    #expect(board.output.cards.values.map(\.id) == [1, 2])
    #expect(core.liveCounts == (1, 0, 0))
  }

  /// The parts of a closed screen have no place in the document any more.
  @Test func aFrameThatRemovesAScreenHasNoChangesOfItsParts() async throws {
    let edits: [(name: String, edit: @CoreActor (Board) -> Void)] = [
      ("before the end", { $0.output.cards.remove(1) }),
      (
        "at the end",
        { board in board.effects.onClose { [cards = board.output.cards] in cards.remove(1) } }
      ),
      ("in a part", { $0.output.cards[1]?.input.number.send(3) }),
      ("of another kind", { $0.output.one.show { Card(id: 3) } }),
    ]
    for (name, edit) in edits {
      let core = TestCore()
      let board = core.show { Board([1, 2]) }
      let frames = await core.frames {
        edit(board)
        core.closeAll()
        await core.settle()
      }
      #expect(
        frames == [
          #"{"revision":2,"patch":[{"op":"remove","path":"/navigation/root/screens/0"},"#
            + #"{"op":"remove","path":"/screens/1"}],"#
            + #""navigation":[{"type":"setRoot","screens":[]}]}"#
        ], "\(name)")
    }
  }

  /// Parts end in the order of their creation, also after others among them have ended.
  @Test func partsEndInTheOrderOfTheirCreation() {
    let core = TestCore()
    let board = core.show { Board(Array(0..<100)) }
    var ends: [Int] = []
    for card in board.output.cards.values { card.effects.onClose { ends.append(card.id) } }
    for id in (0..<100).reversed() where id % 10 != 0 { board.output.cards.remove(id) }
    for id in 100..<110 {
      board.output.cards.insert(at: 0) {
        let card = Card(id: id)
        card.effects.onClose { ends.append(id) }
        return card
      }
    }
    #expect(ends.count == 90)
    core.closeAll()
    #expect(Array(ends[90...]) == Array(stride(from: 0, to: 100, by: 10)) + Array(100..<110))
  }

  // MARK: Mistakes

  private final class Named: Part, Identifiable {
    struct Input: Ports {}
    struct Output: Ports { let id = Out("") }
    let input = Input(), output = Output(), effects = Effects()
    let id = 1
  }

  private final class Naming: Screen {
    static let kind = "naming"
    struct Input: Ports {}
    struct Output: Ports { let all = Children<Named>() }
    let input = Input(), output = Output(), effects = Effects()
  }

  private final class Showing: Screen {
    static let kind = "showing"
    struct Input: Ports {}
    struct Output: Ports { let board = Child<Board>() }
    let input = Input(), output = Output(), effects = Effects()
  }

  @Test func mistakesInPartsAreFoundAtStart() {
    #expect(Self.fault(of: Naming())?.hasPrefix(#"the output "id" of the part Named has"#) == true)
    #expect(
      Self.fault(of: Showing())?.hasPrefix(#"the screen "board" is shown as a part of the screen"#)
        == true)
  }

  private static func fault<S: Screen>(of screen: @autoclosure () -> S) -> String? {
    let core = TestCore()
    _ = core.show(screen)
    return core.faults.first
  }
}
