internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// The event loop of a core. It waits in one place and handles one event at a time.
///
/// Due work runs before new input, so that a recording does not depend on how the input was split into
/// reads.
@CoreActor
final class EventLoop {
  private enum Event {
    case job
    /// A timer has fired, or a line that has waited for the clock was handled.
    case turn
    case line(LineReader.Line)
    /// A line of an earlier core.
    case replayed(ReplayedLine)
    /// Nothing is due: write the output, then wait.
    case wait
    case end
  }

  private let session: Session
  private let streams: StandardStreams
  private let drain: Duration
  private let recording: Recording?
  /// The session of an earlier core, until it has been repeated. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) private var replay: SessionReplay?
  /// True if a relay notes when the core is at rest.
  private let isWatched: Bool
  private let executor = CoreActor.executor
  @exclusivity(unchecked) private var reader: LineReader
  /// The number of the last line that was handled.
  private var lastLine = 0
  private var inputHasEnded = false
  private var readerIsGone = false
  /// A failure to write the output, other than a reader that is gone.
  private var fault: FileError?
  /// The number of due jobs and timers handled since the last look at the input and output.
  private var dueInARow = 0
  /// The end of the time for draining, after the input has ended.
  private var deadline: Duration?

  init(
    _ session: Session, _ streams: StandardStreams, drain: Duration, recording: Recording?,
    replay: SessionReplay? = nil
  ) {
    self.session = session
    self.streams = streams
    self.drain = drain
    self.recording = recording
    self.replay = replay
    isWatched = replay != nil
    reader = LineReader(limit: session.limits.line)
    if let recording { session.output.onLine = { recording.received($0) } }
  }

  /// Serves until the input has ended and everything is written, the reader is gone, or a signal
  /// arrives.
  /// - Throws: `FileError` if the output or the recording cannot be written, as on a full disk.
  func run() throws(FileError) {
    Signals.watch()
    if measuresTurns {
      executor.onSlowTurn = { [session] time in
        CoreActor.assumeIsolated { session.warnOfSlowTurn(time) }
      }
    }
    streams.stopBlocking()
    Watchdog.start(streams.output, patience: drain)
    replay?.begin(session)
    serving: while true {
      switch nextEvent() {
      case .job: _ = executor.runNextJob()
      case .turn: executor.endTurn()
      case .line(let line): receive(line)
      case .replayed(let line): receive(line)
      case .wait: wait()
      case .end: break serving
      }
    }
    finish()
    if let fault = fault ?? recording?.fault { throw fault }
  }

  /// The number of due jobs and timers in a row before input and output are served again. Work without
  /// an end, such as a reply that arrives faster than it is handled, must not block them. A count, and
  /// not a time, so that a slow machine gives the same output.
  private static let longestRun = 1_000

  private func nextEvent() -> Event {
    if Signals.haveArrived || readerIsGone { return .end }
    if dueInARow < Self.longestRun {
      dueInARow += 1
      if executor.hasJob { return .job }
      if session.fireDueTimer() { return .turn }
    }
    if dueInARow == Self.longestRun { serveStreams(waiting: 0) }
    dueInARow = 0
    if session.handleHeldLine() { return .turn }
    if let replay { return nextEvent(of: replay) }
    if let line = nextLine() { return .line(line) }
    return isDone ? .end : .wait
  }

  @inline(never)
  private func nextEvent(of replay: SessionReplay) -> Event {
    switch replay.next(session) {
    case .line(let line): return .replayed(line)
    case .timer: return session.fireDueTimer() ? .turn : .wait
    case .wait: return .wait
    case .end:
      replay.finish(session)
      self.replay = nil
      return nextEvent()
    }
  }

  private func nextLine() -> LineReader.Line? {
    guard session.canReceive else { return nil }
    return reader.next(atEnd: inputHasEnded)
  }

  // MARK: Events

  private func receive(_ line: LineReader.Line) {
    switch line {
    case .text(let range, let number):
      recording?.skipped(number - lastLine - 1)
      lastLine = number
      reader.withBytes(of: range) { bytes in
        recording?.sent(bytes, afterRest: session.isAtRest)
        if isWatched, session.isAtRest { reportRest(before: number) }
        let start = measuresTurns && !session.log.isEmpty ? Self.now : nil
        session.receive(bytes, line: number)
        if let start, case let time = Self.now - start, time > CoreExecutor.slowTurn {
          session.warnOfSlowTurn(time, handling: bytes)
        }
      }
    case .tooLong(let number): rejectOverlong(number)
    }
    executor.endTurn()
    // A burst of requests fills the pipe while the next ones are handled.
    if session.output.unsentCount >= 1 << 16 { write() }
  }

  @inline(never)
  private func rejectOverlong(_ number: Int) {
    recording?.skipped(number - lastLine)
    lastLine = number
    session.rejectOverlong(line: number)
  }

  @inline(never)
  private func receive(_ line: ReplayedLine) {
    replay?.willSend(line)
    var text = line.text
    text.withUTF8 { session.receive(UnsafeRawBufferPointer($0), line: 0) }
    executor.endTurn()
  }

  private func reportRest(before line: Int) {
    session.output.line {
      $0.notification(CoreLine.restMethod) { $0.json(["line": .int(line)]) }
    }
  }

  /// False on a virtual clock: the log of such a run is the same every time.
  private var measuresTurns: Bool { !session.core.clock.isVirtual }

  // MARK: Waiting

  private func wait() { serveStreams(waiting: executor.hasJob ? 0 : timeout) }

  /// Writes the output, and reads more input.
  /// - Parameter timeout: The milliseconds to wait for either; -1 for as long as it takes.
  @inline(never)
  private func serveStreams(waiting timeout: Int32) {
    if replay == nil { write() }
    let canRead = !inputHasEnded && replay == nil && session.canReceive
    var waits = [
      pollfd(fd: executor.wakes.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: streams.output, events: session.output.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
      pollfd(fd: canRead ? streams.input : -1, events: Int16(POLLIN), revents: 0),
    ]
    if readerIsGone { return }
    Watchdog.loopWillWait()
    let ready = poll(&waits, nfds_t(waits.count), timeout)
    Watchdog.loopDidWait()
    guard ready > 0 else { return }
    if waits[0].revents != 0 { executor.wakes.drain() }
    if waits[1].revents & Int16(POLLERR | POLLHUP) != 0 { readerIsGone = true }
    if waits[1].revents & Int16(POLLOUT) != 0 { write() }
    if waits[2].revents != 0 { read() }
  }

  /// Milliseconds until a timer is due or the draining is over; -1 for never.
  private var timeout: Int32 {
    let clock = session.core.clock
    let timer = clock.isVirtual ? nil : clock.nextDeadline.map { $0 - clock.monotonicNow }
    let end = deadline.map { $0 - Self.now }
    let patience = replay?.deadline.map { $0 - Self.now }
    guard let next = [timer, end, patience].compactMap(\.self).min() else { return -1 }
    return next.pollTimeout
  }

  private func read() {
    let input = streams.input
    let count = reader.read { systemRead(input, $0) }
    if count == 0 || count < 0 && !systemCallShouldRetry {
      inputHasEnded = true
      deadline = Self.now + drain
    }
  }

  private func write() {
    guard !session.output.isEmpty else { return }
    let wasBehind = session.output.isBehind
    session.output.send { bytes in
      let count = systemWrite(streams.output, bytes)
      if count < 0, !systemCallShouldRetry {
        if errno != EPIPE, errno != ECONNRESET { fault = FileError("standard output") }
        readerIsGone = true
      }
      return max(count, 0)
    }
    if wasBehind, !session.output.isBehind { session.publish() }
  }

  // MARK: The end

  private var isDone: Bool {
    if session.isShuttingDown { return true }
    guard inputHasEnded else { return false }
    return session.isAtRest || session.isStuck || Self.now >= deadline!
  }

  /// Flushes the output, and answers the lines that had to wait.
  @inline(never)
  private func finish() {
    var patience: Duration?
    while !readerIsGone {
      session.close()
      if session.handleHeldLine() {
        executor.endTurn()
        continue
      }
      if inputHasEnded, let line = nextLine() {
        receive(line)
        continue
      }
      if session.output.isEmpty { break }
      write()
      // After a signal, wait only for a limited time.
      if Signals.haveArrived, patience == nil { patience = Self.now + drain }
      if let patience, Self.now >= patience { break }
      var wait = pollfd(fd: streams.output, events: Int16(POLLOUT), revents: 0)
      if !session.output.isEmpty { _ = poll(&wait, 1, 100) }
    }
    recording?.finish(exit: fault == nil ? 0 : 1)
    streams.restore()
  }

  /// The machine's time: draining does not depend on an app's virtual clock.
  private static var now: Duration { CoreClock.machineTime }
}
