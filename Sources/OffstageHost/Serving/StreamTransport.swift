internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// The standard streams of a program as the transport of its core. Their descriptors are written and
/// read when the loop waits.
@CoreActor
final class StreamTransport: Transport {
  private let streams: StandardStreams
  private var readerIsGone = false
  /// True once the writer of the input is gone, even if a part of the input is still unread.
  private var writerIsGone = false
  /// The time at which a reader that takes nothing counts as gone; nil while more input may come.
  private var readerDeadline: Duration?
  /// A failure to write the output, other than for lack of a reader.
  private(set) var fault: FileError?

  init(_ streams: StandardStreams) { self.streams = streams }

  var isOver: Bool { Signals.haveArrived || readerIsGone }

  var hasReader: Bool { !readerIsGone }

  func exchange(_ connection: Connection) -> Bool {
    write(connection.session)
    return false
  }

  func addWaits(to waits: inout Waits, for connection: Connection) {
    let (session, input) = (connection.session, connection.input)
    write(session)
    giveUpIdleReader(connection)
    if let readerDeadline { waits.end(by: readerDeadline) }
    guard !readerIsGone else { return waits.end(after: .zero) }
    waits.add(streams.output, session.publisher.output.isEmpty ? 0 : POLLOUT) { [self] found in
      if found & (POLLERR | POLLHUP) != 0 { readerIsGone = true }
      if found & POLLOUT != 0 { write(session) }
    }
    guard connection.phase == .serving else { return }
    // Even without an event to wait for, `poll` reports that the writer is gone.
    let canRead = input.canRead
    guard canRead || !input.hasEnded && !writerIsGone else { return }
    waits.add(streams.input, canRead ? POLLIN : 0) { [self] found in
      if found & (POLLHUP | POLLERR | POLLNVAL) != 0 { writerIsGone = true }
      if canRead { input.read(from: streams.input) }
    }
  }

  func finish(_ connection: Connection) -> Bool {
    write(connection.session)
    giveUpIdleReader(connection)
    return readerIsGone || connection.session.publisher.output.isEmpty
  }

  private func write(_ session: Session) {
    guard !readerIsGone else { return }
    let (wasBehind, unsentCount) = (
      session.publisher.output.isBehind, session.publisher.output.unsentCount
    )
    if !session.publisher.output.flush(to: streams.output) {
      if errno != EPIPE, errno != ECONNRESET { fault = FileError("standard output") }
      readerIsGone = true
    }
    // After a signal, a reader that takes little at a time does not get more time.
    if session.publisher.output.unsentCount < unsentCount, !Signals.haveArrived {
      readerDeadline = nil
    }
    if wasBehind, !session.publisher.output.isBehind { session.publisher.publish() }
  }

  /// After the end of the input, gives up a reader that has taken nothing for the time of `--drain`,
  /// but for at least a second.
  private func giveUpIdleReader(_ connection: Connection) {
    let session = connection.session
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
    readerIsGone = true
    if !Signals.haveArrived {
      fault = FileError(
        description: "standard output was not read for \(patience.components.seconds) s after the "
          + "end of the input; the rest of the output is lost")
    }
  }
}
