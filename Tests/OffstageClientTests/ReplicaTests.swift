import Observation
import OffstageJSON
import Testing

@testable import OffstageClient

/// Frames that do not fit, and what the client does about them.
@MainActor
@Suite struct ReplicaTests {
  @Test func gapIsClosedByASnapshot() async throws {
    let script = Script()
    let core = try await script.start()
    let told = core.events(screen: "1", "told")
    script.say(
      Script.frame(
        3, #"[{"op":"replace","path":"/screens/1/output/count","value":3}]"#, event: "told"))
    script.say(Script.frame(4, #"[{"op":"replace","path":"/screens/1/output/count","value":4}]"#))
    let request = try await script.request()
    #expect(request["method"] == "state/snapshot")
    let state = Script.document.replacing(#""count":0"#, with: #""count":4"#)
    script.say(
      #"{"jsonrpc":"2.0","id":\#(request["id"]!),"result":{"revision":4,"state":\#(state)}}"#)
    script.say(Script.frame(5, #"[{"op":"replace","path":"/screens/1/output/count","value":5}]"#))
    let screen = try #require(core.document.screens["1"])
    try await core.until { screen["count"] == 5 }
    #expect(core.document.revision == 5)
    await core.close()
    var revisions: [Int?] = []
    for await event in told { revisions.append(event.int) }
    #expect(revisions == [3])
  }

  /// A snapshot that fails, as when `--watch` takes over, must not leave the old document.
  @Test func aWholeFrameClosesAGap() async throws {
    let script = Script()
    let core = try await script.start()
    let told = core.events(screen: "1", "told")
    script.say(
      Script.frame(
        3, #"[{"op":"replace","path":"/screens/1/output/count","value":3}]"#, event: "told"))
    let request = try await script.request()
    let state = Script.document.replacing(#""count":0"#, with: #""count":9"#)
    script.say(
      Script.frame(9, #"[{"op":"replace","path":"","value":\#(state)}]"#, event: "told"))
    let screen = try #require(core.document.screens["1"])
    try await core.until { screen["count"] == 9 }
    script.say(
      #"{"jsonrpc":"2.0","id":\#(request["id"]!),"error":{"code":-32800,"message":"canceled"}}"#)
    script.say(Script.frame(10, #"[{"op":"replace","path":"/screens/1/output/count","value":10}]"#))
    try await core.until { screen["count"] == 10 }
    await core.close()
    var revisions: [Int?] = []
    for await event in told { revisions.append(event.int) }
    #expect(revisions == [3, 9])
  }

  @Test func screenHasItsURL() async throws {
    let script = Script()
    let core = try await script.start()
    #expect(core.document.screens["1"]?.url == nil)
    let note = #"{"kind":"note","url":"app://note/2","output":{}}"#
    script.say(Script.frame(2, #"[{"op":"add","path":"/screens/2","value":\#(note)}]"#))
    try await core.until { core.document.screens["2"]?.url == "app://note/2" }
    await core.close()
  }

  @Test func patchThatDoesNotFitChangesNothing() async throws {
    let script = Script()
    let core = try await script.start()
    let before = core.document.value
    script.say(
      Script.frame(
        2,
        #"[{"op":"replace","path":"/screens/1/output/count","value":9},{"op":"remove","path":"/no"}]"#
      ))
    _ = try await script.request()
    #expect(core.document.value == before)
    #expect(core.document.screens["1"]?["count"] == 0)
    #expect(core.document.revision == 1)
    await core.close()
  }

  @Test func pendingTextOutlivesOlderFrames() async throws {
    let script = Script()
    let core = try await script.start()
    let field = try #require(core.document.screens["1"]).field("name")
    field.text = "K"
    field.text = "Ki"
    let first = try await script.request()["id"]!.int!
    let second = try await script.request()["id"]!.int!
    script.say(
      Script.frame(
        2, #"[{"op":"replace","path":"/screens/1/fields/name/value","value":"K"}]"#, cause: first))
    try await core.until { core.document.revision == 2 }
    #expect(field.text == "Ki")
    #expect(field.isPending)
    script.say(
      Script.frame(
        3, #"[{"op":"replace","path":"/screens/1/fields/name/value","value":"KI"}]"#, cause: second)
    )
    try await core.until { core.document.revision == 3 }
    // The core has changed what was written.
    #expect(field.text == "KI")
    #expect(!field.isPending)
    await core.close()
  }

  @Test func maskedSecretStaysWhatWasTyped() async throws {
    let script = Script()
    let core = try await script.start()
    let field = try #require(core.document.screens["1"]).field("name")
    let masked = { (revision: Int, cause: Int?) in
      Script.frame(
        revision, #"[{"op":"replace","path":"/screens/1/fields/name/value","value":"••••"}]"#,
        cause: cause)
    }
    script.say(masked(2, nil))
    try await core.until { core.document.revision == 2 }
    #expect(field.text == "")
    field.text = "hunter2"
    script.say(masked(3, try await script.request()["id"]!.int!))
    try await core.until { !field.isPending }
    #expect(field.text == "hunter2")
    script.say(
      Script.frame(4, #"[{"op":"replace","path":"/screens/1/fields/name/value","value":""}]"#))
    try await core.until { core.document.revision == 4 }
    #expect(field.text == "")
    await core.close()
  }

  @Test func newLanguageIsDescribedAgain() async throws {
    let script = Script()
    let core = try await script.start()
    script.say(
      #"{"jsonrpc":"2.0","method":"frame","params":{"revision":2,"schema":"0123456789abcdef"}}"#)
    let request = try await script.request()
    #expect(request["method"] == "rpc.discover")
    script.respond(to: request, #"{"x-screens":{"form":{"title":"양식"}}}"#)
    try await core.until { core.description?["form"].title == "양식" }
    await core.close()
  }

  @Test func invalidLineEndsTheCore() async throws {
    let script = Script()
    let core = try await script.start()
    script.say("nonsense")
    await #expect(throws: CoreEnded.self) { try await core.until { false } }
    #expect(core.ended?.reason == .invalidLine("nonsense"))
    await core.close()
  }

  @Test func eventsOfARepeatedRevisionAreNotDeliveredAgain() async throws {
    let script = Script()
    let core = try await script.start()
    let told = core.events(screen: "1", "told")
    script.say(Script.frame(2, "[]", event: "told"))
    script.say(Script.frame(2, "[]", event: "told"))
    script.say(Script.frame(3, "[]"))
    try await core.until { core.document.revision == 3 }
    await core.close()
    var revisions: [Int?] = []
    for await event in told { revisions.append(event.int) }
    #expect(revisions == [2])
  }

  @Test func writeIsPendingUntilItsOwnFrame() async throws {
    let script = Script()
    let core = try await script.start()
    let screen = try #require(core.document.screens["1"])
    let field = screen.field("name")
    withObservationTracking {
      _ = field.value
    } onChange: {
      MainActor.assumeIsolated { screen.send("press") }
    }
    field.text = "K"
    var ids: [String: Int] = [:]
    for _ in 0..<2 {
      let request = try await script.request()
      ids[request["params"]!["name"]!.string!] = request["id"]!.int
    }
    script.say(Script.frame(2, "[]", cause: ids["press"]))
    try await core.until { core.document.revision == 2 }
    #expect(field.isPending)
    script.say(Script.frame(3, "[]", cause: ids["name"]))
    try await core.until { core.document.revision == 3 }
    #expect(!field.isPending)
    await core.close()
  }

  @Test func contentThatCannotBeEncodedIsReportedAndNotSent() async throws {
    let script = Script()
    let core = try await script.start()
    let field = TypedField<Double>(try #require(core.document.screens["1"]).field("name"))
    field.value = 2
    field.value = .nan
    #expect(field.value == 2)
    #expect(core.problem?.hasPrefix("name: ") == true)
    await core.close()
  }

  private struct Odd: Decodable {
    @MainActor static var attempts = 0

    init(from decoder: any Decoder) throws {
      MainActor.assumeIsolated { Self.attempts += 1 }
      throw DecodingError.valueNotFound(
        Odd.self, .init(codingPath: decoder.codingPath, debugDescription: "never fits"))
    }
  }

  @Test func outputsThatDoNotFitAreDecodedOncePerChange() async throws {
    let script = Script()
    let core = try await script.start()
    let screen = try #require(core.document.screens["1"])
    for _ in 0..<2 { #expect(screen.outputs(as: Odd.self) == nil) }
    #expect(Odd.attempts == 1)
    #expect(core.problem?.contains("never fits") == true)
    script.say(Script.frame(2, #"[{"op":"replace","path":"/screens/1/output/count","value":1}]"#))
    try await core.until { core.document.revision == 2 }
    #expect(screen.outputs(as: Odd.self) == nil)
    #expect(Odd.attempts == 2)
    await core.close()
  }

  @Test func refusedAnswerIsAProblem() async throws {
    let script = Script()
    var options = Options()
    options.handlers["alert"] = { _ in 5 }
    let core = try await script.start(options, Script.asking)
    let answer = try await script.request()
    #expect(answer["method"] == "answer")
    script.refuse(answer, "expected boolean")
    script.say(Script.frame(2, "[]"))
    try await core.until { core.document.revision == 2 }
    #expect(core.problem == "expected boolean (-32602)")
    await core.close()
  }
}
