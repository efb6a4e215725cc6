import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct ShutdownTests {
  @Test func answersNullAndTakesNoMoreLines() async throws {
    let talk = try await Conversation()
    await talk.check([call(1, "shutdown")], ["1: null"])
    #expect(talk.session.isShuttingDown && !talk.session.isReady)
  }

  @Test func closingAnswersWhatStillWaits() async throws {
    let talk = try await Conversation()
    _ = await talk.send(
      input(1, "wait", "100", settle: true),
      "[\(input(2, "wait", "100", settle: true)),\(input(3, "text"))]")
    talk.session.close()
    #expect(talk.pull() == ["1: error -32800", #"[3: {"revision":1}, 2: error -32800]"#])
    talk.session.close()
    #expect(talk.pull() == [])
    #expect(talk.session.isReady)
  }
}
