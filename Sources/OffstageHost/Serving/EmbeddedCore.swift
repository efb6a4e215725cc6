public import Offstage
internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// A core inside this process: lines in, lines out, and no descriptors.
///
/// Use it on platforms that cannot start processes, and in programs that link the core. All
/// embedded cores share one dedicated thread.
/// ```swift
/// let core = try await EmbeddedCore(Books.program, arguments: ["--data", directory])
/// core.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}"#)
/// while let line = await core.receive() { … }
/// ```
/// A core stops when it is released.
public final class EmbeddedCore: Sendable {
  private let loop: Loop
  let output = LineQueue { CoreActor.executor.wake() }

  /// Starts a core.
  /// - Parameters:
  ///   - arguments: The command line without the program's name, `--record`, and `--watch`.
  /// - Throws: `UsageError` for an invalid command line, or the error that keeps the core from
  ///   starting.
  @CoreActor
  public init(_ program: Program, arguments: [String] = []) throws {
    loop = Loop(try program.embed(arguments), output)
    guard CoreActor.executor.add(loop) else {
      throw FileError(
        description: "a program that serves its own standard input cannot embed a core")
    }
  }

  deinit {
    loop.end()
    output.close()
  }

  /// Sends a line. It is buffered until the core can take it, and dropped after ``stop()``.
  /// - Parameter line: One message, without its LF.
  public func send(_ line: String) { loop.send(line.utf8) }

  /// Sends the bytes of a line, which need not be valid UTF-8.
  package func send(_ bytes: UnsafeRawBufferPointer) { loop.send(bytes) }

  /// Waits for the core's next line. As with a pipe, frames are merged while nothing receives them.
  /// - Returns: The line without its LF; nil after the last one, or if the task is canceled.
  public func receive() async -> String? { await output.receive() }

  /// Ends the input, like closing a pipe. Running work may continue for the time of `--drain`;
  /// receive the last lines as usual.
  public func stop() { loop.end() }
}

/// The event loop of an embedded core. Like `EventLoop`, it takes a line only once nothing is due.
@CoreActor
private final class Loop: EmbeddedLoop {
  private let session: Session
  /// The bytes sent to the core from any thread.
  private nonisolated let received = Mutex((bytes: [UInt8](), hasEnded: false))
  private let output: LineQueue
  private let input: SessionInput
  /// True while the last lines are being answered.
  private var isEnding = false

  init(_ session: Session, _ output: LineQueue) {
    self.session = session
    self.output = output
    input = SessionInput(session)
  }

  nonisolated func send(_ line: some Sequence<UInt8>) {
    received.withLock {
      guard !$0.hasEnded else { return }
      $0.bytes += line
      $0.bytes.append(0x0A)
    }
    CoreActor.executor.wake()
  }

  nonisolated func end() {
    received.withLock { $0.hasEnded = true }
    CoreActor.executor.wake()
  }

  func handleNext() -> Bool {
    takeInput()
    if isEnding {
      deliver()
      return finish()
    }
    let isBusy = session.fireDueTimer() || input.handleNext()
    deliver()
    guard !isBusy || session.isShuttingDown else { return true }
    return input.isDone && finish()
  }

  var nextDeadline: Duration? {
    // While it waits for the receiver, no timer fires.
    if isEnding, session.lastWorkDeadline == nil { return nil }
    let now = CoreClock.machineTime
    return [input.timeLeft.map { now + $0 }, session.lastWorkDeadline].compactMap(\.self).min()
  }

  private func takeInput() {
    let (bytes, hasEnded) = received.withLock { received in
      defer { received.bytes = [] }
      return received
    }
    if !bytes.isEmpty { input.append(bytes) }
    if hasEnded { input.end() }
  }

  /// Hands over lines once the earlier ones have been received.
  private func deliver() {
    if !session.output.isEmpty, output.hasRoom() { output.deliver(session.takeOutput()) }
  }

  /// Answers the remaining lines while there is room for the responses, and lets the app finish its
  /// work.
  /// - Returns: False if it waits for the receiver or for that work.
  private func finish() -> Bool {
    isEnding = true
    if session.lastWorkDeadline == nil {
      session.close()
      while input.handleNext() { session.close() }
      if session.output.isOverfull, !session.isShuttingDown { return output.hasRoom() }
      session.endApp(by: input.deadline)
    }
    guard session.hasFinished else { return session.fireDueTimer() }
    session.detach()
    CoreActor.executor.remove(self)
    output.deliver(session.takeOutput(), isEnd: true)
    return true
  }
}
