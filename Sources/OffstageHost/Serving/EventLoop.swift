internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// The event loop of a core. It waits in one place and handles one event at a time.
///
/// Due work runs before new input, so that a recording does not depend on how the input was split
/// into reads.
@CoreActor
final class EventLoop {
  private let session: Session
  private let streams: StandardStreams
  private let recording: Recording?
  /// The session of an earlier core, until it has been replayed. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) private var replay: SessionRestorer?
  private let executor = CoreActor.executor
  private let input: SessionInput
  private var readerIsGone = false
  /// True once the writer of the input is gone, even if a part of the input is still unread.
  private var writerIsGone = false
  /// True once no more input is read.
  private var isFinishing = false
  /// The time at which a reader that takes nothing counts as gone; nil while more input may come.
  private var readerDeadline: Duration?
  /// A failure to write the output, other than for lack of a reader.
  private var fault: FileError?
  /// The number of due jobs and timers handled since the last look at the input and output.
  private var dueInARow = 0

  init(
    _ session: Session, _ streams: StandardStreams, recording: Recording?,
    replay: SessionRestorer? = nil
  ) {
    self.session = session
    self.streams = streams
    self.recording = recording
    self.replay = replay
    input = SessionInput(session)
    if let recording {
      session.output.onLine = { recording.received($0) }
      input.onLine = { recording.sent($0, number: $1, afterRest: session.isAtRest) }
    } else if replay != nil {
      // Tell the relay of `--watch` that nothing was in progress before a line.
      input.onLine = { _, number in
        guard session.isAtRest else { return }
        session.output.line {
          $0.notification(CoreLine.restMethod) { $0.json(["line": .int(number)]) }
        }
      }
    }
  }

  /// Serves until the input has ended and everything is written, the reader is gone, or a signal
  /// arrives.
  /// - Throws: `FileError` if the output or the recording cannot be written, as on a full disk.
  func run() throws(FileError) {
    Signals.watch()
    // On a virtual clock, the log of a run is the same every time.
    if !session.core.clock.isVirtual {
      executor.onSlowTurn = { [session] time in
        CoreActor.assumeIsolated { session.warnOfSlowTurn(time) }
      }
    }
    streams.stopBlocking()
    Watchdog.start(streams.output, patience: session.limits.drain)
    replay?.begin(session)
    while !Signals.haveArrived, !readerIsGone, handleNext() {}
    finish()
    if let fault = fault ?? recording?.fault { throw fault }
  }

  /// Handles due work, or else a line. Without either, writes the output and waits.
  /// - Returns: False at the end.
  @inline(__always)  // On the path of every line.
  private func handleNext() -> Bool {
    if dueInARow < CoreExecutor.longestRun {
      dueInARow += 1
      if executor.hasJob { return executor.runNextJob() }
      if session.fireDueTimer() { return true }
    }
    if dueInARow == CoreExecutor.longestRun { serveStreams(waiting: 0) }
    dueInARow = 0
    if let replay {
      if !input.handleHeld() { handleNext(of: replay) }
      return true
    }
    guard input.handleNext() else {
      if input.isDone { return false }
      wait()
      return true
    }
    // During a burst of requests, let the front end read before the last one is handled.
    if session.output.unsentCount >= 1 << 16 { write() }
    return true
  }

  @inline(never)
  private func handleNext(of replay: SessionRestorer) {
    switch replay.next(session) {
    case .line(var line):
      line.withUTF8 { input.receive(UnsafeRawBufferPointer($0), line: 0) }
      executor.endTurn()
    case .timer: if !session.fireDueTimer() { wait() }
    case .wait: wait()
    case .end:
      replay.finish(session)
      self.replay = nil
    }
  }

  // MARK: Waiting

  private func wait() { serveStreams(waiting: executor.hasJob ? 0 : timeout) }

  /// Writes the output, and reads more input.
  /// - Parameter timeout: The milliseconds to wait for either; -1 for as long as it takes.
  @inline(never)
  private func serveStreams(waiting timeout: Int32) {
    let isServing = replay == nil
    if isServing {
      write()
      giveUpIdleReader()
    }
    let canWrite = isServing && !session.output.isEmpty
    let canRead = isServing && input.canRead && !isFinishing
    // Even without an event to wait for, `poll` reports that the writer is gone.
    let watchesInput = canRead || isServing && !input.hasEnded && !writerIsGone && !isFinishing
    var waits = [
      pollfd(fd: executor.wakes.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: readerIsGone ? -1 : streams.output, events: canWrite ? Int16(POLLOUT) : 0, revents: 0),
      pollfd(
        fd: watchesInput ? streams.input : -1, events: canRead ? Int16(POLLIN) : 0, revents: 0),
    ]
    if readerIsGone, !isFinishing { return }
    Watchdog.loopWillWait()
    let ready = poll(&waits, nfds_t(waits.count), timeout)
    Watchdog.loopDidWait()
    guard ready > 0 else { return }
    if waits[0].revents != 0 { executor.wakes.drain() }
    if waits[1].revents & Int16(POLLERR | POLLHUP) != 0 { readerIsGone = true }
    if waits[1].revents & Int16(POLLOUT) != 0 { write() }
    if waits[2].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { writerIsGone = true }
    if waits[2].revents != 0, canRead { input.read(from: streams.input) }
  }

  /// Milliseconds until something is due; -1 for never.
  private var timeout: Int32 {
    let now = CoreClock.machineTime
    let deadlines = [replay?.deadline, readerDeadline, session.lastWorkDeadline]
    return ([input.timeLeft] + deadlines.map { $0.map { $0 - now } })
      .compactMap(\.self).min()?.pollTimeout ?? -1
  }

  private func write() {
    let (wasBehind, unsentCount) = (session.output.isBehind, session.output.unsentCount)
    if !session.output.flush(to: streams.output) {
      if errno != EPIPE, errno != ECONNRESET { fault = FileError("standard output") }
      readerIsGone = true
    }
    // After a signal, a reader that takes little at a time does not get more time.
    if session.output.unsentCount < unsentCount, !Signals.haveArrived { readerDeadline = nil }
    if wasBehind, !session.output.isBehind { session.publish() }
  }

  /// After the end of the input, gives up a reader that has taken nothing for the time of `--drain`,
  /// but for at least a second.
  private func giveUpIdleReader() {
    guard input.hasEnded || writerIsGone || isFinishing, !session.output.isEmpty else {
      readerDeadline = nil
      return
    }
    let patience = max(session.limits.drain, .seconds(1))
    let now = CoreClock.machineTime
    let deadline = readerDeadline ?? now + patience
    readerDeadline = deadline
    guard now >= deadline else { return }
    readerIsGone = true
    if !Signals.haveArrived {
      fault = FileError(
        description: "standard output was not read for \(patience.components.seconds) s after the "
          + "end of the input; the rest of the output is lost")
    }
  }

  // MARK: The end

  /// Answers the lines that had to wait, lets the app finish its work, and writes the output.
  @inline(never)
  private func finish() {
    // The front end must not see the output of a replay that a signal ends.
    replay?.finish(session)
    replay = nil
    isFinishing = true
    session.close()
    while !readerIsGone {
      // After a signal, handle only the lines received before it.
      if input.hasEnded ? input.handleNext() : input.handleHeld() {
        session.close()
      } else if session.output.isOverfull, !session.isShuttingDown {
        serveStreams(waiting: 100)
      } else {
        break
      }
    }
    session.endApp(by: input.deadline)
    // Even without time left, run what is due.
    var jobs = 0
    while jobs < CoreExecutor.longestRun, executor.runNextJob() { jobs += 1 }
    while !session.hasFinished {
      if !executor.runNextJob(), !session.fireDueTimer() { wait() }
    }
    while !readerIsGone, !session.output.isEmpty { serveStreams(waiting: 100) }
    recording?.finish(exit: fault == nil ? 0 : 1)
    streams.restore()
  }
}
