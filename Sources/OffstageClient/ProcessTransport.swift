internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// A core as a child process, on its standard input and output.
///
/// The core ends with its front end: if this process dies, the core's input ends. It runs in a session
/// of its own, so Ctrl-C in a terminal interrupts the front end, which then closes the core.
public final class ProcessTransport: Transport {
  /// The id of the child process.
  public var processID: Int32 { child.id }

  private let lines: DescriptorTransport
  private let child: Child
  private let grace: Duration

  /// Starts a program.
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: Its command line, without the program's name.
  ///   - grace: The time that the core may take to end before it is killed.
  /// - Throws: ``CoreEnded`` if the program cannot be started.
  public init(
    _ path: String, _ arguments: [String] = [], grace: Duration = .seconds(5)
  ) throws(CoreEnded) {
    self.grace = grace
    var (toChild, fromChild, log): (Pipe, Pipe, Pipe)
    do {
      (toChild, fromChild, log) = (try Pipe(), try Pipe(), try Pipe())
    } catch {
      throw CoreEnded(.unavailable("\(path): \(error)"))
    }
    var actions = spawnFileActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, log.writing, 2)
    var attributes = spawnAttributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, spawnInNewSession)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id = pid_t()
    let failure = posix_spawnp(&id, path, &actions, &attributes, &words, environ)
    for end in [toChild.reading, fromChild.writing, log.writing] { systemClose(end) }
    lines = DescriptorTransport(reading: fromChild.reading, writing: toChild.writing)
    child = Child(id, log: log.reading)
    guard failure == 0 else {
      systemClose(log.reading)
      throw CoreEnded(.unavailable("\(path): \(String(cString: strerror(failure)))"))
    }
    child.watch()
  }

  public func send(_ line: String) { lines.send(line) }

  public func receive() async -> String? { await lines.receive() }

  /// Ends the core's input and waits for its end, then kills it.
  public func close() async {
    await lines.close()
    let killer = Task { [grace, child] in
      try await Task.sleep(for: grace)
      child.kill()
    }
    _ = await child.end()
    killer.cancel()
  }

  public func end() async -> CoreEnded {
    // A core that has closed its output has no more to do.
    await close()
    return await child.end()
  }
}

/// A child process, its end, and the last lines of its standard error.
private final class Child: Sendable {
  private struct State {
    var end: CoreEnded.Reason?
    var log: [String] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let id: pid_t
  private let log: Int32
  private let state = Mutex(State())

  init(_ id: pid_t, log: Int32) { (self.id, self.log) = (id, log) }

  /// Reads the log and waits for the end, on a thread.
  func watch() {
    let isWatched = startThread { [self] in
      readLog()
      // Keeps the process id taken until `kill` can no longer use it.
      var information = siginfo_t()
      while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      finish()
    }
    if isWatched != 0 { kill() }
  }

  func kill() {
    state.withLock { if $0.end == nil { _ = OffstageClient.send(SIGKILL, to: id) } }
  }

  func end() async -> CoreEnded {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.end == nil { state.waiting.append(continuation) }
        return state.end != nil
      }
      if hasEnded { continuation.resume() }
    }
    return state.withLock { CoreEnded($0.end ?? .disconnected, log: $0.log) }
  }

  private func readLog() {
    var reader = LineReader(limit: 1 << 16)
    while true {
      let count = reader.read { systemRead(log, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      while case .text(let range, _)? = reader.next() {
        let line = reader.withBytes(of: range) { String(decoding: $0, as: UTF8.self) }
        state.withLock { $0.log = $0.log.suffix(19) + [line] }
      }
    }
    systemClose(log)
  }

  private func finish() {
    let waiting = state.withLock { state in
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      state.end = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// `kill`, which a method of the same name hides.
private func send(_ signal: Int32, to process: pid_t) -> Int32 { kill(process, signal) }

/// Both ends of a pipe, which child processes do not inherit.
private struct Pipe {
  let reading: Int32
  let writing: Int32

  init() throws(PipeError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PipeError(description: String(cString: strerror(errno))) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}

private struct PipeError: Error, CustomStringConvertible { let description: String }
