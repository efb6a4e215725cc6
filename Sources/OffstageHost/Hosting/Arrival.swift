internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// A connection to a host until its first line says which session it is for.
@CoreActor
final class Arrival: Served {
  let socket: Int32
  private let reception: Reception
  private var reader = LineReader(limit: longestGreeting)
  /// Everything that has been read, for the session.
  private(set) var bytes: [UInt8] = []
  private var hasEnded = false
  private var phase = Phase.greeting

  private enum Phase {
    /// The first line has not come yet.
    case greeting
    /// It waits for another session to end.
    case waiting(Greeting)
    /// It has been answered. To close the socket with unread lines in it could lose the answer.
    case answered
    /// The session has the socket, or it is closed.
    case over
  }

  /// The time at which an idle connection is closed.
  private var deadline = CoreClock.machineTime + .seconds(60)

  /// The length of a first line, in bytes. The sender is still unknown, so it is short.
  private static let longestGreeting = 1 << 16

  /// True until the first line has come.
  var isSilent: Bool { if case .greeting = phase { true } else { false } }

  /// True while it has to wait for a session.
  var isWaiting: Bool { if case .waiting = phase { true } else { false } }

  /// - Parameter bytes: What has been read from the socket.
  init(_ socket: Int32, _ bytes: [UInt8], _ reception: Reception) {
    (self.socket, self.reception) = (socket, reception)
    CoreActor.executor.add(self)
    append(bytes)
  }

  /// A front end that has said something after its session was parked.
  /// - Parameter greeting: What its first line would say.
  init(_ socket: Int32, _ bytes: [UInt8], _ reception: Reception, returningBy greeting: Greeting) {
    (self.socket, self.bytes, self.reception) = (socket, bytes, reception)
    phase = .waiting(greeting)
    CoreActor.executor.add(self)
  }

  private func append(_ more: [UInt8]) {
    bytes += more
    more.withUnsafeBytes { reader.append($0) }
  }

  func handleNext() -> Bool {
    if CoreClock.machineTime >= deadline { close() }
    switch phase {
    case .greeting:
      switch reader.next(atEnd: hasEnded) {
      case .text(let range, _):
        let greeting = reader.withBytes(of: range) { Greeting($0) }
        phase = .waiting(greeting)
      case .tooLong:
        return refuse(
          .null,
          RPCError(.parseError, "the first line is longer than \(Self.longestGreeting) bytes"))
      case nil:
        if hasEnded { close() }
        return hasEnded
      }
      return true
    case .waiting(let greeting): return reception.admit(self, greeting)
    case .answered:
      if hasEnded { close() }
      return hasEnded
    case .over: return false
    }
  }

  func addWaits(to waits: inout Waits) {
    waits.end(by: deadline)
    guard !hasEnded, bytes.count <= Self.longestGreeting else { return }
    waits.add(socket, POLLIN) { [self] _ in read() }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    let count = chunk.withUnsafeMutableBytes { systemRead(socket, $0) }
    if count == 0 || count < 0 && !systemCallShouldRetry { hasEnded = true }
    guard count > 0 else { return }
    switch phase {
    case .greeting: append(Array(chunk[..<count]))
    case .waiting: bytes += chunk[..<count]
    case .answered, .over: break
    }
  }

  /// Answers the first line, and ends the connection.
  /// - Parameter id: nil for a notification, which gets no answer.
  func answer(_ id: RPCID?, _ result: JSON) -> Bool {
    end(id) { $0.endResponse { $0.json(result) } }
  }

  /// Answers the first line with an error, and ends the connection.
  /// - Parameter id: nil for a notification, which gets no answer.
  func refuse(_ id: RPCID?, _ error: RPCError) -> Bool {
    end(id) { $0.endResponse(error) }
  }

  private func end(_ id: RPCID?, with write: (inout JSONWriter) -> Void) -> Bool {
    if let id {
      var writer = JSONWriter()
      writer.beginResponse(to: id)
      write(&writer)
      writer.endLine()
      Descriptor.writeAll(socket, Array(writer.bytes), timeout: 0)
    }
    shutdown(socket, Int32(SHUT_WR))
    (phase, bytes) = (.answered, [])
    deadline = CoreClock.machineTime + .seconds(5)
    return true
  }

  /// Leaves the socket, and what has been read from it, to a session.
  func handOver() -> (socket: Int32, bytes: [UInt8], hasEnded: Bool) {
    leave()
    return (socket, bytes, hasEnded)
  }

  func close() {
    if case .over = phase { return }
    leave()
    systemClose(socket)
  }

  private func leave() {
    phase = .over
    CoreActor.executor.remove(self)
    reception.left(self)
  }
}

/// What the first line of a connection to a host says.
struct Greeting {
  /// nil for a notification; null for a line that is not a request.
  private(set) var id: RPCID? = .null
  /// The session to go on with; nil for a new one.
  private(set) var session: String?
  /// Whose session it is; nil if the front end does not say.
  private(set) var visitor: String?
  private(set) var asksForStatus = false
  /// The number of the process whose status it asks for.
  private(set) var process = 1
  private var token: [UInt8] = []
  /// The line that resumes the session of a front end that has been admitted before; nil for another
  /// front end.
  private(set) var resumingLine: [UInt8]?

  init(returningTo key: SessionKey, by resumingLine: [UInt8]) {
    (id, session, visitor) = (nil, key.id, key.visitor)
    self.resumingLine = resumingLine
  }

  /// Reads a line. One that says nothing about a session is left to a new session to answer.
  init(_ line: UnsafeRawBufferPointer) {
    let text = JSONText()
    guard (try? text.read(line, depth: 512)) != nil else { return }
    text.withRoot { root in
      guard !root.isArray, let call = try? RPCCall(root, line: 1) else { return }
      id = call.id
      asksForStatus = call.method.equals(Self.status)
      guard asksForStatus || call.method.equals("initialize"), let params = call.params,
        params.isObject
      else { return }
      token = params.member("token")?.string.map { Array($0.utf8) } ?? []
      visitor = params.member("visitor")?.string
      session = params.member("resume")?.member("session")?.string
      process = params.member("process").map { $0.int ?? 0 } ?? 1
    }
  }

  static let status: StaticString = "host/status"

  /// Compares in the same time for every wrong token.
  func has(_ expected: [UInt8]) -> Bool {
    if resumingLine != nil { return true }
    guard token.count == expected.count else { return false }
    return zip(token, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
