internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// Two descriptors as the transport of a core: the standard streams of a program, or a socket. They
/// are written and read when the loop waits.
@CoreActor
final class StreamTransport: Transport {
  let source: Int32
  private let target: Int32
  private let session: Session
  /// Called once the connection of a socket is over; returns what serves the session then.
  private let afterwards: (() -> any Transport)?
  /// The input to read once there is more; nil while it cannot take more.
  private var reading: SessionInput?
  private(set) var hasReader = true
  /// True once the writer of the input is gone, even if a part of the input is still unread.
  private var writerIsGone = false
  /// The time at which a reader that takes nothing counts as gone; nil while more input may come.
  private var readerDeadline: Duration?
  /// A failure to write the output, other than for lack of a reader.
  private(set) var fault: FileError?
  private var isReleased = false

  /// - Parameter target: Is closed once the front end has left, if there is something afterwards.
  init(
    _ source: Int32, _ target: Int32, _ session: Session,
    afterwards: (() -> any Transport)? = nil
  ) {
    (self.source, self.target, self.session) = (source, target, session)
    self.afterwards = afterwards
  }

  var successor: (any Transport)? { afterwards?() }

  var awaited: Awaited? {
    hasReader && !writerIsGone && readerDeadline == nil ? .input(source) : nil
  }

  func close() {
    if afterwards != nil, !isReleased { systemClose(target) }
  }

  /// Leaves the socket open once the session has ended or moved on.
  func release() { isReleased = true }

  func exchange(_ connection: Connection) -> Bool {
    write()
    return false
  }

  func addWaits(to waits: inout Waits, for connection: Connection) {
    // Writing here could write the last bytes, and nothing would end the wait for the next step.
    giveUpIdleReader(connection)
    if let readerDeadline { waits.end(by: readerDeadline) }
    guard hasReader else { return waits.end(after: .zero) }
    waits.add(target, session.publisher.output.sendableCount == 0 ? 0 : POLLOUT) { [self] found in
      if found & (POLLERR | POLLHUP) != 0 { hasReader = false }
      if found & POLLOUT != 0 { write() }
    }
    let input = connection.input
    guard connection.phase == .serving, !input.hasEnded else { return }
    reading = input.canRead ? input : nil
    // Even without an event to wait for, `poll` reports that the writer is gone.
    guard reading != nil || !writerIsGone else { return }
    waits.add(source, reading == nil ? 0 : POLLIN) { [self] found in
      if found & (POLLHUP | POLLERR | POLLNVAL) != 0 { writerIsGone = true }
      reading?.read(from: source)
    }
  }

  func finish(_ connection: Connection) -> Bool {
    write()
    giveUpIdleReader(connection)
    return !hasReader || session.publisher.output.isEmpty
  }

  private func write() {
    guard hasReader else { return }
    let publisher = session.publisher
    let (wasBehind, unsentCount) = (publisher.output.isBehind, publisher.output.unsentCount)
    if !publisher.output.flush(to: target) {
      if errno != EPIPE, errno != ECONNRESET { fault = FileError("standard output") }
      hasReader = false
    }
    // After a signal, a reader that takes little at a time does not get more time.
    if publisher.output.unsentCount < unsentCount, !Signals.haveArrived { readerDeadline = nil }
    if wasBehind, !publisher.output.isBehind { publisher.publish() }
  }

  /// After the end of the input, gives up a reader that has taken nothing for the time of `--drain`,
  /// but for at least a second.
  private func giveUpIdleReader(_ connection: Connection) {
    guard connection.input.hasEnded || writerIsGone || connection.phase != .serving,
      !session.publisher.output.isEmpty
    else {
      readerDeadline = nil
      return
    }
    let patience = max(session.limits.drain, .seconds(1))
    let now = CoreClock.machineTime
    let deadline = readerDeadline ?? now + patience
    readerDeadline = deadline
    guard now >= deadline else { return }
    hasReader = false
    if !Signals.haveArrived {
      fault = FileError(
        description: "standard output was not read for \(patience.components.seconds) s after the "
          + "end of the input; the rest of the output is lost")
    }
  }
}
