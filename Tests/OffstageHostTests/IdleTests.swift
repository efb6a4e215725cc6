import OffstageJSON
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// When a session can be parked unnoticed.
@Suite @CoreActor struct IdleTests {
  final class Home: Screen {
    static let kind = "home"
    struct Input: Ports {
      let tickTapped = In<Trigger>()
      let workTapped = In<Trigger>()
      let askTapped = In<Trigger>()
      let askAgainTapped = In<Trigger>()
      let workAgainTapped = In<Trigger>()
    }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()

    init() {
      input.tickTapped.observe { [effects] in effects.every(.seconds(3600)) {} }
      input.workTapped.observe { [effects] in
        effects.run { try await effects.sleep(for: .seconds(3600)) }
      }
      let ask: @CoreActor @Sendable () async throws -> Void = { [effects] in
        _ = try await effects.ask(.alert(Dialog("?")))
      }
      input.askTapped.observe { [effects] in effects.run(ask) }
      let (askAgain, workAgain) = (effects.task(name: "ask"), effects.task(name: "work"))
      askAgain.onRestart("ask") { askAgain.run(ask) }
      input.askAgainTapped.observe { askAgain.run(ask) }
      workAgain.onRestart("work") {}
      input.workAgainTapped.observe { [effects] in
        workAgain.run { try await effects.sleep(for: .seconds(3600)) }
      }
    }
  }

  private static let program = Program("home", version: "1.0") { _ in
    App(root: .stack(Route(Home.self)), screens: [ScreenFactory(Home.self) { _ in Home() }])
  }

  @Test(arguments: [
    (["tick"], true), (["work"], false), (["ask"], false), (["askAgain"], true),
    (["workAgain"], false), (["askAgain", "workAgain"], false), (["askAgain", "ask"], false),
  ])
  func onlyATickerAndQuestionsThatAreAskedAgainMayWait(names: [String], isIdle: Bool) async throws {
    let talk = try await Conversation(in: Self.program)
    #expect(talk.session.isIdle)
    for (id, name) in names.enumerated() {
      _ = await talk.send(call(id + 1, "input", #"{"screen":"1","name":"\#(name)Tapped"}"#))
    }
    #expect(talk.session.isIdle == isIdle)
  }

  @Test func aSessionThatIsNotShownIsNotIdle() throws {
    #expect(try !Self.program.makeSession(["--deterministic"]).isIdle)
  }
}
