internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one loop of a core: it waits in one place, and one thing happens at a time.
///
/// Work that is due goes before new input, so what a recording shows does not depend on how the
/// input was cut into pieces.
@CoreActor
final class Loop {
  /// Everything that can happen.
  private enum Event {
    case job
    case timer
    case line(Range<Int>, number: Int)
    case overlongLine(number: Int)
    /// Nothing is due: write what is there, then wait for the outside.
    case wait
    case end
  }

  private let session: Session
  private let streams: StandardStreams
  private let drain: Duration
  private let recording: Recording?
  private let executor = CoreActor.executor
  @exclusivity(unchecked) private var reader: LineReader
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var inputHasEnded = false
  private var readerIsGone = false
  /// When the draining after the end of the input is over.
  private var deadline: Duration?

  init(_ session: Session, _ streams: StandardStreams, drain: Duration, recording: Recording?) {
    self.session = session
    self.streams = streams
    self.drain = drain
    self.recording = recording
    reader = LineReader(limit: session.limits.line)
    if let recording { session.output.onLine = { recording.received($0) } }
  }

  /// Serves until the input has ended and all is said, the front end is gone, or a signal comes.
  func run() {
    Signals.watch()
    serving: while true {
      switch nextEvent() {
      case .job: _ = executor.runNextJob()
      case .timer: fireTimer()
      case .line(let range, let number): receive(range, number)
      case .overlongLine(let number): refuseOverlong(number)
      case .wait: wait()
      case .end: break serving
      }
    }
    finish()
  }

  private func nextEvent() -> Event {
    if Signals.haveArrived || readerIsGone { return .end }
    if executor.hasJob { return .job }
    if timerIsDue { return .timer }
    if session.isReady, let line = inputHasEnded ? reader.next() ?? reader.last() : reader.next() {
      switch line {
      case .text(let range, let number): return .line(range, number: number)
      case .tooLong(let number): return .overlongLine(number: number)
      }
    }
    return isDone ? .end : .wait
  }

  // MARK: Events

  private func receive(_ range: Range<Int>, _ number: Int) {
    reader.withBytes(of: range) { bytes in
      recording?.sent(bytes, afterRest: session.isAtRest)
      session.receive(bytes, line: number)
    }
    executor.endTurn()
    // A burst of requests fills the pipe while the next ones are handled.
    if session.output.unsentCount >= 1 << 16 { write() }
  }

  private func refuseOverlong(_ number: Int) {
    session.refuse(
      .parseError(
        "Parse error: the line is longer than \(session.limits.line) bytes",
        data: ["line": .number(JSONNumber(number))]))
  }

  private var timerIsDue: Bool {
    let clock = session.core.clock
    guard !clock.isVirtual, let deadline = clock.nextDeadline else { return false }
    return deadline <= clock.monotonicNow
  }

  private func fireTimer() {
    let clock = session.core.clock
    _ = clock.fireNext(dueBy: clock.monotonicNow)
    executor.endTurn()
  }

  // MARK: Waiting

  private func wait() {
    write()
    var waits = [
      pollfd(fd: executor.wakeDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: streams.output, events: session.output.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
      pollfd(fd: canRead ? streams.input : -1, events: Int16(POLLIN), revents: 0),
    ]
    if executor.hasJob || readerIsGone { return }
    guard poll(&waits, nfds_t(waits.count), timeout) > 0 else { return }
    if waits[1].revents & Int16(POLLERR) != 0 { readerIsGone = true }
    if waits[1].revents & Int16(POLLOUT) != 0 { write() }
    if waits[2].revents != 0 { read() }
  }

  private var canRead: Bool { !inputHasEnded && session.isReady }

  /// Milliseconds until something is due by itself; -1 for never.
  private var timeout: Int32 {
    let clock = session.core.clock
    let timer = clock.isVirtual ? nil : clock.nextDeadline.map { $0 - clock.monotonicNow }
    let end = deadline.map { $0 - Self.now }
    guard let next = [timer, end].compactMap(\.self).min() else { return -1 }
    let (seconds, attoseconds) = max(next, .zero).components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  private func read() {
    let count = chunk.withUnsafeMutableBytes { Descriptor.read(streams.input, into: $0) }
    if count > 0 {
      chunk.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    } else if count == 0 || !Descriptor.shouldRetry {
      inputHasEnded = true
      deadline = Self.now + drain
    }
  }

  private func write() {
    guard !session.output.isEmpty else { return }
    let wasBehind = session.output.isBehind
    session.output.send { bytes in
      let count = Descriptor.write(streams.output, bytes)
      if count < 0, !Descriptor.shouldRetry { readerIsGone = true }
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

  /// Says what is left to say.
  private func finish() {
    session.close()
    let patience = Signals.haveArrived ? Self.now + drain : nil
    while !session.output.isEmpty, !readerIsGone {
      write()
      if let patience, Self.now >= patience { break }
      var wait = pollfd(fd: streams.output, events: Int16(POLLOUT), revents: 0)
      if !session.output.isEmpty { _ = poll(&wait, 1, patience == nil ? -1 : 100) }
    }
    recording?.finish(exit: 0)
    streams.restore()
  }

  /// The machine's own time: draining is no matter of an app's virtual clock.
  private static var now: Duration { machine.monotonicNow }
  private static let machine = CoreClock()
}
