internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// Serves an app during development: relays lines between the front end and a core, rebuilds the
/// app when its sources change, and replaces the core with one from the new build.
///
/// The new core replays the session while the old one and the front end wait. Its first frame
/// replaces the document. If the build or the new core fails, the old one keeps serving. A core
/// that crashes is replaced after the next change; until then, requests fail.
@CoreActor
final class Watch: Served {
  private enum Phase {
    case idle
    case building(WatchedBuild)
    /// A core of the new build replays the session.
    case replacing(ChildCore, since: Duration, buildTime: Duration)
  }

  /// The environment variable of a core that a relay starts: the relay's process id, because a
  /// core may inherit the variable from another program.
  private static let variable = "OFFSTAGE_WATCHED"
  private static let interval = Duration.milliseconds(50)
  private static let startPatience = Duration.seconds(30)

  private let name: String
  private let package: WatchedPackage
  private let arguments: [String]
  private let streams = StandardStreams()
  private var input: LineInput
  private var output = OutputQueue()
  private var core: ChildCore
  /// True from the crash of a core until another one takes its place.
  private var hasCrashed = false
  private var retired: [ChildProcess] = []
  private var phase = Phase.idle
  private var journal = SessionJournal()
  private var inputHasEnded = false
  private var signals = 0
  /// The stamps of the sources at the last build and at the last check.
  private var builtSources: Int
  private var seenSources: Int
  private var nextCheck = CoreClock.machineTime

  /// - Parameter arguments: The command line of the core, without the program's name.
  init(_ name: String, _ package: WatchedPackage, _ arguments: [String]) throws {
    self.name = name
    self.package = package
    self.arguments = arguments
    input = LineInput(streams.input)
    builtSources = package.stamp()
    seenSources = builtSources
    core = try Self.start(package, arguments)
    core.send(journal.replay())
  }

  private static func start(
    _ package: WatchedPackage, _ arguments: [String]
  ) throws(FileError) -> ChildCore {
    ChildCore(
      try ChildProcess(
        package.executable, arguments, adding: ["\(variable)=\(getpid())"], ownsSession: true))
  }

  /// True in a core that a relay has started.
  static var hasStartedThis: Bool { Environment.variable(variable) == "\(getppid())" }

  private var isServing: Bool { !core.hasEnded || hasCrashed && !inputHasEnded }

  /// Relays until the core ends or, after a crash, until the input ends.
  /// - Returns: The exit status of the core.
  /// - Throws: `FileError` if it is unknown.
  func run() throws(FileError) -> Int32 {
    Signals.watch(countsOnly: true)
    streams.stopBlocking()
    CoreActor.executor.add(self)
    CoreActor.executor.run { !isServing }
    stopPhase()
    while !output.isEmpty, output.flush(to: streams.output) {
      var room = pollfd(fd: streams.output, events: Int16(POLLOUT), revents: 0)
      if poll(&room, 1, 1000) == 0, Signals.haveArrived { break }
    }
    streams.restore()
    core.close()
    for process in retired { kill(process.id, SIGKILL) }
    return Self.end(like: try core.wait())
  }

  /// If a signal killed the core, ends this process with the same signal.
  private static func end(like end: ProcessEnd) -> Int32 {
    if case .killed(let number) = end {
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
    return end.exitStatus
  }

  // MARK: Waiting

  func handleNext() -> Bool {
    passSignals()
    checkSources()
    retired.removeAll { $0.reapIfEnded() }
    return false
  }

  /// Waits for the next events, at most until the next check.
  func addWaits(to waits: inout Waits) {
    waits.end(by: nextCheck)
    func add(_ descriptor: Int32, _ event: Int32, _ handle: @escaping () -> Void) {
      waits.add(descriptor, event) { [self] _ in if isServing { handle() } }
    }
    // Even without an event to wait for, `poll` reports that the output's reader is gone.
    add(streams.output, output.isEmpty ? 0 : POLLOUT) { [self] in
      if output.isEmpty { stop() } else { flush() }
    }
    if case .replacing(let next, _, _) = phase {
      add(next.process.output, POLLIN) { [self] in readReplacement() }
      if next.hasUnsent { add(next.process.input, POLLOUT) { next.flush() } }
    } else {
      let takesLines = hasCrashed ? !output.isBehind : journal.coreIsReady && !core.isBehind
      if !inputHasEnded, takesLines { add(streams.input, POLLIN) { [self] in readInput() } }
      if !hasCrashed, !output.isBehind {
        add(core.process.output, POLLIN) { [self] in readOutput() }
      }
      if core.hasUnsent { add(core.process.input, POLLOUT) { [core] in core.flush() } }
    }
    if case .building(let build) = phase {
      add(build.process.output, POLLIN) { [self] in read(build) }
    }
  }

  private func passSignals() {
    guard Signals.arrivals > signals else { return }
    if !hasCrashed {
      kill(core.process.id, signals == 0 && Signals.arrivals == 1 ? SIGTERM : SIGKILL)
    }
    signals = Signals.arrivals
    inputHasEnded = true
    stopPhase()
  }

  // MARK: Relaying

  private func readInput() {
    input.read()
    while let line = input.next() { send(line) }
    guard input.hasEnded else { return }
    inputHasEnded = true
    stopPhase()
    core.endInput()
  }

  private func send(_ line: [UInt8]) {
    if hasCrashed { return refuse(String(decoding: line, as: UTF8.self)) }
    journal.sent(line)
    core.send(line)
  }

  private func relay(_ line: [UInt8]) {
    guard journal.received(line) else { return }
    output.write(line)
    flush()
  }

  private func flush() {
    if !output.flush(to: streams.output) { stop() }
  }

  /// Ends the relay, since its output has no reader.
  private func stop() {
    inputHasEnded = true
    core.close()
  }

  // MARK: Crashes

  private func readOutput() {
    core.read(relay)
    if core.hasEnded { noteEnd() }
  }

  /// After a crash, keeps serving until the next change. A core that exits normally ends the relay.
  private func noteEnd() {
    guard journal.coreIsReady, !inputHasEnded, signals == 0 else { return }
    core.close()
    guard case .killed(let number)? = try? core.wait() else { return }
    hasCrashed = true
    let signal = strsignal(number).map { String(cString: $0) } ?? "signal \(number)"
    report(.error, "the core crashed (\(signal)); it starts again with the next change")
    for line in journal.removeUnanswered() { refuse(line) }
  }

  /// Answers the requests in a line with an error.
  private func refuse(_ line: String) {
    let error = RPCError(.internalError, "the core crashed; it starts again with the next change")
    guard let response = Calls.failure(of: line, error) else { return }
    output.write(response)
    flush()
  }

  // MARK: Building

  /// Checks for changes, and builds once two checks in a row find the same sources.
  private func checkSources() {
    let now = CoreClock.machineTime
    guard now >= nextCheck else { return }
    nextCheck = now + Self.interval
    if case .replacing(let next, let start, _) = phase {
      if now - start > Self.startPatience {
        next.close()
        kill(next.process.id, SIGKILL)
        failed(next, "the new core has not started within 30 s")
      }
      return
    }
    guard case .idle = phase, !inputHasEnded, signals == 0 else { return }
    let sources = package.stamp()
    defer { seenSources = sources }
    guard sources != builtSources, sources == seenSources else { return }
    builtSources = sources
    do throws(FileError) {
      phase = .building(try WatchedBuild(package))
    } catch {
      report(.error, "cannot build: \(error)")
    }
  }

  private func read(_ build: WatchedBuild) {
    // The input may have ended at the same time, which cancels the build.
    guard case .building = phase else { return }
    guard let hasSucceeded = build.read() else { return }
    phase = .idle
    guard hasSucceeded else {
      for line in build.lines { StandardStreams.printError(line, timeout: 0) }
      let first = build.lines.first { $0.contains("error: ") }.map { ": \($0)" } ?? ""
      let output = build.lines.joined(separator: "\n")
      return report(.error, "the build failed\(first)", ["output": output])
    }
    guard build.hasChangedProgram || hasCrashed else { return }
    do throws(FileError) {
      let next = try Self.start(package, arguments)
      let now = CoreClock.machineTime
      phase = .replacing(next, since: now, buildTime: now - build.start)
      next.send(journal.replay())
    } catch {
      report(.error, "cannot start the new core: \(error)")
    }
  }

  // MARK: Replacing

  private func readReplacement() {
    guard case .replacing(let next, let start, let buildTime) = phase else { return }
    next.read { line in
      if case .replacing = phase, case .replayed(let result) = CoreLine(line) {
        replace(with: next, result, since: start, buildTime)
      } else {
        relay(line)
      }
    }
    guard next.hasEnded else { return }
    if core === next { return noteEnd() }
    next.close()
    failed(next, "the new core exited while starting")
  }

  private func failed(_ next: ChildCore, _ message: String) {
    retired.append(next.process)
    phase = .idle
    report(.error, message + (hasCrashed ? "" : "; the old one keeps running"))
  }

  private func replace(
    with next: ChildCore, _ result: JSON, since start: Duration, _ buildTime: Duration
  ) {
    if !hasCrashed {
      core.retire()
      retired.append(core.process)
    }
    hasCrashed = false
    core = next
    phase = .idle
    let count = result["lines"]?.int ?? 0
    let reads = journal.replaced(
      afterLines: count, failed: result["failed"]?.array?.compactMap(\.int) ?? [])
    for line in reads { send(line) }
    for failure in result["failures"]?.array ?? [] {
      report(.warning, "replay: \(failure.string ?? "")")
    }
    if journal.isFull {
      let limit = "\(SessionJournal.limit >> 20) MiB"
      report(.warning, "the session is longer than \(limit); the rest was not replayed")
    }
    let replay = result["milliseconds"]?.int ?? 0
    let startTime = Int((CoreClock.machineTime - start).milliseconds) - replay
    report(
      .info,
      "rebuilt in \(buildTime.milliseconds) ms, started in \(startTime) ms, "
        + "replayed \(count) lines in \(replay) ms")
  }

  private func stopPhase() {
    switch phase {
    case .idle: break
    case .building(let build):
      build.cancel()
      retired.append(build.process)
    case .replacing(let next, _, _):
      next.retire()
      retired.append(next.process)
    }
    phase = .idle
  }

  /// Prints a message, and sends it to a front end that asked for the log.
  private func report(_ level: LogLevel, _ message: String, _ data: [String: String] = [:]) {
    StandardStreams.printError("\(name): \(message)", timeout: 0)
    guard let wanted = journal.logLevel, level >= wanted else { return }
    let record = LogRecord(level: level, message: message, data: data)
    output.line { $0.notification("log") { $0.json(record.json) } }
    flush()
  }
}
