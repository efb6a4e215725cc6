import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct SettleTests {
  @Test func answersAtOnceWhereNothingRuns() async throws {
    let talk = try await Conversation()
    await talk.check([call(1, "state/settle")], [#"1: {"revision":1}"#])
  }

  @Test func waitsForWorkButNotForTheClockOrThePerson() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    talk.put(
      input(1, "wait", "100"), input(2, "ask"), input(3, "work", "5"), call(4, "state/settle"))
    #expect(
      talk.pull() == [
        #"1: {"revision":1}"#, #"2: {"revision":1}"#, #"3: {"revision":1}"#,
      ])
    await talk.turn()
    #expect(
      talk.pull() == [
        "frame 2 by 2 \(AnswerTests.asked)",
        "frame 3 by 3 " + replaced("/screens/1/output/count", "1"),
        #"4: {"revision":3}"#,
      ])
  }

  @Test func severalAreAnsweredInOrder() async throws {
    let talk = try await Conversation()
    talk.put(input(1, "work", "3"), call(2, "state/settle"), call(3, "state/settle"))
    await talk.turn()
    #expect(talk.pull().suffix(2) == [#"2: {"revision":2}"#, #"3: {"revision":2}"#])
  }
}
