import Foundation
import OffstageSystem
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 with the features that the tests need: GET and POST, persistent
/// connections, chunked bodies, endless bodies, and faults on demand. One thread accepts
/// connections, and each connection has its own thread.
final class LoopbackServer: Sendable {
  /// An observation of the server.
  enum Event: Hashable {
    case received(path: String)
    /// The server has sent its part of a body and sends nothing more.
    case sent(path: String)
    /// The client closed a connection before the end of the response.
    case abandoned(path: String)
    /// The client has not read from an endless body for a while.
    case stalled(path: String)
  }

  let port: LoopbackPort
  let events: AsyncStream<Event>

  private struct State {
    var isStopped = false
    var connections: Set<Int32> = []
    var connectionCount = 0
    var requests: [String] = []
    var received: [LoopbackRequest] = []
    var endlessBytes = 0
    var times: [Event: ContinuousClock.Instant] = [:]
  }

  private let state = Mutex(State())
  private let respond: @Sendable (LoopbackRequest) -> LoopbackReply
  private let listener: Int32
  private let notice: AsyncStream<Event>.Continuation
  private let hasStopped = DispatchSemaphore(value: 0)

  /// - Parameter port: the port of a stopped server to replace it; nil for an unused port.
  init(
    port: LoopbackPort? = nil, respond: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
  ) throws {
    self.respond = respond
    (events, notice) = AsyncStream.makeStream()
    self.port = try port ?? LoopbackPort()
    listener = try self.port.listener()
    Thread.detachNewThread { [self] in acceptAll() }
  }

  var base: URL { URL(string: "http://127.0.0.1:\(port.number)")! }
  /// The targets of all requests, such as `/pokemon?offset=0`.
  var requests: [String] { state.withLock(\.requests) }
  var connectionCount: Int { state.withLock(\.connectionCount) }
  /// All requests.
  var received: [LoopbackRequest] { state.withLock(\.received) }
  /// The bytes of endless bodies that clients have read.
  var endlessBytes: Int { state.withLock(\.endlessBytes) }

  /// Returns the time of an event's first observation, from a thread that no task can block.
  func time(of event: Event) -> ContinuousClock.Instant? { state.withLock { $0.times[event] } }

  private func observe(_ event: Event) {
    state.withLock { if $0.times[event] == nil { $0.times[event] = .now } }
    notice.yield(event)
  }

  /// Waits for an event, and drops the events before it.
  func next(_ expected: Event) async {
    for await event in events where event == expected { return }
  }

  /// Closes all connections and stops listening. Afterwards, connections are refused, but no other
  /// server can take the port while this one exists. A second call has no effect.
  func stop() {
    let (wasStopped, connections) = state.withLock { state in
      defer { state.isStopped = true }
      return (state.isStopped, state.connections)
    }
    if wasStopped { return }
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    // A portable way to wake the accepting thread.
    port.knock()
    hasStopped.wait()
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      let isStopped = state.withLock { state in
        guard !state.isStopped, connection >= 0 else { return true }
        state.connections.insert(connection)
        state.connectionCount += 1
        return false
      }
      if isStopped {
        if connection >= 0 { close(connection) }
        break
      }
      muteSignals(connection)
      Thread.detachNewThread { [self] in serve(connection) }
    }
    close(listener)
    notice.finish()
    hasStopped.signal()
  }

  private func serve(_ connection: Int32) {
    while let request = LoopbackRequest(from: connection) {
      state.withLock { state in
        state.requests.append(request.target)
        state.received.append(request)
      }
      observe(.received(path: request.path))
      guard answer(request, on: connection) else { break }
    }
    // Remove the connection before closing it, since the next one may get the same number.
    _ = state.withLock { $0.connections.remove(connection) }
    close(connection)
  }

  /// - Returns: true if the connection stays open.
  private func answer(_ request: LoopbackRequest, on connection: Int32) -> Bool {
    switch respond(request) {
    case .answer(let answer):
      return sendAll(answer.bytes(length: answer.body.count), to: connection)
    case .truncated(let answer):
      _ = sendAll(answer.bytes(length: answer.body.count + 100), to: connection)
      return false
    case .raw(let text):
      _ = sendAll(Array(text.utf8), to: connection)
      return false
    case .hangUp:
      return false
    case .silence:
      waitForEnd(of: request, on: connection)
      return false
    case .endless:
      sendEndlessly(to: connection, request)
      return false
    case .paced(let size, let count, let interval):
      guard sendAll(chunkedHead("text/plain"), to: connection) else { return false }
      let piece = chunk(Array(repeating: UInt8(ascii: "x"), count: size))
      for _ in 0..<count {
        poll(nil, 0, interval)
        guard sendAll(piece, to: connection) else {
          observe(.abandoned(path: request.path))
          return false
        }
      }
      return sendAll(chunk([]), to: connection)
    case .stream(let contentType, let pieces, let ending):
      guard sendAll(chunkedHead(contentType), to: connection) else { return false }
      for piece in pieces where !sendAll(chunk(Array(piece.utf8)), to: connection) { return false }
      switch ending {
      case .complete: return sendAll(chunk([]), to: connection)
      case .cut: return false
      case .silence:
        observe(.sent(path: request.path))
        waitForEnd(of: request, on: connection)
        return false
      }
    }
  }

  /// Sends at full speed until the client closes the connection.
  private func sendEndlessly(to connection: Int32, _ request: LoopbackRequest) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
    guard sendAll(Array(head.utf8), to: connection) else { return }
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
    var isStalled = false
    while true {
      var descriptor = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
      if poll(&descriptor, 1, 300) == 0 {
        if !isStalled { observe(.stalled(path: request.path)) }
        isStalled = true
        continue
      }
      let count = block.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, sendFlags | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN { continue }
      guard count > 0 else { break }
      state.withLock { $0.endlessBytes += count }
    }
    observe(.abandoned(path: request.path))
  }

  private func waitForEnd(of request: LoopbackRequest, on connection: Int32) {
    var byte: UInt8 = 0
    if recv(connection, &byte, 1, 0) <= 0 { observe(.abandoned(path: request.path)) }
  }

  private func chunkedHead(_ contentType: String) -> [UInt8] {
    let fields = ["Content-Type: \(contentType)", "Transfer-Encoding: chunked"]
    return Array("HTTP/1.1 200 As ordered\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8)
  }

  /// Returns an HTTP chunk. An empty one ends the body.
  private func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }
}

#if canImport(Glibc)
  private let sendFlags = Int32(MSG_NOSIGNAL)
#else
  private let sendFlags: Int32 = 0
#endif

/// Makes writing to a closed connection an error instead of a signal. On Linux, `sendFlags` does
/// that.
private func muteSignals(_ connection: Int32) {
  #if canImport(Darwin)
    var yes: Int32 = 1
    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
  #endif
}

private func sendAll(_ bytes: [UInt8], to connection: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, sendFlags) }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
