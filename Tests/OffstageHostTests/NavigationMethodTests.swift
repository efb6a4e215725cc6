import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct NavigationMethodsTests {
  @Test func backClosesTheTopmostScreen() async throws {
    let talk = try await covered()
    let back = { call($0, "navigation/back") }
    let steps = await talk.send((10...14).map(back)).filter { !$0.hasSuffix("]}") }
    #expect(
      steps.map { String($0.split(separator: "]").last ?? "") } == [
        " dismissModal 5", #"10: {"revision":5,"outcome":"done"}"#, " dismiss 4",
        #"11: {"revision":6,"outcome":"done"}"#, " pop 3", #"12: {"revision":7,"outcome":"done"}"#,
        #"13: error 1004 {"screen":"1"}"#, #"14: error 1004 {"screen":"1"}"#,
      ])
    #expect(talk.shape == "a* 1|b 2")
  }

  @Test(arguments: [
    (#"{"screen":"5"}"#, "a* 1 3|b 2|p1 4"),
    (#"{"screen":"4"}"#, "a* 1 3|b 2"),
    (#"{"screen":"3"}"#, "a* 1|b 2"),
    (#"{"presentation":"p1"}"#, "a* 1 3|b 2"),
    (#"{"presentation":"m1"}"#, "a* 1 3|b 2|p1 4"),
  ])
  func dismissClosesTheScreenAndWhatIsAbove(params: String, shape: String) async throws {
    try await check("navigation/dismiss", params, shape)
  }

  @Test(arguments: [
    (#"{"screen":"1"}"#, #"1004 {"screen":"1"}"#),
    (#"{"screen":"9"}"#, #"1001 {"screen":"9"}"#),
    (#"{"presentation":"p9"}"#, #"1004 {"presentation":"p9"}"#),
    ("{}", #"-32602 {"path":"","expected":"a member screen or presentation","found":"nothing"}"#),
    (
      #"{"presentation":"p1","screen":"4"}"#,
      #"-32602 {"path":"/screen","expected":"nothing","found":"string"}"#
    ),
    (
      #"{"presentation":1}"#,
      #"-32602 {"path":"/presentation","expected":"string","found":"number"}"#
    ),
  ])
  func dismissRejectsWhatItCannotClose(params: String, error: String) async throws {
    try await check("navigation/dismiss", params, refused: error)
  }

  @Test(arguments: [
    ("1", "a* 1|b 2"), ("3", "a* 1 3|b 2"), ("2", "a 1 3|b* 2"),
    ("4", "a* 1 3|b 2|p1 4"),
  ])
  func popToUncoversTheScreen(screen: String, shape: String) async throws {
    try await check("navigation/popTo", #"{"screen":"\#(screen)"}"#, shape)
  }

  @Test(arguments: [("9", #"1001 {"screen":"9"}"#), ("5", #"1004 {"screen":"5"}"#)])
  func popToRejectsUnknownScreensAndModals(screen: String, error: String) async throws {
    try await check("navigation/popTo", #"{"screen":"\#(screen)"}"#, refused: error)
  }

  @Test func selectTabSelectsTabsThatNothingCovers() async throws {
    let talk = try await Conversation()
    _ = await talk.send(call(1, "navigation/selectTab", #"{"tab":"b"}"#))
    #expect(talk.shape == "a 1|b* 2")
    // Tabs beneath a sheet or modal are out of reach.
    try await check("navigation/selectTab", #"{"tab":"b"}"#, refused: #"1004 {"tab":"b"}"#)
    try await check("navigation/selectTab", #"{"tab":"a"}"#, refused: #"1004 {"tab":"a"}"#)
    try await check("navigation/selectTab", #"{"tab":"c"}"#, refused: #"1004 {"tab":"c"}"#)
    try await check(
      "navigation/selectTab", "{}",
      refused: #"-32602 {"path":"/tab","expected":"string","found":"nothing"}"#)
  }

  @Test func openedLinkIsOnTopOfItsTab() async throws {
    let talk = try await covered()
    let open = { call($0, "navigation/open", #"{"url":"app://b/desk?x"}"#) }
    _ = await talk.send(open(10))
    #expect(talk.shape == "a 1 3|b* 2 6")
    await talk.check([open(11)], [#"11: {"revision":5,"outcome":"none"}"#])
    for url in ["app://nowhere", "", "app://broken"] {
      try await check(
        "navigation/open", #"{"url":"\#(url)"}"#, refused: #"1004 {"url":"\#(url)"}"#)
    }
  }

  /// `a* 1 3|b 2|p1 4|m1 5`, at revision 4.
  private func covered() async throws -> Conversation {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "push"), input(2, "sheet", on: 3), input(3, "modal", on: 4))
    #expect(talk.shape == "a* 1 3|b 2|p1 4|m1 5")
    return talk
  }

  private func check(
    _ method: String, _ params: String, _ shape: String,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let talk = try await covered()
    let isChange = talk.shape != shape
    let lines = await talk.send(call(10, method, params))
    let outcome = isChange ? "done" : "none"
    #expect(
      lines.last == #"10: {"revision":\#(isChange ? 5 : 4),"outcome":"\#(outcome)"}"#,
      sourceLocation: location)
    #expect(talk.shape == shape, sourceLocation: location)
    await talk.checkReplica()
  }

  private func check(
    _ method: String, _ params: String, refused error: String,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let talk = try await covered()
    let before = talk.replica.document
    await talk.check([call(10, method, params)], ["10: error \(error)"])
    await talk.checkReplica()
    #expect(talk.replica.document == before, sourceLocation: location)
  }
}
