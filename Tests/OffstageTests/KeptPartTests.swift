import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// What is written into the journal after a change within a part of a screen.
@Suite @CoreActor struct KeptPartTests {
  private let core = Core(
    app: App(
      root: .stack(Route(Cart.self)), screens: [ScreenFactory(Cart.self) { _ in Cart() }]),
    clock: CoreClock(virtualFrom: .zero))
  private var kept: JSON = .null

  init() throws {
    try core.start()
    core.noteStateChanges()
    kept = core.keptState()
  }

  @Test mutating func aChangeWritesItsPartAlone() throws {
    cart.output.lines[2]?.input.countText.send("9")
    #expect(try write() == ["/screens/1/values/1/value/1"])
    cart.output.header.value?.input.countText.send("8")
    #expect(try write() == ["/screens/1/values/0/value"])
    cart.output.lines[3]?.input.didAppear.send()
    #expect(try write() == ["/screens/1/values/1/value/2"])
    cart.output.lines[1]?.input.countText.send("5")
    cart.output.lines[3]?.input.countText.send("3")
    #expect(try write() == ["/screens/1/values/1/value/0", "/screens/1/values/1/value/2"])
  }

  @Test mutating func aPartOfAPartIsInTheOuterOne() throws {
    cart.output.lines[2]?.output.discount.value?.input.countText.send("9")
    #expect(try write() == ["/screens/1/values/1/value/1"])
  }

  /// Positions and ids are then those of the new list.
  @Test mutating func anEditOfTheListWritesItAsAWhole() throws {
    cart.output.lines[3]?.input.countText.send("3")
    cart.output.lines.remove(1)
    cart.output.lines[2]?.input.countText.send("2")
    #expect(try write() == ["/screens/1/values/1"])
    cart.output.lines[2]?.input.countText.send("4")
    cart.output.header.remove()
    #expect(try write() == ["/screens/1/values/1/value/0", "/screens/1/values/0"])
  }

  @Test mutating func manyChangesWriteTheListAsAWhole() throws {
    cart.output.lines.reset(to: (1...100).map(Product.init)) { Line($0.id) }
    _ = try write()
    for line in cart.output.lines.values { line.input.countText.send("9") }
    #expect(try write() == ["/screens/1/values/1"])
  }

  @Test mutating func whatIsNotKeptWritesNothing() throws {
    var document = JSONWriter()
    document.beginObject()
    core.openScreens[0].writePorts(to: &document)
    cart.output.lines[2]?.output.cost.value = 7
    #expect(try write() == [])
  }

  private var cart: Cart { core.openScreens[0].part as! Cart }

  /// Writes the changes, and checks that they lead to the present state.
  /// - Returns: Their paths.
  private mutating func write() throws -> [String] {
    var writer = JSONWriter()
    writer.beginArray()
    core.writeStateChanges(to: &writer)
    writer.endArray()
    let patch = try JSON(parsing: String(writer.bytes))
    try kept.apply(patch)
    #expect(kept == core.state())
    return (patch.array ?? []).compactMap { $0["path"]?.string }
  }
}

private final class Cart: Screen {
  static let kind = "cart"
  struct Input: Ports {}
  struct Output: Ports {
    let header = Child<Line>()
    let lines = Children<Line>()
  }
  let input = Input(), output = Output(), effects = Effects()

  init() {
    output.header.show { Line(0) }
    output.lines.reset(to: (1...3).map(Product.init)) { Line($0.id) }
  }
}

private struct Product: Identifiable { let id: Int }

private final class Line: Part, Identifiable {
  struct Input: Ports {
    let countText = Field("1")
    let didAppear = In<Trigger>()
  }
  struct Output: Ports {
    let cost = Out(0)
    let discount = Child<Discount>()
  }
  let input = Input(), output = Output(), effects = Effects()
  let id: Int

  init(_ id: Int) {
    self.id = id
    output.discount.show { Discount() }
  }
}

private final class Discount: Part {
  struct Input: Ports { let countText = Field("1") }
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
}
