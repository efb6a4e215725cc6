internal import Offstage

/// A session that the loop of the core's thread serves, from its first line to its last.
///
/// Its end has one order, however it comes about: the input ends, a request shuts the core down, a
/// signal arrives, or the reader of the output goes away. See `Phase`. In a host, another front end
/// may go on with the session.
@CoreActor
final class Connection: Served {
  let session: Session
  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) private(set) var input: SessionInput
  @exclusivity(unchecked) private(set) var transport: any Transport
  @exclusivity(unchecked) private(set) var phase = Phase.serving
  var onEnd: () -> Void = {}

  enum Phase {
    case serving
    /// The front end has left, and the session goes on. The rest of the output is written.
    case leaving
    /// The waiting requests have been answered. The lines that had to wait for the reader follow.
    case closing
    /// All screens have closed. The last work of the app runs, at most until its deadline.
    case finishing
    /// The rest of the output is written.
    case flushing
    case ended
  }

  init(_ session: Session, _ transport: some Transport) {
    self.session = session
    self.transport = transport
    input = SessionInput(session)
    let clock = session.core.clock
    // A request advances a virtual clock.
    if !clock.isVirtual { CoreActor.executor.add(clock) }
    CoreActor.executor.add(self)
  }

  func handleNext() -> Bool {
    switch phase {
    case .serving: return serveNext()
    case .leaving:
      if Signals.haveArrived { return close() }
      guard transport.finish(self), let successor = transport.successor else { return false }
      move(to: successor)
    case .closing: return closeNext()
    case .finishing:
      guard session.hasFinished else { return false }
      session.detach()
      CoreActor.executor.remove(session.core.clock)
      phase = .flushing
    case .flushing:
      guard transport.finish(self) else { return false }
      CoreActor.executor.remove(self)
      phase = .ended
      // The loop would keep the core for a turn that nothing else ends.
      CoreActor.executor.endTurn()
      transport.close()
      onEnd()
    case .ended: return false
    }
    return true
  }

  @inline(__always)  // On the path of every line.
  private func serveNext() -> Bool {
    if Signals.haveArrived { return close() }
    session.checkRest()
    session.place?.handleNext(session)
    let isBusy = input.handleNext()
    // During a burst of requests, let the front end read before the last one is handled.
    if isBusy, session.publisher.output.unsentCount < 1 << 16 { return true }
    if !transport.hasReader || !isBusy && input.isDone { return leave() }
    return transport.exchange(self) || isBusy
  }

  /// Ends the session, as a signal does.
  func end() {
    guard phase == .serving || phase == .leaving, close() else { return }
    // The loop may have asked this connection already.
    CoreActor.executor.wake()
  }

  /// Lets another front end go on with the session, or none for a while.
  func move(to next: some Transport) {
    transport.close()
    session.frontEndLeft()
    transport = next
    input = SessionInput(session)
    phase = .serving
  }

  /// True from the end of the session until everything is written.
  var isEnding: Bool {
    switch phase {
    case .serving, .leaving, .ended: false
    case .closing, .finishing, .flushing: true
    }
  }

  /// What comes next, unless a job or timer changes the core before; nil if there is something to do.
  var awaited: Awaited? {
    guard phase == .serving, input.isIdle, session.requests.isEmpty,
      session.publisher.output.isEmpty, session.place?.isQuiet ?? true
    else { return nil }
    return transport.awaited
  }

  @inline(never)
  private func leave() -> Bool {
    guard !session.isShuttingDown, transport.successor != nil else { return close() }
    phase = .leaving
    return true
  }

  @inline(never)
  private func close() -> Bool {
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

  func addWaits(to waits: inout Waits) {
    transport.addWaits(to: &waits, for: self)
    if phase == .serving { session.place?.addWaits(to: &waits) }
    let deadline = phase == .serving ? input.deadline : session.lastWorkDeadline
    if let deadline, phase == .serving || phase == .finishing { waits.end(by: deadline) }
  }
}

/// What a transport waits for.
enum Awaited {
  case input(Int32)
  case time(Duration)
}

/// The bytes in and out of a connection.
@CoreActor
protocol Transport: AnyObject {
  /// False once nothing more can be sent.
  var hasReader: Bool { get }

  /// Sends and receives what is possible without waiting.
  /// - Returns: True if there is something new to handle.
  func exchange(_ connection: Connection) -> Bool

  func addWaits(to waits: inout Waits, for connection: Connection)

  /// Sends the rest of the output.
  /// - Returns: True once everything is sent, or nothing more can be.
  func finish(_ connection: Connection) -> Bool

  /// What makes it do something next; nil if it has to be asked.
  var awaited: Awaited? { get }

  /// What serves the session once this front end has left; nil if the session ends then.
  var successor: (any Transport)? { get }

  /// Releases the descriptors that belong to the transport, once the session has ended or moved on.
  func close()
}

extension Transport {
  var hasReader: Bool { true }
  var awaited: Awaited? { nil }
  var successor: (any Transport)? { nil }
  func close() {}
  func addWaits(to waits: inout Waits, for connection: Connection) {}
}
