import Offstage
import OffstageTesting

/// A screen with every sort of port, wired by the test that makes it.
final class Probe: Screen {
  static let kind = "probe"

  struct Item: Identifiable, Codable, Equatable, Sendable {
    var id: String
    var text = ""
    var count: Int? = nil
  }

  struct Input: Ports {
    let text = In<String?>(nil)
    let number = In(0)
    let digit = In<Int>()
    let tap = In<Trigger>()
    let outcome = In<Outcome<Int>>()
  }

  struct Output: Ports {
    let text = Out("")
    let number = Out(0)
    let told = Event<Int>()
    let items = Rows<Item>()
  }

  typealias Result = Int

  let input = Input()
  let output = Output()
  let effects = Effects()
  let router = Router()
  let prompts = Prompts()

  init(_ wire: (Probe) -> Void = { _ in }) { wire(self) }
}

extension Probe {
  /// A core whose router knows this screen.
  static func core(capabilities: Set<String> = []) -> TestCore {
    TestCore(
      App(root: .tabs([]), screens: [ScreenFactory(Probe.self) { _ in Probe() }]),
      capabilities: capabilities)
  }
}
