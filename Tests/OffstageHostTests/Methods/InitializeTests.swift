import OffstageJSON
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct InitializeTests {
  @Test func showsTheAppAndSaysWhatItCan() async throws {
    let talk = try await Conversation(hello: nil)
    let lines = await talk.send(
      call(
        1, "initialize",
        """
        {"protocol":1,"client":{"name":"t","version":"0"},"capabilities":["location"],\
        "locale":"ko-KR","timeZone":"Asia/Seoul","else":1}
        """))
    #expect(
      lines == [
        "frame 1 by 1 whole setRoot 1 2",
        """
        1: {"protocol":1,"app":{"name":"desks","version":"1.2"},"revision":1,\
        "limits":{"line":16777216,"depth":512,"inFlight":1024}}
        """,
      ])
    #expect(talk.session.core.capabilities == ["location"])
    #expect(
      try talk.replica.state
        == JSON(
          parsing: """
            {"navigation": {"root": {"type": "tabs", "selected": "a", "tabs": [
               {"id": "a", "title": "A", "icon": "a", "screens": ["1"]},
               {"id": "b", "title": "B", "icon": "b", "screens": ["2"]}]},
               "presented": [], "modals": []},
             "screens": {
               "1": {"kind": "desk", "output": {
                 "text": "", "count": 0, "found": "", "place": null, "items": []}},
               "2": {"kind": "desk", "output": {
                 "text": "", "count": 0, "found": "", "place": null, "items": []}}},
             "prompts": {}}
            """))
  }

  @Test(arguments: [
    ("{}", #"{"path":"/protocol","expected":"integer","found":"nothing"}"#),
    (#"{"protocol":"1"}"#, #"{"path":"/protocol","expected":"integer","found":"string"}"#),
    (#"{"protocol":2}"#, #"{"path":"/protocol","expected":"1","found":"2","versions":[1]}"#),
    (
      #"{"protocol":1,"capabilities":[1]}"#,
      #"{"path":"/capabilities/0","expected":"string","found":"number"}"#
    ),
    (
      #"{"protocol":1,"capabilities":"location"}"#,
      #"{"path":"/capabilities","expected":"array","found":"string"}"#
    ),
    (#"{"protocol":1,"locale":1}"#, #"{"path":"/locale","expected":"string","found":"number"}"#),
    (
      #"{"protocol":1,"client":{"name":1}}"#,
      #"{"path":"/client/name","expected":"string","found":"number"}"#
    ),
  ])
  func refusesWrongParams(params: String, data: String) async throws {
    let talk = try await Conversation(hello: nil)
    await talk.check([call(1, "initialize", params)], ["1: error -32602 \(data)"])
    let lines = await talk.send(call(2, "initialize", #"{"protocol":1}"#))
    #expect(lines.count == 2 && lines[0] == "frame 1 by 2 whole setRoot 1 2", "the next one works")
  }

  @Test func happensOnce() async throws {
    let talk = try await Conversation(hello: nil)
    _ = await talk.send(call(1, "initialize", #"{"protocol":1}"#))
    await talk.check([call(2, "initialize", #"{"protocol":1}"#)], ["2: error -32600"])
  }

  @Test func anyOtherFirstRequestInitializes() async throws {
    for (line, answer) in [
      (call(1, "state/settle"), ["1: {\"revision\":1}"]),
      (call(1, "navigation/back"), ["1: error 1004"]),
      (input(1, "nothing", on: 9), [#"1: error 1001 {"screen":"9"}"#]),
    ] {
      let talk = try await Conversation(hello: nil)
      await talk.check([line], ["frame 1 by 1 whole setRoot 1 2"] + answer)
      await talk.check([call(2, "initialize", #"{"protocol":1}"#)], ["2: error -32600"])
    }
    let talk = try await Conversation(hello: nil)
    await talk.check([notification("state/settle")], ["frame 1 whole setRoot 1 2"])
  }

  @Test func whatIsNoRequestDoesNot() async throws {
    let talk = try await Conversation(hello: nil)
    await talk.check(
      [call(1, "no/such"), "{", "[]", notification("$/cancelRequest", #"{"id":1}"#)],
      [
        "1: error -32601", #"null: error -32700 {"line":2,"offset":1}"#,
        #"null: error -32600 {"line":3}"#,
      ])
  }

  @Test func anAppThatCannotStartSaysSoEachTime() async throws {
    let talk = try await Conversation(["--deterministic", "--root", "broken"], hello: nil)
    await talk.check(
      [call(1, "state/settle"), call(2, "initialize", #"{"protocol":1}"#)],
      ["1: error -32603", "2: error -32603"])
  }
}
