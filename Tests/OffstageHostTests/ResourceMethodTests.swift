import OffstageJSON
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct ResourceTests {
  @Test(arguments: [
    (#"{"uri":"resource:note"}"#, #"{"mimeType":"text/plain","size":5,"base64":"SGVsbG8="}"#),
    (
      #"{"uri":"resource:note","range":{"start":1,"end":3}}"#,
      #"{"mimeType":"text/plain","size":5,"base64":"ZWw="}"#
    ),
    (
      #"{"uri":"resource:note","range":{"start":2,"end":99}}"#,
      #"{"mimeType":"text/plain","size":5,"base64":"bGxv"}"#
    ),
    (
      #"{"uri":"resource:note","range":{"start":9,"end":9}}"#,
      #"{"mimeType":"text/plain","size":5,"base64":""}"#
    ),
    (#"{"uri":"resource:empty"}"#, #"{"mimeType":"text/plain","size":0,"base64":""}"#),
    (#"{"uri":"resource:lost"}"#, #"error 1006 {"uri":"resource:lost"}"#),
    (#"{"uri":"resource:directory"}"#, #"error 1006 {"uri":"resource:directory"}"#),
    (#"{"uri":"resource:"}"#, #"error 1006 {"uri":"resource:"}"#),
    (#"{"uri":"note"}"#, #"error 1006 {"uri":"note"}"#),
    ("{}", #"error -32602 {"path":"/uri","expected":"string","found":"nothing"}"#),
    (
      #"{"uri":"resource:note","range":{"start":-1,"end":3}}"#,
      #"error -32602 {"path":"/range/start","expected":"integer from 0 to 9007199254740992","#
        + #""found":"number","value":-1}"#
    ),
    (
      #"{"uri":"resource:note","range":{"start":3,"end":1}}"#,
      #"error -32602 {"path":"/range/end","expected":"integer from 3 to 9007199254740992","#
        + #""found":"number","value":1}"#
    ),
  ])
  func readReturnsTheRequestedBytes(params: String, expected: String) async throws {
    let talk = try await Conversation()
    let lines = await talk.send(call(1, "resource/read", params))
    #expect(lines.last == "1: \(expected)")
  }

  @Test func readsAreBounded() async throws {
    let talk = try await Conversation()
    talk.put(call(1, "resource/read", #"{"uri":"resource:huge"}"#))
    await talk.turn()
    let line = try #require(talk.session.takeOutput().last)
    #expect(try JSON(parsing: line)["result"]?["size"]?.int == 5 << 20)
    #expect(line.utf8.count < 6 << 20)
    let long = String(repeating: "x", count: 5_000)
    await talk.check(
      [call(2, "resource/read", #"{"uri":"resource:\#(long)"}"#)],
      [#"2: error 1006 {"uri":"resource:\#(long.prefix(4_084))…"}"#])
  }

  @Test func frontEndOnThisMachineGetsThePath() async throws {
    let talk = try await Conversation(hello: call(0, "initialize", #"{"protocol":1,"files":true}"#))
    let read = { (id: Int, path: String) in
      call(id, "resource/read", #"{"uri":"resource:\#(path)"}"#)
    }
    let line = await talk.send(read(1, "this")).last ?? ""
    #expect(line.contains(#""path":"\#(Drawer.file)""#))
    #expect(!line.contains("base64"))
    #expect(await talk.send(read(2, "note")).last?.contains("SGVsbG8=") == true)
  }

  @Test func readingCanBeCanceledAndCountsAsWork() async throws {
    let talk = try await Conversation()
    talk.put(call(1, "resource/read", #"{"uri":"resource:note"}"#), call(2, "state/settle"))
    talk.put(notification("$/cancelRequest", #"{"id":1}"#))
    #expect(talk.pull() == ["1: error -32800"])
    await talk.turn()
    #expect(talk.pull() == [#"2: {"revision":1}"#])
  }
}
