internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

struct HostOptions {
  let address: SocketAddress
  let folder: String
  /// What a front end must know; nil if every front end that can connect is admitted.
  let token: [UInt8]?
  /// The time after which a session that no front end is connected to is parked.
  let parkingDelay: Duration
  /// The time after which a parked session is removed.
  let keptTime: Duration
  /// The number of sessions in memory.
  let mostSessions: Int
  let metricsPort: Int?

  static let all = [
    Option(
      "listen", .text("ADDRESS"), for: "host",
      help: "where to listen: unix:PATH, or HOST:PORT with --token"),
    Option("token", .text("FILE"), for: "host", help: "a file with what a front end must know"),
    Option(
      "park", .text("SECONDS"), for: "host",
      help: "park a session so long after it was left (default: 60)"),
    Option(
      "keep", .text("DAYS"), for: "host",
      help: "remove a session so long after it was parked (default: 90)"),
    Option(
      "max-sessions", .text("COUNT"), for: "host",
      help: "how many sessions may be in memory (default: 1000)"),
    Option(
      "metrics", .text("PORT"), for: "host",
      help: "tell Prometheus the status on http://127.0.0.1:PORT/metrics"),
    Option("status", for: "host", help: "print the status of the host that listens there"),
  ]

  init(_ arguments: Arguments, _ info: AppInfo) throws {
    for option in ["record", "watch", "package", "fresh"]
    where arguments.values[option] != nil {
      throw UsageError("--\(option) is not available with host")
    }
    guard let text = arguments.values["listen"] else {
      throw UsageError("host needs --listen unix:PATH or --listen HOST:PORT")
    }
    guard let address = SocketAddress(text) else {
      throw UsageError("--listen takes unix:PATH or HOST:PORT, not \"\(text)\"")
    }
    self.address = address
    token = try arguments.values["token"].map { try Self.token(in: $0) }
    if case .tcp = address, token == nil {
      throw UsageError(
        "--listen \(address) needs --token FILE: every user of this machine can connect")
    }
    let seconds = try arguments.int("park", 0...86_400) ?? 60
    parkingDelay = .seconds(seconds)
    keptTime = .seconds(86_400 * (try arguments.int("keep", 1...36_500) ?? 90))
    metricsPort = try arguments.int("metrics", 0...65_535)
    mostSessions = try arguments.int("max-sessions", 1...1_000_000) ?? 1000
    guard arguments.values["state"] == nil || arguments.values["data"] == nil else {
      throw UsageError("host keeps the data in the directory of --state, too: leave --data out")
    }
    folder =
      try arguments.values["state"] ?? Environment(arguments, info).dataDirectory + "/sessions"
  }

  private static func token(in path: String) throws -> [UInt8] {
    let bytes = try Descriptor.readFile(path)
    let token = bytes.split(whereSeparator: { $0 <= 0x20 }).first.map { Array($0) } ?? []
    guard token.count >= 16 else {
      throw FileError(description: "\(path): a token has at least 16 characters")
    }
    return token
  }
}

extension Program {
  /// Serves many sessions until a signal arrives, or the end of an input that is a pipe, and all of
  /// them are parked.
  @CoreActor
  func host(_ arguments: Arguments) throws {
    let options = try HostOptions(arguments, info)
    if arguments.values["status"] != nil { return try printStatus(options) }
    shareFreeMemory()
    // Each session has a few descriptors.
    openFileLimit.rlim_cur = openFileLimit.rlim_max
    let streams = StandardStreams()
    let factory = try SessionFactory(self, arguments)
    try factory.prepareForMany(data: options.folder + "/data")
    let host = try Host(factory, options)
    Lifeline.hold(streams.input)
    Signals.watch()
    let executor = CoreActor.executor
    executor.onTurn = { time in CoreActor.assumeIsolated { host.noteTurn(time) } }
    let metrics = try options.metricsPort.map { try MetricsServer(of: host, port: $0) }
    let places = ["\(host.address)"] + [metrics].compactMap { $0.map { "\($0.url)" } }
    try StandardStreams.print(
      "listening on \(places.joined(separator: ", and for metrics on "))", on: streams.output)
    executor.run { host.hasEnded }
  }

  private func printStatus(_ options: HostOptions) throws {
    let descriptor = try connectSocket(to: options.address)
    defer { systemClose(descriptor) }
    var params = JSONObject()
    params["token"] = options.token.map { .string(String(decoding: $0, as: UTF8.self)) }
    let request: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": .string("\(Greeting.status)"),
      "params": .object(params),
    ]
    Descriptor.writeAll(descriptor, Array((request.description + "\n").utf8))
    var input = LineInput(descriptor)
    let answer = try input.wait().map {
      try JSON(parsing: String(decoding: $0, as: UTF8.self))
    }
    guard let status = answer?["result"] else {
      let reason = answer?["error"]?["message"]?.string ?? "the connection has ended"
      throw FileError(description: "\(options.address): \(reason)")
    }
    try StandardStreams.print(status.description)
  }
}

/// Ends a host as a signal does once the program that holds the other end of its input is gone, so that
/// the next host finds the sessions parked.
@CoreActor
private final class Lifeline: Served {
  private let input: Int32
  private var hasEnded = false

  private init(_ input: Int32) { self.input = input }

  /// Follows an input, if it is a pipe: one that is empty from the start says nothing.
  static func hold(_ input: Int32) {
    var status = stat()
    guard fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    CoreActor.executor.add(Lifeline(input))
  }

  func handleNext() -> Bool { false }

  func addWaits(to waits: inout Waits) {
    guard !hasEnded else { return }
    waits.add(input, POLLIN) { [self] _ in
      var byte: UInt8 = 0
      // Bytes that arrive have no meaning.
      guard withUnsafeMutableBytes(of: &byte, { systemRead(input, $0) }) <= 0 else { return }
      hasEnded = true
      kill(getpid(), SIGTERM)
    }
  }
}
