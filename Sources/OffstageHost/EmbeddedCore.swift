public import Offstage
import Synchronization

/// A core inside this process: lines in, lines out, and no descriptors.
///
/// It is for platforms that start no processes, and for programs that bring their core along. Any
/// number of them share one thread, which belongs to them and to nothing else.
/// ```swift
/// let core = try await EmbeddedCore(Books.program, arguments: ["--data", directory])
/// core.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}"#)
/// while let line = await core.receive() { … }
/// ```
/// A core that is released without `stop` stops.
public final class EmbeddedCore: Sendable {
  private let mailbox = Mailbox()

  /// Starts a core.
  /// - Parameters:
  ///   - arguments: The command line without the program's name; `--record` is not available.
  /// - Throws: `UsageError` for an invalid command line, or the error of composing the app.
  @CoreActor
  public init(_ program: Program, arguments: [String] = []) throws {
    let drain = try program.drain(arguments)
    let session = try program.makeSession(arguments)
    let loop = Loop(session, mailbox, drain: drain)
    guard CoreActor.executor.add(loop) else {
      throw UsageError("a program that serves its own standard input cannot embed a core")
    }
  }

  deinit { mailbox.endInput() }

  /// Sends a line. It waits in memory until the core can take it, and is dropped after `stop`.
  /// - Parameter line: One message, without its LF.
  public func send(_ line: String) { mailbox.send(line.utf8) }

  /// Sends the bytes of a line, which need not be valid UTF-8.
  package func send(_ bytes: UnsafeRawBufferPointer) { mailbox.send(bytes) }

  /// Waits for the next line of the core. As with a pipe, a core whose lines are not received merges
  /// its frames.
  /// - Returns: The line without its LF; nil after the last one, or if the task is canceled.
  public func receive() async -> String? {
    while true {
      switch next() {
      case .line(let line): return line
      case .end: return nil
      case .nothing: break
      }
      if Task.isCancelled { return nil }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          mailbox.whenReady { continuation.resume() }
          // Canceled before the continuation existed.
          if Task.isCancelled { mailbox.wakeReceiver() }
        }
      } onCancel: {
        mailbox.wakeReceiver()
      }
    }
  }

  /// The next line, without waiting for it.
  package func next() -> Mailbox.Item { mailbox.take() }

  /// Calls `wake` once, as soon as `next` has something.
  package func whenReady(_ wake: @escaping @Sendable () -> Void) { mailbox.whenReady(wake) }

  /// Ends the input, as closing a pipe does. Running work gets the time of `--drain`; receive the last
  /// lines as usual.
  public func stop() { mailbox.endInput() }
}

/// The lines between a core and its user, who may be on any thread.
package final class Mailbox: Sendable {
  package enum Item: Equatable, Sendable {
    case line(String)
    case nothing
    case end
  }

  private struct State {
    var input: [UInt8] = []
    var inputHasEnded = false
    /// The lines to receive, the oldest last.
    var output: [String] = []
    var outputHasEnded = false
    /// True while the core holds lines back until these have been received.
    var isHoldingBack = false
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  // MARK: The user's side

  fileprivate func send(_ line: some Sequence<UInt8>) {
    state.withLock {
      guard !$0.inputHasEnded else { return }
      $0.input += line
      $0.input.append(0x0A)
    }
    CoreActor.executor.wake()
  }

  fileprivate func endInput() {
    state.withLock { $0.inputHasEnded = true }
    CoreActor.executor.wake()
  }

  fileprivate func take() -> Item {
    let (item, makesRoom) = state.withLock { state -> (Item, Bool) in
      guard let line = state.output.popLast() else {
        return (state.outputHasEnded ? .end : .nothing, false)
      }
      return (.line(line), state.output.isEmpty && state.isHoldingBack)
    }
    if makesRoom { CoreActor.executor.wake() }
    return item
  }

  fileprivate func whenReady(_ wake: @escaping @Sendable () -> Void) {
    let isReady = state.withLock { state in
      if state.output.isEmpty, !state.outputHasEnded {
        state.wake = wake
        return false
      }
      return true
    }
    if isReady { wake() }
  }

  fileprivate func wakeReceiver() {
    let wake = state.withLock { state in
      defer { state.wake = nil }
      return state.wake
    }
    wake?()
  }

  // MARK: The core's side

  /// True if all lines have been received; if not, the core is woken once they are.
  fileprivate func hasRoom() -> Bool {
    state.withLock { state in
      state.isHoldingBack = !state.output.isEmpty
      return !state.isHoldingBack
    }
  }

  fileprivate func takeInput() -> (bytes: [UInt8], hasEnded: Bool) {
    state.withLock { state in
      defer { state.input = [] }
      return (state.input, state.inputHasEnded)
    }
  }

  fileprivate func deliver(_ lines: [String], isEnd: Bool = false) {
    state.withLock { state in
      state.output = lines.reversed() + state.output
      state.outputHasEnded = isEnd
    }
    wakeReceiver()
  }
}

/// The event loop of an embedded core. Like `EventLoop`, it takes a line only once nothing is due.
@CoreActor
private final class Loop: EmbeddedLoop {
  private let session: Session
  private let mailbox: Mailbox
  private let input: SessionInput
  private let drain: Duration
  /// The end of the time for draining, after the input has ended.
  private var deadline: Duration?
  private static let machine = CoreClock()

  init(_ session: Session, _ mailbox: Mailbox, drain: Duration) {
    self.session = session
    self.mailbox = mailbox
    self.drain = drain
    input = SessionInput(session)
  }

  func handleNext() -> Bool {
    takeInput()
    let isBusy = session.fireDueTimer() || session.canReceive && input.handleNext()
    if isBusy { CoreActor.executor.endTurn() }
    deliver()
    guard !isBusy || session.isShuttingDown else { return true }
    if isDone { finish() }
    return false
  }

  var nextDeadline: Duration? {
    let clock = session.core.clock
    return [clock.isVirtual ? nil : clock.nextDeadline, deadline].compactMap(\.self).min()
  }

  private func takeInput() {
    let (bytes, hasEnded) = mailbox.takeInput()
    if !bytes.isEmpty { input.append(bytes) }
    guard hasEnded, deadline == nil else { return }
    input.end()
    deadline = Self.machine.monotonicNow + drain
  }

  /// Hands over lines once the earlier ones have been received.
  private func deliver() {
    guard !session.output.isEmpty, mailbox.hasRoom() else { return }
    let wasBehind = session.output.isBehind
    mailbox.deliver(session.takeOutput())
    if wasBehind { session.publish() }
  }

  private var isDone: Bool {
    if session.isShuttingDown { return true }
    guard let deadline, !CoreActor.executor.hasJob else { return false }
    return session.isAtRest || session.isStuck || Self.machine.monotonicNow >= deadline
  }

  private func finish() {
    session.close()
    while session.canReceive, input.handleNext() {
      CoreActor.executor.endTurn()
      session.close()
    }
    CoreActor.executor.remove(self)
    session.core.closeAll()
    mailbox.deliver(session.takeOutput(), isEnd: true)
  }
}
