internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// Serves an app that is being written: relays lines between the front end and a core, rebuilds the app
/// when its sources change, and replaces the core by one of the new build.
///
/// The new core repeats the session while the old one and the front end wait. Its first frame replaces
/// the document. If the build or the new core fails, the old one serves on.
final class Watch {
  private enum Phase {
    case idle
    case building(Build)
    /// A core of the new build repeats the session.
    case replacing(WatchedCore, Replacement)
  }

  private struct Build {
    let process: ChildProcess
    let start = CoreClock.machineTime
    /// The sources that are being built, and the program before.
    let sources: Int
    let program: Int
    /// The end of the output.
    var output: [UInt8] = []
  }

  private struct Replacement {
    let start = CoreClock.machineTime
    let buildTime: Duration
  }

  /// The environment variable of a core that a relay starts.
  static let variable = "OFFSTAGE_WATCHED"
  private static let interval = Duration.milliseconds(50)
  private static let startPatience = Duration.seconds(30)
  private static let keptOutput = 64 << 10

  private let name: String
  private let package: WatchedPackage
  private let arguments: [String]
  private let streams = StandardStreams()
  private var core: WatchedCore
  private var retired: [ChildProcess] = []
  private var phase = Phase.idle
  private var journal = SessionJournal()
  @exclusivity(unchecked) private var reader = LineReader(limit: 1 << 28)
  @exclusivity(unchecked) private var output = RelayQueue()
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var inputHasEnded = false
  private var signals = 0
  /// The sources that were built last, and those of the last look.
  private var builtSources: Int
  private var seenSources: Int
  private var nextLook = CoreClock.machineTime

  /// - Parameter arguments: the command line of the core, without the program's name.
  init(_ name: String, _ package: WatchedPackage, _ arguments: [String]) throws {
    self.name = name
    self.package = package
    self.arguments = arguments
    builtSources = package.stamp()
    seenSources = builtSources
    core = try WatchedCore(package.executable, arguments)
    core.send(journal.replay())
  }

  /// Returns true in a core that a relay has started, the first time.
  static func hasStartedThis() -> Bool {
    defer { unsetenv(variable) }
    return getenv(variable) != nil
  }

  /// Relays until the core ends.
  /// - Returns: its exit status.
  func run() -> Int32 {
    Signals.watch(countsOnly: true)
    streams.stopBlocking()
    while !core.hasEnded {
      wait()
      passSignals()
      look()
      retired.removeAll { $0.hasEnded() }
    }
    stopPhase()
    while !output.isEmpty, output.flush(to: streams.output) {
      var room = pollfd(fd: streams.output, events: Int16(POLLOUT), revents: 0)
      if poll(&room, 1, 1000) == 0, signals > 0 { break }
    }
    streams.restore()
    core.close()
    for process in retired { kill(process.id, SIGKILL) }
    return Self.end(like: core.process.wait())
  }

  /// Ends this process by the signal that has ended another, if one has.
  private static func end(like status: Int32) -> Int32 {
    let number = status & 0x7F
    if number != 0 {
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
    return ChildProcess.exitStatus(status)
  }

  // MARK: Waiting

  private var isReplacing: Bool {
    if case .replacing = phase { true } else { false }
  }

  private func wait() {
    let none: Int32 = -1
    var (other, otherEvents, building) = (none, Int16(0), none)
    switch phase {
    case .idle: break
    case .building(let build): building = build.process.output
    case .replacing(let next, _):
      other = next.process.output
      otherEvents = next.inputEvents
    }
    let canRead = !inputHasEnded && !isReplacing && journal.coreIsReady && !core.isBehind
    let canRelay = !isReplacing && !output.isBehind
    let current = isReplacing ? none : core.process.input
    var waits = [
      pollfd(fd: CoreActor.executor.wakeDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: streams.output, events: output.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
      pollfd(fd: canRead ? streams.input : none, events: Int16(POLLIN), revents: 0),
      pollfd(fd: canRelay ? core.process.output : none, events: Int16(POLLIN), revents: 0),
      pollfd(fd: core.inputEvents == 0 ? none : current, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      pollfd(fd: building, events: Int16(POLLIN), revents: 0),
      pollfd(fd: none, events: Int16(POLLOUT), revents: 0),
    ]
    if case .replacing(let next, _) = phase, otherEvents != 0 { waits[7].fd = next.process.input }
    guard poll(&waits, nfds_t(waits.count), (nextLook - CoreClock.machineTime).pollTimeout) > 0
    else { return }
    if waits[0].revents != 0 { CoreActor.executor.drainWakes() }
    if waits[1].revents & Int16(POLLERR | POLLHUP) != 0 { return core.close() }
    if waits[1].revents != 0 { flush() }
    if waits[2].revents != 0 { readInput() }
    if waits[3].revents != 0 { core.read(relay) }
    if waits[4].revents != 0 { core.flush() }
    if waits[5].revents != 0 { readReplacement() }
    if waits[6].revents != 0 { readBuild() }
    if waits[7].revents != 0, case .replacing(let next, _) = phase { next.flush() }
  }

  private func passSignals() {
    guard Signals.arrivals > signals else { return }
    kill(core.process.id, signals == 0 && Signals.arrivals == 1 ? SIGTERM : SIGKILL)
    signals = Signals.arrivals
    inputHasEnded = true
    stopPhase()
  }

  // MARK: Relaying

  private func readInput() {
    let count = chunk.withUnsafeMutableBytes { systemRead(streams.input, $0) }
    if count > 0 {
      chunk.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    } else if count == 0 || !Descriptor.shouldRetry {
      inputHasEnded = true
    }
    while let line = inputHasEnded ? reader.next() ?? reader.last() : reader.next() {
      guard case .text(let range, _) = line else { continue }
      send(reader.withBytes(of: range) { Array($0) })
    }
    if inputHasEnded {
      stopPhase()
      core.endInput()
    }
  }

  private func send(_ line: [UInt8]) {
    journal.sent(line)
    core.send(line + [0x0A])
  }

  private func relay(_ line: UnsafeRawBufferPointer) {
    guard journal.received(line) else { return }
    output.append(line)
    flush()
  }

  private func flush() {
    if !output.flush(to: streams.output) { core.close() }
  }

  // MARK: Building

  /// Looks for changes, and builds once two looks have found the same.
  private func look() {
    let now = CoreClock.machineTime
    guard now >= nextLook else { return }
    nextLook = now + Self.interval
    if case .replacing(let next, let replacement) = phase {
      if now - replacement.start > Self.startPatience {
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
    let program = package.executableStamp()
    do throws(FileError) {
      let process = try package.startBuild()
      phase = .building(Build(process: process, sources: sources, program: program))
    } catch {
      report(.error, "cannot build: \(error)")
    }
  }

  private func readBuild() {
    guard case .building(var build) = phase else { return }
    let count = chunk.withUnsafeMutableBytes { systemRead(build.process.output, $0) }
    if count > 0 {
      build.output += chunk[..<count]
      build.output.removeFirst(max(0, build.output.count - Self.keptOutput))
      phase = .building(build)
    } else if count == 0 || !Descriptor.shouldRetry {
      systemClose(build.process.output)
      phase = .idle
      finish(build, status: build.process.wait())
    }
  }

  private func finish(_ build: Build, status: Int32) {
    guard status == 0 else {
      let text = String(decoding: build.output, as: UTF8.self)
      let lines = text.split(separator: "\n")
      for line in lines { StandardStreams.log(Console.escaped(String(line))) }
      let first = lines.first { $0.contains("error: ") }.map { ": \($0)" } ?? ""
      return report(.error, "the build failed\(first)", ["output": text])
    }
    // A comment has changed, or a file that the program does not contain.
    guard package.executableStamp() != build.program else { return }
    do throws(FileError) {
      let next = try WatchedCore(package.executable, arguments)
      phase = .replacing(next, Replacement(buildTime: CoreClock.machineTime - build.start))
      next.send(journal.replay())
    } catch {
      report(.error, "cannot start the new core: \(error)")
    }
  }

  // MARK: Replacing

  private func readReplacement() {
    guard case .replacing(let next, let replacement) = phase else { return }
    next.read { line in
      if case .replacing = phase, case .replayed(let result) = CoreLine(line) {
        replace(by: next, result, replacement)
      } else {
        relay(line)
      }
    }
    guard next.hasEnded, isReplacing else { return }
    next.close()
    failed(next, "the new core ended while it started")
  }

  private func failed(_ next: WatchedCore, _ message: String) {
    retired.append(next.process)
    phase = .idle
    report(.error, "\(message); the old one serves on")
  }

  private func replace(by next: WatchedCore, _ result: JSON, _ replacement: Replacement) {
    core.retire()
    retired.append(core.process)
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
      report(.warning, "replay: only the first \(SessionJournal.limit >> 20) MiB of the session")
    }
    let (build, replay) = (replacement.buildTime.milliseconds, result["milliseconds"]?.int ?? 0)
    let start = Int((CoreClock.machineTime - replacement.start).milliseconds) - replay
    report(
      .info,
      "rebuilt in \(build) ms, started in \(start) ms, replayed \(count) lines in \(replay) ms")
  }

  private func stopPhase() {
    switch phase {
    case .idle: break
    case .building(let build):
      kill(-build.process.id, SIGTERM)
      systemClose(build.process.output)
      retired.append(build.process)
    case .replacing(let next, _):
      next.retire()
      retired.append(next.process)
    }
    phase = .idle
  }

  /// Prints a message, and sends it to a front end that asked for the log.
  private func report(_ level: LogLevel, _ message: String, _ data: [String: String] = [:]) {
    StandardStreams.log(Console.escaped("\(name): \(message)"))
    guard let wanted = journal.logLevel, level >= wanted else { return }
    var writer = JSONWriter()
    writer.notification("log") {
      LogRecord(level: level, message: message, data: data).write(to: &$0)
    }
    output.append(Array(writer.bytes) + [0x0A])
    flush()
  }
}
