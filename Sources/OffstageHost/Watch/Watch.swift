internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// Rebuilds the app when its sources change. The new build then takes the place of the running one,
/// in the same process and with the same standard streams.
///
/// First, the new build is tried: a child process starts from the state of the running core,
/// without a front end. If the build or the trial fails, the running core goes on. Otherwise, its
/// session ends as after a signal, and the process becomes the new build, which gets a `Handover`.
@CoreActor
final class Watch: Served {
  private enum Phase {
    case idle
    case building(WatchedProcess)
    /// A run of the new build from the state of the running core, which ends once it has started.
    case trying(WatchedProcess, buildTime: Duration)
    /// The session ends. Its state is nil until then, and if the app has not been shown.
    case replacing(JSON?)
  }

  private static let interval = Duration.milliseconds(50)
  private static let patience = Duration.seconds(30)

  private let app: AppInfo
  private let package: WatchedPackage
  private let arguments: Arguments
  private let connection: Connection
  private var phase = Phase.idle
  /// The stamps of the sources at the last build and at the last check.
  private var builtSources: Int
  private var seenSources: Int
  /// The stamp of the program before the build.
  private var program = 0
  private var nextCheck = CoreClock.machineTime

  init(
    _ app: AppInfo, _ package: WatchedPackage, _ arguments: Arguments, _ connection: Connection
  ) {
    (self.app, self.package, self.arguments) = (app, package, arguments)
    self.connection = connection
    builtSources = package.stamp()
    seenSources = builtSources
    CoreActor.executor.add(self)
  }

  private var session: Session { connection.session }

  // MARK: The loop

  func handleNext() -> Bool {
    guard connection.phase == .serving, !connection.input.hasEnded else {
      stop()
      return false
    }
    let now = CoreClock.machineTime
    guard now >= nextCheck else { return false }
    nextCheck = now + Self.interval
    switch phase {
    case .idle: checkSources()
    case .building, .replacing: break
    case .trying(let trial, _):
      if now - trial.start > Self.patience { kill(trial.process.id, SIGKILL) }
    }
    return false
  }

  func addWaits(to waits: inout Waits) {
    switch phase {
    case .idle: waits.end(by: nextCheck)
    case .building(let build):
      waits.add(build.process.output, POLLIN) { [self] _ in read(build) }
    case .trying(let trial, let buildTime):
      waits.end(by: nextCheck)
      waits.add(trial.process.output, POLLIN) { [self] _ in read(trial, buildTime) }
    case .replacing: break
    }
  }

  private func stop() {
    switch phase {
    case .idle, .replacing: return
    // Ends the processes that it has started, too.
    case .building(let build): build.cancel(by: SIGTERM)
    case .trying(let trial, _): trial.cancel(by: SIGKILL)
    }
    phase = .idle
  }

  // MARK: Building

  /// Builds once two checks in a row find the same changed sources.
  private func checkSources() {
    let sources = package.stamp()
    defer { seenSources = sources }
    guard sources != builtSources, sources == seenSources else { return }
    builtSources = sources
    program = package.programStamp()
    do throws(FileError) {
      phase = .building(WatchedProcess(try package.startBuild()))
    } catch {
      report(.error, "cannot build: \(error)")
    }
  }

  private func read(_ build: WatchedProcess) {
    guard case .building = phase, let hasSucceeded = build.read() else { return }
    phase = .idle
    guard hasSucceeded else {
      for line in build.lines { StandardStreams.printError(line, timeout: 0) }
      let first = build.lines.first { $0.contains("error: ") }.map { ": \($0)" } ?? ""
      let output = build.lines.joined(separator: "\n")
      return report(.error, "the build failed\(first)", ["output": output])
    }
    // Only comments, or files outside the program, may have changed.
    guard package.programStamp() != program else { return }
    do throws(FileError) { try startTrial(CoreClock.machineTime - build.start) } catch {
      report(.error, "cannot start the new build: \(error)")
    }
  }

  private func startTrial(_ buildTime: Duration) throws(FileError) {
    let state = session.publisher.hasStarted ? session.state : nil
    let request = #"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"# + "\n"
    let descriptor = try Handover(state: state, input: Array(request.utf8)).leave()
    defer { systemClose(descriptor) }
    let words = arguments.words(without: ["watch", "package", "state", "fresh", "drain"])
    let process = try ChildProcess(
      package.executable, ["--drain", "0"] + words,
      adding: ["\(Handover.variable)=\(ChildProcess.inheritedDescriptor)"], inheriting: descriptor,
      ownsSession: true)
    systemClose(process.input)
    phase = .trying(WatchedProcess(process), buildTime: buildTime)
  }

  // MARK: Replacing

  private func read(_ trial: WatchedProcess, _ buildTime: Duration) {
    guard case .trying = phase, let hasSucceeded = trial.read() else { return }
    phase = .idle
    guard hasSucceeded else {
      return report(.error, "the new build does not start; the old one keeps running")
    }
    let time = CoreClock.machineTime - trial.start
    report(
      .info,
      "rebuilt in \(buildTime.milliseconds) ms, tried in \(time.milliseconds) ms")
    phase = .replacing(nil)
    session.onEnd = { [self] in phase = .replacing($0) }
    connection.end()
  }

  /// At the end of the session, becomes the new build, unless the process is to end.
  func finish(_ streams: StandardStreams) throws(FileError) {
    stop()
    guard case .replacing(let state) = phase, !Signals.haveArrived else { return }
    let first = state.map { _ in Array("\(session.resumingLine)\n".utf8) } ?? []
    let handover = Handover(state: state, input: first + connection.input.rest)
    try handover.start(package.executable, arguments.words(without: []), streams)
  }

  /// Prints a message, and sends it to a front end that asked for the log.
  private func report(_ level: LogLevel, _ message: String, _ data: [String: String] = [:]) {
    StandardStreams.printError("\(app.name): \(message)", timeout: 0)
    session.publisher.write(LogRecord(level: level, message: message, data: data))
  }
}
