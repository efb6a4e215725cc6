import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// Screens that stay in memory after their end.
@Suite @CoreActor struct LeakedScreenTests {
  final class Leaf: Screen {
    static let kind = "leaf"
    struct Input: Ports {
      let open = In<Trigger>()
      let keep = In<Trigger>()
    }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
    private let router = Router()

    init(_ store: Store) {
      input.open.observe { [router] in router.push(Leaf.self) }
      input.keep.observe { [self] in store.callback = { [self] in input.open.send() } }
    }
  }

  /// The state that outlives every screen.
  final class Store: Sendable {
    nonisolated(unsafe) var callback: (() -> Void)?
  }

  @Test func debugBuildReportsThem() async throws {
    let store = Store()
    let program = Program("leaves", version: "1.0") { _ in
      App(root: .stack(Route(Leaf.self)), screens: [ScreenFactory(Leaf.self) { _ in Leaf(store) }])
    }
    let talk = try await Conversation(in: program)
    _ = await talk.send(
      input(1, "open"), input(2, "keep", on: 2), call(3, "navigation/back"))
    // A screen that nothing keeps is not reported.
    var lines = await talk.send(input(4, "open"), call(5, "navigation/back"))
    lines += await talk.send(call(6, "state/settle"))
    #expect(lines.filter { $0.hasPrefix("error") } == ["error -32603"], "\(lines)")
    store.callback = nil
  }
}
