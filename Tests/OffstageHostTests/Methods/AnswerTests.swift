import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct AnswerTests {
  static let asked =
    #"[{"op":"add","path":"/prompts/q1","value":{"kind":"location","screen":"1","params":{}}}]"#
  static let gone = #"[{"op":"remove","path":"/prompts/q1"}]"#

  @Test(arguments: [
    (
      #""value":{"lat":1.5}"#,
      replaced("/screens/1/output/place", #"{"lat":1.5,"lon":null}"#)
    ),
    (#""error":{"message":"no"}"#, replaced("/screens/1/output/text", #""no""#)),
    (
      #""dismissed":true"#,
      replaced("/screens/1/output/text", #""closed without an answer""#)
    ),
  ])
  func answersOnce(answer: String, patch: String) async throws {
    let talk = try await start()
    let params = #"{"prompt":"q1",\#(answer)}"#
    await talk.check(
      [call(2, "answer", params), call(3, "answer", params)],
      [
        "frame 3 by 2 \(Self.gone)", #"2: {"revision":3}"#, "frame 4 by 1 \(patch)",
        #"3: error 1003 {"prompt":"q1"}"#,
      ])
  }

  @Test(arguments: [
    (#"{"prompt":"q9","value":1}"#, #"1003 {"prompt":"q9"}"#),
    (#"{"value":1}"#, #"-32602 {"path":"/prompt","expected":"string","found":"nothing"}"#),
    (
      #"{"prompt":"q1","value":{"lat":1},"dismissed":true}"#,
      #"-32602 {"path":"","expected":"one of value, error and dismissed","found":"more than one"}"#
    ),
    (
      #"{"prompt":"q1"}"#,
      #"-32602 {"path":"/value","expected":"value, error or dismissed","found":"nothing"}"#
    ),
    (
      #"{"prompt":"q1","value":{"lat":true}}"#,
      #"-32602 {"path":"/value/lat","expected":"number","found":"boolean"}"#
    ),
    (
      #"{"prompt":"q1","error":{}}"#,
      #"-32602 {"path":"/error/message","expected":"string","found":"nothing"}"#
    ),
    (
      #"{"prompt":"q1","dismissed":false}"#,
      #"-32602 {"path":"/value","expected":"value, error or dismissed","found":"nothing"}"#
    ),
    (
      #"{"prompt":"q1","dismissed":1}"#,
      #"-32602 {"path":"/dismissed","expected":"boolean","found":"number"}"#
    ),
  ])
  func refusesAndKeepsThePrompt(params: String, error: String) async throws {
    let talk = try await start()
    await talk.check([call(2, "answer", params)], ["2: error \(error)"])
    #expect(talk.prompts == ["q1"])
    await talk.check([call(3, "state/settle")], [#"3: {"revision":2}"#])
  }

  @Test func aClosedScreenWithdrawsItsPrompts() async throws {
    let talk = try await Conversation(hello: Self.hello)
    _ = await talk.send(input(1, "push"), input(2, "ask", on: 3))
    #expect(talk.prompts == ["q1"])
    _ = await talk.send(call(3, "navigation/back"))
    #expect(talk.prompts == [])
    await talk.check(
      [call(4, "answer", #"{"prompt":"q1","dismissed":true}"#)], [#"4: error 1003 {"prompt":"q1"}"#]
    )
  }

  private static let hello = call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#)

  /// A core that has asked.
  private func start() async throws -> Conversation {
    let talk = try await Conversation(hello: Self.hello)
    await talk.check([input(1, "ask")], [#"1: {"revision":1}"#, "frame 2 by 1 \(Self.asked)"])
    return talk
  }
}
