import Foundation
import OffstageClient

/// A core with one screen, whose description, outputs, and events a test writes.
@MainActor
final class FakeCore {
  /// The names and the values of the inputs that the front end has sent.
  private(set) var sent: [(name: String, value: Value)] = []
  /// The bytes of every resource, of which a piece has eight.
  var resource = Data()
  /// The bytes after which the pieces are empty.
  var endsAfter = Int.max
  private(set) var pieces: [Range<Int>] = []
  private let description: Value
  private let output: Value
  private let lines: AsyncStream<String>
  private let toFrontEnd: AsyncStream<String>.Continuation
  private var revision = 1

  /// - Parameters:
  ///   - screen: The `inputs`, `outputs`, and `events` of the screen, whose titles are their names.
  ///   - schemas: The types to which they refer.
  init(_ screen: Value, output: Value, schemas: Value = [:]) {
    let members = (screen.members ?? []).map { ($0.name, $0.value) } + [("title", "Fake")]
    description = [
      "x-screens": ["fake": Value(members: members)], "components": ["schemas": schemas],
    ]
    self.output = output
    (lines, toFrontEnd) = AsyncStream.makeStream()
  }

  /// Returns a front end of this core, which has started.
  func start() async throws -> (core: RemoteCore, screen: RemoteScreen) {
    let core = RemoteCore { [self] in
      let lines = lines
      return LineTransport(
        send: { line in Task { @MainActor in self.receive(line) } },
        receive: {
          for await line in lines { return line }
          return nil
        },
        stop: { self.toFrontEnd.finish() })
    }
    try await core.start()
    return (core, core.document.visible[0])
  }

  /// Sends an event of the screen.
  func send(event name: String, _ value: Value) {
    frame([], events: [["screen": "1", "name": Value(name), "value": value]])
  }

  private func frame(_ patch: Value, events: Value = []) {
    write([
      "method": "frame",
      "params": ["revision": Value(revision), "patch": patch, "events": events],
    ])
    revision += 1
  }

  private func receive(_ line: String) {
    guard let request = try? JSONDecoder().decode(Value.self, from: Data(line.utf8)) else { return }
    var result: Value = ["revision": Value(revision)]
    switch request["method"].string {
    case "initialize":
      let document: Value = [
        "navigation": [
          "root": ["type": "stack", "screens": ["1"]], "presented": [], "modals": [],
        ],
        "screens": ["1": ["kind": "fake", "output": output]], "prompts": [:],
      ]
      frame([["op": "replace", "path": "", "value": document]])
    case "rpc.discover": result = description
    case "input": sent.append((request["params"]["name"].string ?? "", request["params"]["value"]))
    case "resource/read": result = piece(from: request["params"]["range"]["start"].int ?? 0)
    default: break
    }
    write(["id": request["id"], "result": result])
  }

  private func piece(from start: Int) -> Value {
    let end = start < endsAfter ? min(start + 8, resource.count) : start
    pieces.append(start..<end)
    return [
      "mimeType": "text/plain", "size": Value(resource.count),
      "base64": Value(resource[start..<end].base64EncodedString()),
    ]
  }

  private func write(_ message: Value) {
    let members = [("jsonrpc", Value("2.0"))] + (message.members ?? []).map { ($0.name, $0.value) }
    toFrontEnd.yield("\(Value(members: members))")
  }
}
