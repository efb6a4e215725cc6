internal import OffstageSystem
internal import OffstageTranscripts
internal import Synchronization

/// An HTTP server on this machine that responds with the `@ ` lines of a transcript.
///
/// It keeps its port from run to run, so that a core's cached URLs stay valid. Each response is
/// given once, in order, to a request with its method and target.
final class ScriptedServer: Sendable {
  private let listener: ListeningSocket
  private struct State {
    var responses: [ScriptedResponse] = []
    var unexpected: [String] = []
  }

  private let state = Mutex(State())

  init() throws {
    listener = try ListeningSocket(.tcp(host: "127.0.0.1", port: "0"))
    let failure = startThread { [self] in serve() }
    guard failure == 0 else { throw FileError("scripted server", code: failure) }
  }

  func expect(_ responses: [ScriptedResponse]) {
    state.withLock { $0 = State(responses: responses) }
  }

  /// Ends a run.
  /// - Returns: The line numbers of the unused responses, and the requests without a response.
  func finish() -> (unused: [Int], unexpected: [String]) {
    state.withLock { ($0.responses.map(\.line), $0.unexpected) }
  }

  func stop() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

  /// The address in a core's output. Transcripts contain ``name`` instead.
  var address: String { "\(listener.address)" }
  static let name = "server"

  private func serve() {
    while true {
      var waiting = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&waiting, 1, -1)
      if let connection = listener.accept() {
        _ = fcntl(connection, F_SETFL, 0)
        if startThread({ [self] in respond(on: connection) }) != 0 { systemClose(connection) }
      } else if errno == EMFILE || errno == ENFILE {
        // The request waits until the process has a descriptor for it.
        _ = poll(nil, 0, 10)
      } else if errno != ECONNABORTED, !systemCallShouldRetry {
        return
      }
    }
  }

  private func respond(on connection: Int32) {
    defer { systemClose(connection) }
    guard let request = Self.request(on: connection) else { return }
    let response = state.withLock { state -> ScriptedResponse? in
      let index = state.responses.firstIndex { $0.method + " " + $0.target == request }
      if index == nil { state.unexpected.append(request) }
      return index.map { state.responses.remove(at: $0) }
    }
    let message = (response ?? ScriptedResponse.notFound).message
    if let message { Descriptor.writeAll(connection, message, timeout: 10_000) }
    // Read the rest, since closing with unread input resets the connection.
    shutdown(connection, Int32(SHUT_WR))
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  /// Reads a request with its body.
  /// - Returns: Its method and target, such as `GET /pokemon?limit=20`.
  private static func request(on connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while bytes.count < 1 << 24 {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length = head.split(separator: "\r\n").lazy
          .filter { $0.lowercased().hasPrefix("content-length:") }
          .compactMap { Int($0.dropFirst(15).drop { $0 == " " }) }.first
        if bytes.count - end.upperBound >= length ?? 0 {
          return head.split(separator: " ").prefix(2).joined(separator: " ")
        }
      }
      let count = chunk.withUnsafeMutableBytes { systemRead(connection, $0) }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
    return nil
  }
}

extension ScriptedResponse {
  /// The bytes of the response; nil to close the connection without one.
  fileprivate var message: [UInt8]? {
    guard let status else { return nil }
    let type =
      switch body.first {
      case UInt8(ascii: "{"), UInt8(ascii: "["): "application/json"
      // `data:` begins a server-sent event.
      case UInt8(ascii: "d"): "text/event-stream"
      default: "text/plain"
      }
    let head =
      ["HTTP/1.1 \(status) Scripted", "Content-Type: \(type)", "Content-Length: \(body.count)"]
      + ["Connection: close"] + headers
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}

/// A target with a scripted server. Its output lines name the server as transcripts do.
struct ServedTarget: TranscriptTarget {
  let target: any TranscriptTarget
  let server: ScriptedServer

  func send(_ bytes: [UInt8]) async throws { try await target.send(bytes) }

  func settle() async throws -> [String] { named(try await target.settle()) }

  func close() async throws -> TranscriptOutput {
    var output = try await target.close()
    output.blocks = output.blocks.map(named)
    (output.unused, output.unexpected) = server.finish()
    return output
  }

  private func named(_ lines: [String]) -> [String] {
    lines.map { $0.replacing(server.address, with: ScriptedServer.name) }
  }
}
