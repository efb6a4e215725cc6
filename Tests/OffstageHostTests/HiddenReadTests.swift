import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// Derived outputs whose closure reads something that is not a port.
@Suite @CoreActor struct HiddenReadTests {
  final class Counter: Screen {
    static let kind = "counter"
    struct Item: Identifiable, Codable, Equatable, Sendable { let id: Int }
    struct Input: Ports {
      let add = In<Trigger>()
      let addLater = In<Trigger>()
      let rename = Field("")
    }
    struct Output: Ports {
      let total = Out(0)
      let items = Rows<Item>()
      let odd = Rows<Item>()
      let part = Child<Leaf>()
    }
    let input = Input(), output = Output(), effects = Effects()
    private var plain = 0

    init(_ kind: String, _ state: Out<Int> = Out(0)) {
      switch kind {
      case "output": output.total.derive { [unowned self] in plain }
      case "rows": output.items.derive { [unowned self] in (0..<plain).map(Item.init) }
      case "filter":
        output.items.reset(to: (0..<5).map(Item.init))
        output.odd.derive(
          from: output.items, where: { [unowned self] in $0.id < plain }, map: { $0 })
      case "part": output.part.show { Leaf { [unowned self] in plain } }
      default:
        output.total.derive { state.value }
        output.items.derive { (0..<state.value).map(Item.init) }
        output.odd.derive(from: output.items, where: { $0.id < state.value }, map: { $0 })
      }
      func add() {
        plain += 1
        state.value += 1
      }
      input.add.observe { add() }
      input.rename.observe { if !$0.isEmpty { add() } }
      input.addLater.observe { [self] in
        effects.run { [self] in
          try await effects.sleep(for: .seconds(1))
          add()
        }
      }
    }
  }

  final class Leaf: Part {
    struct Input: Ports { let add = In<Trigger>() }
    struct Output: Ports { let total = Out(0) }
    let input = Input(), output = Output(), effects = Effects()
    private var count = 0

    init(_ plain: @escaping () -> Int) {
      output.total.derive { [unowned self] in plain() + count }
      input.add.observe { [self] in count += 1 }
    }
  }

  @Test(arguments: ["output", "rows", "filter"], ["add", "rename", "addLater"])
  func debugBuildReportsThemOnce(kind: String, input name: String) async throws {
    let lines = try await faults(of: kind, name, name)
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.contains("derive at OffstageHostTests/HiddenReadTests.swift:") == true)
  }

  @Test func partIsCheckedToo() async throws {
    #expect(try await faults(of: "part", "part/add").count == 1)
  }

  @Test(arguments: ["add", "rename", "addLater"])
  func portsAreNotReported(input name: String) async throws {
    #expect(try await faults(of: "ports", name, name) == [])
  }

  private func faults(of kind: String, _ inputs: String...) async throws -> [String] {
    let program = Program("counters", version: "1.0") { _ in
      App(
        root: .stack(Route(Counter.self)),
        screens: [ScreenFactory(Counter.self) { _ in Counter(kind) }])
    }
    let talk = try await Conversation(in: program)
    var faults: [String] = []
    talk.session.core.onFault = { faults.append($0.description) }
    for name in inputs {
      _ = await talk.send(
        input(1, name, name == "rename" ? "\"\(faults.count)a\"" : "null"),
        call(2, "clock/advance", #"{"milliseconds":1000}"#))
    }
    return faults
  }
}
