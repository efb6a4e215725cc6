import Offstage
import OffstageHost
import OffstageTesting
import Testing

@Suite @CoreActor struct CanceledReplayTests {
  /// Waits in an effect for a sequence that never ends.
  final class Stuck: Screen {
    static let kind = "stuck"
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()

    private let changes = AsyncStream.makeStream(of: Int.self)

    init() {
      effects.task(name: "listen").run { [changes] in for await _ in changes.stream {} }
    }
  }

  @Test func canceledReplayNamesTheEffectThatItWaitsFor() async {
    let program = Program("stuck", version: "0") { _ in
      App(root: .stack(Route(Stuck.self)), screens: [ScreenFactory(Stuck.self) { _ in Stuck() }])
    }
    let replay = Task { @CoreActor in
      try await check(
        transcript: """
          # Never ends.
          $ stuck --deterministic
          > {"jsonrpc":"2.0","id":1,"method":"state/snapshot"}

          = exit 0
          """, file: "stuck", with: program)
    }
    for _ in 1...50 { await Task.yield() }
    replay.cancel()
    let result = await replay.result
    #expect("\(result)".contains(#"canceled while it waited for the effects "listen" of screen 1"#))
  }
}
