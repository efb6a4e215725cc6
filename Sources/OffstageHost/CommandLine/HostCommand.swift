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
  /// The time after which a session is parked whose front end is connected, but says nothing.
  let idleDelay: Duration
  /// The time after which a parked session is removed.
  let keptTime: Duration
  /// The number of sessions in memory.
  let mostSessions: Int
  let metricsPort: Int?
  /// The number of processes that share the sessions.
  let processes: Int
  /// The part of this one.
  let share: Share

  static let all = [
    Option(
      "listen", .text("ADDRESS"), for: "host",
      help: "where to listen: unix:PATH, or HOST:PORT with --token"),
    Option("token", .text("FILE"), for: "host", help: "a file with what a front end must know"),
    Option(
      "park", .text("SECONDS"), for: "host",
      help: "park a session so long after it was left (default: 60)"),
    Option(
      "idle", .text("SECONDS"), for: "host",
      help: "park a session whose front end is silent so long (default: 600)"),
    Option(
      "keep", .text("DAYS"), for: "host",
      help: "remove a session so long after it was parked (default: 90)"),
    Option(
      "max-sessions", .text("COUNT"), for: "host",
      help: "how many sessions may be in memory (default: 1000)"),
    Option(
      "processes", .text("COUNT"), for: "host",
      help: "share the sessions among so many processes (default: 1)"),
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
    idleDelay = .seconds(try arguments.int("idle", 1...86_400) ?? 600)
    keptTime = .seconds(86_400 * (try arguments.int("keep", 1...36_500) ?? 90))
    metricsPort = try arguments.int("metrics", 0...65_535)
    mostSessions = try arguments.int("max-sessions", 1...1_000_000) ?? 1000
    share = arguments.values["processes"].flatMap(Share.init) ?? .whole
    processes = share == .whole ? try arguments.int("processes", 1...256) ?? 1 : 1
    guard arguments.values["state"] == nil || arguments.values["data"] == nil else {
      throw UsageError("host keeps the data in the directory of --state, too: leave --data out")
    }
    folder =
      try arguments.values["state"] ?? Environment(arguments, info).dataDirectory + "/sessions"
  }

  private static func token(in path: String) throws -> [UInt8] {
    let bytes = try PrivateFiles.read(path)
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
    // Each session has a few descriptors.
    openFileLimit.rlim_cur = openFileLimit.rlim_max
    let streams = StandardStreams()
    let executor = CoreActor.executor
    if options.processes > 1 {
      let processes = try HostProcesses(info, arguments, options)
      Lifeline.hold(streams.input)
      Signals.watch()
      try announce(processes.address, processes.metrics, on: streams)
      return executor.run { processes.hasEnded }
    }
    shareFreeMemory()
    let factory = try SessionFactory(self, arguments)
    try factory.prepareForMany(data: options.folder + "/data")
    let listener = options.share == .whole ? try ListeningSocket(options.address) : nil
    let source =
      listener.map(Door.Source.listener)
      ?? .channel(DescriptorChannel(ChildProcess.inheritedDescriptor))
    let host = try Host(factory, options, source)
    Lifeline.hold(streams.input)
    Signals.watch()
    executor.onTurn = { time in CoreActor.assumeIsolated { host.noteTurn(time) } }
    let metrics = try options.metricsPort.map { try MetricsServer(of: host, info, port: $0).url }
    if let listener {
      try announce(listener.address, metrics.map { [$0] } ?? [], on: streams)
    } else {
      // To the first process, which waits for it.
      try StandardStreams.print(metrics ?? "ready", on: streams.output)
    }
    executor.run { host.hasEnded }
  }

  private func announce(
    _ address: SocketAddress, _ metrics: [String], on streams: StandardStreams
  ) throws(FileError) {
    let places = metrics.isEmpty ? "" : ", and for metrics on \(metrics.joined(separator: ", "))"
    try StandardStreams.print("listening on \(address)\(places)", on: streams.output)
  }

  private func printStatus(_ options: HostOptions) throws {
    var (process, count) = (1, 1)
    while process <= count {
      let status = try status(of: process, options)
      count = status["processes"]?.int ?? 1
      try StandardStreams.print(status.description)
      process += 1
    }
  }

  private func status(of process: Int, _ options: HostOptions) throws -> JSON {
    let descriptor = try connectSocket(to: options.address)
    defer { systemClose(descriptor) }
    var params: JSONObject = ["process": .int(process)]
    params["token"] = options.token.map { .string(String(decoding: $0, as: UTF8.self)) }
    let request: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": .string("\(Greeting.status)"),
      "params": .object(params),
    ]
    Descriptor.writeAll(descriptor, Array((request.description + "\n").utf8))
    var input = LineInput(descriptor)
    let answer = try input.wait().map { try JSON(parsing: $0) }
    guard let status = answer?["result"] else {
      let reason = answer?["error"]?["message"]?.string ?? "the connection has ended"
      throw FileError(description: "\(options.address): \(reason)")
    }
    return status
  }
}

/// Ends a host as a signal does once the program that holds the other end of its input is gone, so that
/// the next host finds the sessions parked.
@CoreActor
private final class Lifeline: Served {
  private let input: Int32

  private init(_ input: Int32) { self.input = input }

  /// Follows an input, if it is a pipe: one that is empty from the start says nothing.
  static func hold(_ input: Int32) {
    var status = stat()
    guard fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    CoreActor.executor.add(Lifeline(input))
  }

  func handleNext() -> Bool { false }

  func addWaits(to waits: inout Waits) {
    guard !Signals.haveArrived else { return }
    waits.add(input, POLLIN) { [self] _ in
      var byte: UInt8 = 0
      // Bytes that arrive have no meaning.
      if withUnsafeMutableBytes(of: &byte, { systemRead(input, $0) }) <= 0 { Signals.end() }
    }
  }
}
