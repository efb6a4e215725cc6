internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// A transport that starts a core as a child process and uses its standard input and output.
///
/// If this process dies, the core's input ends, and the core with it. The core runs in its own
/// session: Ctrl-C in a terminal interrupts only the front end, which then closes the core.
public final class ProcessTransport: Transport {
  /// The id of the child process.
  public var processID: Int32 { child.process.id }

  private let lines: DescriptorTransport
  private let child: Child
  private let grace: Duration

  /// Starts a program.
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: The command-line arguments, without the program's name.
  ///   - grace: How long the core may take to end before it is killed.
  /// - Throws: ``CoreEnded`` if the program cannot be started.
  public init(
    _ path: String, _ arguments: [String] = [], grace: Duration = .seconds(5)
  ) throws(CoreEnded) {
    self.grace = grace
    do {
      let process = try ChildProcess(path, arguments, ownsSession: true, errors: .piped)
      lines = DescriptorTransport(reading: process.output, writing: process.input)
      child = Child(process)
      try child.watch { [channel = lines.channel] in channel.finish() }
    } catch {
      throw CoreEnded(.unavailable("\(error)"))
    }
  }

  public func send(_ line: String) { lines.send(line) }

  public func receive() async -> String? { await lines.receive() }

  /// Ends the core's input, and kills the core if it does not end within the grace period.
  public func close() async {
    await lines.close()
    let killer = Task { [grace, child] in
      try await Task.sleep(for: grace)
      child.abandon()
    }
    _ = await child.end()
    killer.cancel()
  }

  public func end() async -> CoreEnded {
    // A core that has closed its output has nothing left to do.
    await close()
    return await child.end()
  }
}

/// A child process, its end, and the last lines of its standard error.
private final class Child: Sendable {
  let process: ChildProcess
  private let errors: Channel
  private let hasEnded = Mutex(false)
  private let ending: Task<CoreEnded.Reason, Never>
  private let ended: AsyncStream<CoreEnded.Reason>.Continuation
  private let log: Task<[String], Never>

  init(_ process: ChildProcess) {
    self.process = process
    let errors = Channel(reading: process.errors, writing: -1, limit: 1 << 16)
    self.errors = errors
    let (ends, ended) = AsyncStream.makeStream(of: CoreEnded.Reason.self)
    self.ended = ended
    ending = Task { await ends.first { _ in true } ?? .disconnected }
    log = Task {
      var lines: [String] = []
      while let line = await errors.lines.receive() { lines = lines.suffix(19) + [line] }
      return lines
    }
  }

  /// Starts to read the log and, on a thread, to wait for the child to end.
  /// - Throws: `FileError` if the system has no thread for it; the child is then killed.
  func watch(onEnd: @escaping @Sendable () -> Void) throws(FileError) {
    let failure = startThread { [self] in
      // `WNOWAIT` keeps the process id taken until `kill` can no longer use it.
      var information = siginfo_t()
      while waitid(P_PID, id_t(process.id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      reap()
      onEnd()
    }
    errors.start()
    guard failure != 0 else { return }
    abandon()
    reap()
    throw FileError("thread", code: failure)
  }

  func abandon() { hasEnded.withLock { if !$0 { kill(process.id, SIGKILL) } } }

  func end() async -> CoreEnded { CoreEnded(await ending.value, log: await log.value) }

  private func reap() {
    let reason: CoreEnded.Reason = hasEnded.withLock { hasEnded in
      hasEnded = true
      return switch try? process.wait() {
      case .exited(let status): .exited(status: status)
      case .killed(let signal): .killed(signal: signal)
      // Reaped by the system, because this process ignores SIGCHLD.
      case nil: .disconnected
      }
    }
    // A process that the child left behind may still hold the pipe open.
    errors.finish()
    ended.yield(reason)
  }
}
