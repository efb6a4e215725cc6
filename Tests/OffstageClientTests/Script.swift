import OffstageClient
import OffstageJSON

/// A core that sends the test's lines.
final class Script: Sendable {
  private let sent: AsyncStream<String>
  private let requests: AsyncStream<String>.Continuation
  private let lines: AsyncStream<String>
  private let output: AsyncStream<String>.Continuation

  init() {
    (sent, requests) = AsyncStream.makeStream()
    (lines, output) = AsyncStream.makeStream()
  }

  /// Returns the next request of the client.
  func request() async throws -> JSON {
    try JSON(parsing: await sent.first { _ in true } ?? "")
  }

  func say(_ line: String) { output.yield(line) }

  /// Ends the connection.
  func hangUp() { output.finish() }

  var transport: LineTransport {
    LineTransport(
      send: { [requests] in requests.yield($0) },
      receive: { [lines] in await lines.first { _ in true } },
      stop: { [output] in output.finish() })
  }

  /// Responds to the initial requests, and sends a document.
  func introduce(_ document: String = Script.document) async throws {
    respond(to: try await request(), "{}")
    let discover = try await request()
    say(Self.frame(1, #"[{"op":"replace","path":"","value":\#(document)}]"#))
    respond(to: discover, "{}")
  }

  func respond(to request: JSON, _ result: String) {
    say(#"{"jsonrpc":"2.0","id":\#(request["id"] ?? .null),"result":\#(result)}"#)
  }

  func refuse(_ request: JSON, _ message: String) {
    say(
      #"{"jsonrpc":"2.0","id":\#(request["id"] ?? .null),"error":{"code":-32602,"message":"\#(message)"}}"#
    )
  }

  /// A started core.
  @MainActor
  func start(_ options: Options = Options(), _ document: String = Script.document) async throws
    -> RemoteCore
  {
    let core = RemoteCore(options: options) { self.transport }
    async let start: Void = core.start()
    try await introduce(document)
    try await start
    return core
  }

  static func frame(
    _ revision: Int, _ patch: String, cause: Int? = nil, event: String? = nil
  ) -> String {
    let cause = cause.map { ",\"cause\":\($0)" } ?? ""
    let events =
      event.map { #","events":[{"screen":"1","name":"\#($0)","value":\#(revision)}]"# } ?? ""
    return
      #"{"jsonrpc":"2.0","method":"frame","params":{"revision":\#(revision)\#(cause),"patch":\#(patch)\#(events)}}"#
  }

  static let document = #"""
    {"navigation":{"root":{"type":"stack","screens":["1"]},"presented":[],"modals":[]},
    "screens":{"1":{"kind":"form","output":{"count":0},
    "fields":{"name":{"value":null,"error":null}}}},"prompts":{}}
    """#.replacing("\n", with: "")

  /// The same document with an alert.
  static let asking = document.replacing(
    #""prompts":{}"#, with: #""prompts":{"q1":{"kind":"alert","screen":"1","params":{}}}"#)
}
