import Foundation
import OffstageJSON
import TestSupport

/// A front end that is connected to the socket of a host.
final class Caller {
  private(set) var descriptor: Int32
  private var lines = LineBuffer()
  /// What it has been shown.
  var replica = Replica()
  /// The session, once `begin` or `resume` has found it.
  private(set) var session = ""

  /// Connects to a Unix socket.
  init(_ path: String) throws {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw PeerError("socket", errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw PeerError(path, errno) }
  }

  deinit { leave() }

  /// Closes the connection.
  func leave() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Sends no more, and reads on.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  func send(_ request: Request) { send("\(request.text)\n") }

  func send(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Returns the next line; nil at the end.
  func line() throws -> JSON? {
    while true {
      if let line = lines.next() {
        return try JSON(parsing: String(decoding: line, as: UTF8.self))
      }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 30_000) > 0 else { throw PeerError("waited in vain for a line") }
      if lines.fill(from: descriptor) <= 0 { return nil }
    }
  }

  /// Sends a request and reads everything up to its response.
  /// - Returns: The response.
  @discardableResult
  func ask(_ request: Request) throws -> JSON {
    send(request)
    while let line = try line() {
      try replica.take(line)
      if line["id"] == request.id { return line }
    }
    throw PeerError("the connection ended without a response to \(request.id)")
  }

  /// Introduces itself.
  /// - Parameters:
  ///   - session: The session to go on with; nil for a new one.
  ///   - revision: The revision of the document that it has.
  ///   - visitor: Whose session it is.
  @discardableResult
  func begin(
    resuming session: String? = nil, at revision: Int = 0, token: String? = nil,
    visitor: String? = nil
  ) throws -> JSON {
    var params: JSONObject = ["protocol": 1]
    params["visitor"] = visitor.map { .string($0) }
    if let session { params["resume"] = ["session": .string(session), "revision": .int(revision)] }
    params["token"] = token.map { .string($0) }
    let response = try ask(Request("hello", "initialize", .object(params)))
    self.session = response["result"]?["session"]?.string ?? ""
    return response
  }

  /// Goes on with the session of another front end, and with its document.
  func resume(_ other: Caller, visitor: String? = nil) throws {
    replica = other.replica
    try begin(resuming: other.session, at: replica.revision, visitor: visitor)
  }
}
