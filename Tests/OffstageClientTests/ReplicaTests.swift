import OffstageJSON
import Testing

@testable import OffstageClient

/// Frames that do not fit, and what the client does about them.
@MainActor
@Suite struct ReplicaTests {
  /// A core that says what the test tells it to.
  private final class Script: Sendable {
    private let sent: AsyncStream<String>
    private let requests: AsyncStream<String>.Continuation
    private let lines: AsyncStream<String>
    private let output: AsyncStream<String>.Continuation

    init() {
      (sent, requests) = AsyncStream.makeStream()
      (lines, output) = AsyncStream.makeStream()
    }

    /// The next request of the client.
    func request() async throws -> JSON {
      try JSON(parsing: await sent.first { _ in true } ?? "")
    }

    func say(_ line: String) { output.yield(line) }

    var transport: LineTransport {
      LineTransport(
        send: { [requests] in requests.yield($0) },
        receive: { [lines] in await lines.first { _ in true } },
        stop: { [output] in output.finish() })
    }
  }

  private func frame(
    _ revision: Int, _ patch: String, cause: Int? = nil, event: String? = nil
  ) -> String {
    let cause = cause.map { ",\"cause\":\($0)" } ?? ""
    let events =
      event.map { #","events":[{"screen":"1","name":"\#($0)","value":\#(revision)}]"# } ?? ""
    return
      #"{"jsonrpc":"2.0","method":"frame","params":{"revision":\#(revision)\#(cause),"patch":\#(patch)\#(events)}}"#
  }

  private static let document = #"""
    {"navigation":{"root":{"type":"stack","screens":["1"]},"presented":[],"modals":[]},
    "screens":{"1":{"kind":"form","output":{"count":0},
    "fields":{"name":{"value":null,"error":null}}}},"prompts":{}}
    """#.replacing("\n", with: "")

  private func start(_ script: Script) async throws -> Core {
    let core = Core { script.transport }
    async let start: Void = core.start()
    for _ in 0..<2 {
      let request = try await script.request()
      let id = request["id"]!
      if request["method"] == "initialize" {
        script.say(frame(1, #"[{"op":"replace","path":"","value":\#(Self.document)}]"#))
      }
      script.say(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
    }
    try await start
    return core
  }

  @Test func gapIsClosedByASnapshot() async throws {
    let script = Script()
    let core = try await start(script)
    let told = core.events(screen: "1", "told")
    script.say(
      frame(3, #"[{"op":"replace","path":"/screens/1/output/count","value":3}]"#, event: "told"))
    script.say(frame(4, #"[{"op":"replace","path":"/screens/1/output/count","value":4}]"#))
    let request = try await script.request()
    #expect(request["method"] == "state/snapshot")
    let state = Self.document.replacing(#""count":0"#, with: #""count":4"#)
    script.say(
      #"{"jsonrpc":"2.0","id":\#(request["id"]!),"result":{"revision":4,"state":\#(state)}}"#)
    script.say(frame(5, #"[{"op":"replace","path":"/screens/1/output/count","value":5}]"#))
    let screen = try #require(core.document.screens["1"])
    try await core.until { screen["count"] == 5 }
    #expect(core.document.revision == 5)
    await core.close()
    var revisions: [Int?] = []
    for await event in told { revisions.append(event.int) }
    #expect(revisions == [3])
  }

  @Test func patchThatDoesNotFitChangesNothing() async throws {
    let script = Script()
    let core = try await start(script)
    let before = core.document.value
    script.say(
      frame(
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
    let core = try await start(script)
    let field = try #require(core.document.screens["1"]).field("name")
    field.text = "K"
    field.text = "Ki"
    let first = try await script.request()["id"]!.int!
    let second = try await script.request()["id"]!.int!
    script.say(
      frame(
        2, #"[{"op":"replace","path":"/screens/1/fields/name/value","value":"K"}]"#, cause: first))
    try await core.until { core.document.revision == 2 }
    #expect(field.text == "Ki")
    #expect(field.isPending)
    script.say(
      frame(
        3, #"[{"op":"replace","path":"/screens/1/fields/name/value","value":"KI"}]"#, cause: second)
    )
    try await core.until { core.document.revision == 3 }
    // The core has changed what was written.
    #expect(field.text == "KI")
    #expect(!field.isPending)
    await core.close()
  }

  @Test func invalidLineEndsTheCore() async throws {
    let script = Script()
    let core = try await start(script)
    script.say("nonsense")
    await #expect(throws: CoreEnded.self) { try await core.until { false } }
    #expect(core.ended?.reason == .invalidLine("nonsense"))
    await core.close()
  }
}
