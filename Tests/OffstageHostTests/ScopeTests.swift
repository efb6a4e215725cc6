import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct ScopeTests {
  @Test func scopeIsTheScreenApp() async throws {
    let talk = try await Conversation()
    await talk.check(
      [input("open", "false", 1)],
      [
        "frame 2 by 1 " + replaced("/app/output/isOpen", "false") + " app.rang 1",
        #"1: {"revision":2}"#,
      ])
    await talk.check(
      [input("nothing", "1", 2), OffstageHostTests.input(3, "text", on: 0)],
      [
        #"2: error 1002 {"screen":"app","inputs":["badge","open"]}"#,
        #"3: error 1001 {"screen":"0"}"#,
      ])
    await talk.check(
      [call(4, "navigation/popTo", #"{"screen":"app"}"#)], [#"4: error 1004 {"screen":"app"}"#])
    await talk.checkReplica()
  }

  @Test func badgesAreOnTheTabs() async throws {
    let talk = try await Conversation()
    let badge = { (value: String) in replaced("/navigation/root/tabs/1/badge", value) }
    await talk.check(
      [input("badge", #""3""#, 1), input("badge", #""3""#, 2), input("badge", "null", 3)],
      [
        "frame 2 by 1 " + badge(#""3""#), #"1: {"revision":2}"#, #"2: {"revision":2}"#,
        "frame 3 by 3 " + badge("null"), #"3: {"revision":3}"#,
      ])
    await talk.checkReplica()
  }

  @Test func linksWaitUntilTheAppIsReady() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input("open", "false", 1))
    let open = { call($0, "navigation/open", #"{"url":"app://b/desk"}"#) }
    await talk.check(
      [open(2), call(3, "navigation/open", #"{"url":"app://nowhere"}"#)],
      [#"2: {"revision":2,"outcome":"asked"}"#, #"3: error 1004 {"url":"app://nowhere"}"#])
    #expect(talk.shape == "a* 1|b 2")
    // The link that leads nowhere has not taken its place.
    var lines = await talk.send(input("open", "true", 4))
    #expect(talk.shape == "a 1|b* 2 3")
    #expect(lines.last?.contains(" by 2 ") == true)
    _ = await talk.send(
      call(9, "navigation/back"), input("open", "false", 5), open(6), open(7))
    #expect(talk.shape == "a 1|b* 2")
    lines = await talk.send(input("open", "true", 8))
    #expect(talk.shape == "a 1|b* 2 4", "only the newest is opened")
    #expect(lines.last?.contains(" by 7 ") == true)
    await talk.checkReplica()
  }

  private func input(_ name: String, _ value: String, _ id: Int) -> String {
    call(id, "input", #"{"screen":"app","name":"\#(name)","value":\#(value)}"#)
  }
}
