internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// A session that the loop of the core's thread serves, from its first line to its last.
///
/// Its end has one order, however it comes about: the input ends, a request shuts the core down, a
/// signal arrives, or the reader of the output goes away. See `Phase`.
@CoreActor
final class Connection: Served {
  let session: Session
  let input: SessionInput
  private let transport: any Transport
  /// The session of an earlier core, until it has been replayed. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) private(set) var replay: SessionRestorer?
  @exclusivity(unchecked) private(set) var phase = Phase.serving

  enum Phase {
    case serving
    /// The waiting requests have been answered. The lines that had to wait for the reader follow.
    case closing
    /// All screens have closed. The last work of the app runs, at most until its deadline.
    case finishing
    /// The rest of the output is written.
    case flushing
    case ended
  }

  init(_ session: Session, _ transport: some Transport, replay: SessionRestorer? = nil) {
    self.session = session
    self.transport = transport
    self.replay = replay
    input = SessionInput(session)
    replay?.begin(self)
  }

  var hasEnded: Bool { phase == .ended }

  func handleTimer() -> Bool {
    switch phase {
    case .serving, .finishing: session.fireDueTimer()
    case .closing, .flushing, .ended: false
    }
  }

  func handleNext() -> Bool {
    switch phase {
    case .serving: return serveNext()
    case .closing: return closeNext()
    case .finishing:
      guard session.hasFinished else { return false }
      phase = .flushing
      return true
    case .flushing:
      guard transport.finish(self) else { return false }
      session.detach()
      phase = .ended
      return true
    case .ended: return false
    }
  }

  func addWaits(to waits: inout Waits) {
    transport.addWaits(to: &waits, for: self)
    switch phase {
    case .serving, .finishing:
      let now = CoreClock.machineTime
      let times = [input.timeLeft.map { now + $0 }, replay?.deadline, session.lastWorkDeadline]
      for case let time? in times { waits.end(by: time) }
    case .closing, .flushing, .ended: break
    }
  }

  // MARK: Phases

  /// Handles a line, or else exchanges output and input.
  @inline(__always)  // On the path of every line.
  private func serveNext() -> Bool {
    if transport.isOver { return close() }
    session.checkRest()
    if let replay { return input.handleHeld() || replayNext(replay) }
    guard input.handleNext() else {
      return input.isDone ? close() : transport.exchange(self) || transport.isOver
    }
    // During a burst of requests, let the front end read before the last one is handled.
    if session.publisher.output.unsentCount >= 1 << 16 { _ = transport.exchange(self) }
    return true
  }

  @inline(never)
  private func replayNext(_ replay: SessionRestorer) -> Bool {
    switch replay.next(session) {
    case .line(var line):
      line.withUTF8 { input.receive(UnsafeRawBufferPointer($0), line: 0) }
      return true
    case .timer: return session.fireDueTimer()
    case .wait: return false
    case .end:
      finishReplay()
      return true
    }
  }

  private func finishReplay() {
    replay?.finish(session)
    replay = nil
  }

  @inline(never)
  private func close() -> Bool {
    // The front end must not see the output of a replay that a signal ends.
    finishReplay()
    session.close()
    phase = .closing
    return true
  }

  /// Answers the lines that had to wait, while there is room for the responses.
  private func closeNext() -> Bool {
    if transport.hasReader {
      // After a signal, handle only the lines received before it.
      if input.hasEnded ? input.handleNext() : input.handleHeld() {
        session.close()
        return true
      }
      if session.publisher.output.isOverfull, !session.isShuttingDown {
        return transport.exchange(self)
      }
    }
    session.endApp(by: input.deadline)
    phase = .finishing
    return true
  }
}

/// The bytes in and out of a connection.
@CoreActor
protocol Transport: AnyObject {
  /// True once the connection must end, even if its input has not.
  var isOver: Bool { get }
  /// False once nothing more can be sent.
  var hasReader: Bool { get }

  /// Sends and receives what is possible without waiting.
  /// - Returns: True if there is something new to handle.
  func exchange(_ connection: Connection) -> Bool

  /// Adds what the transport waits for.
  func addWaits(to waits: inout Waits, for connection: Connection)

  /// Sends the rest of the output.
  /// - Returns: True once everything is sent, or nothing more can be.
  func finish(_ connection: Connection) -> Bool
}
