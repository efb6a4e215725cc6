import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct SnapshotTests {
  @Test func isWhatTheFramesHaveMade() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    let steps = [
      input(1, "text", #""a""#), input(2, "items", "3"), input(3, "push"), input(4, "ask", on: 3),
      input(5, "sheet", on: 3), input(6, "modal", on: 4), input(7, "items", "5", on: 4),
      input(8, "place", #"{"lat":1,"lon":2}"#), input(9, "items", "1"),
      call(10, "navigation/selectTab", #"{"tab":"b"}"#), input(11, "finish", "1", on: 4),
      call(12, "answer", #"{"prompt":"q1","value":{"lat":2}}"#), input(13, "place", #"{"lat":2}"#),
    ]
    for step in steps {
      _ = await talk.send(step)
      await talk.checkReplica()
    }
    #expect(talk.shape == "a 1 3|b* 2")
  }

  @Test func changesNothing() async throws {
    let talk = try await Conversation()
    _ = await talk.send(call(1, "state/snapshot"), call(2, "state/snapshot"))
    #expect(talk.replica.revision == 1)
    await talk.check([input(3, "tell", "1")], ["frame 2 by 3 1.told 1", #"3: {"revision":2}"#])
  }
}
