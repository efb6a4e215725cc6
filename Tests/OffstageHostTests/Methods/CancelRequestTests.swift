import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct CancelRequestTests {
  @Test func endsWhatTheRequestStartedAndFreesItsID() async throws {
    let talk = try await Conversation()
    await talk.check(
      [input(1, "wait", "100", settle: true), input(2, "wait", "100")],
      [
        #"2: {"revision":1}"#
      ])
    await talk.check([cancel("1")], ["1: error -32800"])
    #expect(talk.session.core.liveEffectCount == 1)
    await talk.check([input(1, "text")], [#"1: {"revision":1}"#])
  }

  @Test func endsWhatIsQueuedToo() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "queue", "[100,100,100]", settle: true))
    await talk.check([cancel("1")], ["1: error -32800"])
    #expect(talk.session.core.liveEffectCount == 0)
    #expect(talk.session.core.isSettled)
  }

  @Test func endsWhatIsQueuedBehindTheWorkOfAnother() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "queue", "[100]"), input(2, "queue", "[100,100]", settle: true))
    await talk.check([cancel("2")], ["2: error -32800"])
    await talk.check(
      [call(3, "clock/advance", #"{"milliseconds":1000}"#)], [#"3: {"revision":2}"#])
  }

  @Test func endsItsTimers() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "search", #""old""#, settle: true))
    await talk.check([cancel("1")], ["1: error -32800"])
    await talk.check(
      [call(2, "clock/advance", #"{"milliseconds":1000}"#)], [#"2: {"revision":1}"#])
    _ = await talk.send(input(3, "search", #""new""#))
    await talk.check(
      [call(4, "clock/advance", #"{"milliseconds":300}"#)],
      [
        "frame 2 by 3 " + replaced("/screens/1/output/found", #""new""#), #"4: {"revision":2}"#,
      ])
  }

  @Test func withdrawsThePromptsOfTheRequest() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    _ = await talk.send(input(1, "ask", settle: true))
    await talk.check([cancel("1")], ["frame 3 \(AnswerTests.gone)", "1: error -32800"])
  }

  @Test func leavesTheOthersWaiting() async throws {
    let talk = try await Conversation()
    talk.put(input(1, "work", "9"), call(2, "state/settle"), call(3, "state/settle"), cancel("2"))
    #expect(talk.pull() == [#"1: {"revision":1}"#, "2: error -32800"])
    await talk.turn()
    #expect(talk.pull().last == #"3: {"revision":2}"#)
  }

  @Test func ofWhatDoesNotWaitSaysNothing() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "wait", "100", settle: true))
    await talk.check([cancel("9"), cancel(#""1""#), cancel("1.0"), cancel("null")], [])
    await talk.check([cancel("1")], ["1: error -32800"])
  }

  @Test func needsAnID() async throws {
    let talk = try await Conversation()
    await talk.check(
      [notification("$/cancelRequest"), cancel("[]"), call(1, "$/cancelRequest", #"{"id":true}"#)],
      [
        #"error -32602 {"path":"/id","expected":"string or number","found":"nothing"}"#,
        #"error -32602 {"path":"/id","expected":"string or number","found":"array"}"#,
        #"1: error -32602 {"path":"/id","expected":"string or number","found":"boolean"}"#,
      ])
  }

  private func cancel(_ id: String) -> String { notification("$/cancelRequest", #"{"id":\#(id)}"#) }
}
