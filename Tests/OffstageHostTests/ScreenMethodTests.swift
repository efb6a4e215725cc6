import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct InputTests {
  @Test func framePrecedesTheResponse() async throws {
    let talk = try await Conversation()
    await talk.check(
      [input(1, "text", #""Kim""#), input(2, "text", #""Kim""#)],
      [
        "frame 2 by 1 " + replaced("/screens/1/output/text", #""Kim""#), #"1: {"revision":2}"#,
        #"2: {"revision":2}"#,
      ])
  }

  @Test func missingValueIsNull() async throws {
    let talk = try await Conversation()
    let missing = { (name: String) in call(1, "input", #"{"screen":"1","name":"\#(name)"}"#) }
    await talk.check([missing("text")], [#"1: {"revision":1}"#])
    await talk.check(
      [missing("ask")],
      [
        #"1: {"revision":1}"#,
        "frame 2 by 1 " + replaced("/screens/1/output/text", Self.unsupported),
      ])
    await talk.check(
      [missing("place")],
      [#"1: error -32602 {"path":"/value","expected":"object","found":"nothing"}"#])
  }

  static let unsupported = #""the front end cannot answer \"location\"""#

  @Test(arguments: [
    (#"{"screen":"9","name":"text"}"#, #"1001 {"screen":"9"}"#),
    (#"{"screen":"01","name":"text"}"#, #"1001 {"screen":"01"}"#),
    (#"{"screen":"","name":"text"}"#, #"1001 {"screen":""}"#),
    (#"{"name":"text"}"#, #"-32602 {"path":"/screen","expected":"string","found":"nothing"}"#),
    (
      #"{"screen":1,"name":"text"}"#,
      #"-32602 {"path":"/screen","expected":"string","found":"number"}"#
    ),
    (#"{"screen":"1"}"#, #"-32602 {"path":"/name","expected":"string","found":"nothing"}"#),
    (
      #"{"screen":"1","name":null}"#,
      #"-32602 {"path":"/name","expected":"string","found":"null"}"#
    ),
    (
      #"{"screen":"1","name":"text","settle":1}"#,
      #"-32602 {"path":"/settle","expected":"boolean","found":"number"}"#
    ),
    (
      #"{"screen":"1","name":"text","value":1}"#,
      #"-32602 {"path":"/value","expected":"string","found":"number"}"#
    ),
    (
      #"{"screen":"1","name":"place","value":{"lat":"x"}}"#,
      #"-32602 {"path":"/value/lat","expected":"number","found":"string"}"#
    ),
    (#"["1","text"]"#, #"-32602 {"path":"","expected":"object","found":"array"}"#),
    (
      #"{"screen":"1","name":"text","value":{"a":1,"a":2}}"#,
      #"-32602 {"path":"/value/a","expected":"each key once","found":"a duplicate"}"#
    ),
  ])
  func invalidInputsAreRejected(params: String, error: String) async throws {
    let talk = try await Conversation()
    await talk.check([call(1, "input", params)], ["1: error \(error)"])
  }

  @Test func failingNotificationsSendErrors() async throws {
    let talk = try await Conversation()
    await talk.check(
      [notification("input", #"{"screen":"9","name":"text"}"#)], [#"error 1001 {"screen":"9"}"#])
    await talk.check([notification("input", #"{"screen":"1","name":"text"}"#)], [])
  }

  @Test func unknownInputsListTheKnownOnes() async throws {
    let talk = try await Conversation()
    await talk.check(
      [input(1, "count")],
      [
        """
        1: error 1002 {"screen":"1","inputs":["ask","echo","fail","finish","hold","items","modal","note","place","push",\
        "queue","release","search","sheet","tell","text","tick","wait","work"]}
        """
      ])
  }

  @Test func closedScreensAreUnknown() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "push"), call(2, "navigation/back"))
    await talk.check([input(3, "text", on: 3)], [#"3: error 1001 {"screen":"3"}"#])
  }

  /// Many clients write missing members as null.
  @Test func nullMembersCountAsMissing() async throws {
    let talk = try await Conversation()
    let params = #"{"screen":"1","name":"text","value":null,"settle":null}"#
    await talk.check([call(1, "input", params)], [#"1: {"revision":1}"#])
  }

  @Test func settleWaitsForRunningWork() async throws {
    let talk = try await Conversation()
    await talk.check(
      [input(1, "work", "5", settle: true)],
      [
        "frame 2 by 1 " + replaced("/screens/1/output/count", "1"), #"1: {"revision":2}"#,
      ])
    await talk.check([input(2, "text", settle: true)], [#"2: {"revision":2}"#])
    // The virtual clock does not move by itself.
    await talk.check(
      [input(3, "wait", "100", settle: true), input(4, "search", #""x""#, settle: true)],
      [#"3: {"revision":2}"#, #"4: {"revision":2}"#])
    await talk.check(
      [call(5, "clock/advance", #"{"milliseconds":300}"#)],
      [
        "frame 3 by 3 " + replaced("/screens/1/output/count", "2"),
        "frame 4 by 4 " + replaced("/screens/1/output/found", #""x""#), #"5: {"revision":4}"#,
      ])
  }

  @Test func eventsKeepTheirOrderAndLeaveTheDocument() async throws {
    let talk = try await Conversation()
    let before = talk.replica.document
    await talk.check(
      [input(1, "tell", "1"), input(2, "tell", "1")],
      [
        "frame 2 by 1 1.told 1", #"1: {"revision":2}"#, "frame 3 by 2 1.told 1",
        #"2: {"revision":3}"#,
      ])
    #expect(talk.replica.document == before)
  }

  @Test func uncaughtErrorsAreReported() async throws {
    let talk = try await Conversation()
    await talk.check([input(1, "fail")], [#"1: {"revision":1}"#, "error -32603"])
  }
}

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
  func promptsAreAnsweredOnce(answer: String, patch: String) async throws {
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
      #"-32602 {"path":"/value","expected":"nothing","found":"object"}"#
    ),
    (
      #"{"prompt":"q1"}"#,
      #"-32602 {"path":"/value","expected":"value","found":"nothing"}"#
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
      #"-32602 {"path":"/value","expected":"value","found":"nothing"}"#
    ),
    (
      #"{"prompt":"q1","dismissed":1}"#,
      #"-32602 {"path":"/dismissed","expected":"boolean","found":"number"}"#
    ),
  ])
  func invalidAnswersKeepThePrompt(params: String, error: String) async throws {
    let talk = try await start()
    await talk.check([call(2, "answer", params)], ["2: error \(error)"])
    #expect(talk.prompts == ["q1"])
    await talk.check([call(3, "state/settle")], [#"3: {"revision":2}"#])
  }

  @Test func closingWithdrawsPrompts() async throws {
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

  /// A core with a prompt.
  private func start() async throws -> Conversation {
    let talk = try await Conversation(hello: Self.hello)
    await talk.check([input(1, "ask")], [#"1: {"revision":1}"#, "frame 2 by 1 \(Self.asked)"])
    return talk
  }
}
