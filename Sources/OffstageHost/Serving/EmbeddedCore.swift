public import Offstage
internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// A core inside this process: lines in, lines out, and no descriptors.
///
/// It is for platforms that start no processes, and for programs that link the core. Any
/// number of them share one thread, which belongs to them and to nothing else.
/// ```swift
/// let core = try await EmbeddedCore(Books.program, arguments: ["--data", directory])
/// core.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}"#)
/// while let line = await core.receive() { … }
/// ```
/// A core that is released without `stop` stops.
public final class EmbeddedCore: Sendable {
  private let loop: Loop
  let output = LineQueue { CoreActor.executor.wake() }

  /// Starts a core.
  /// - Parameters:
  ///   - arguments: The command line without the program's name; `--record` is not available.
  /// - Throws: `UsageError` for an invalid command line, or the error of composing the app.
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

  /// Sends a line. It waits in memory until the core can take it, and is dropped after `stop`.
  /// - Parameter line: One message, without its LF.
  public func send(_ line: String) { loop.send(line.utf8) }

  /// Sends the bytes of a line, which need not be valid UTF-8.
  package func send(_ bytes: UnsafeRawBufferPointer) { loop.send(bytes) }

  /// Waits for the next line of the core. As with a pipe, a core whose lines are not received merges
  /// its frames.
  /// - Returns: The line without its LF; nil after the last one, or if the task is canceled.
  public func receive() async -> String? { await output.receive() }

  /// Ends the input, as closing a pipe does. Running work gets the time of `--drain`; receive the last
  /// lines as usual.
  public func stop() { loop.end() }
}

/// The event loop of an embedded core. Like `EventLoop`, it takes a line only once nothing is due.
@CoreActor
private final class Loop: EmbeddedLoop {
  private let session: Session
  /// The bytes on their way to the core, from any thread.
  private nonisolated let received = Mutex((bytes: [UInt8](), hasEnded: false))
  private let output: LineQueue
  private let input: SessionInput
  /// True while the last lines are answered.
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
    isEnding ? nil : input.timeLeft.map { CoreClock.machineTime + $0 }
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

  /// Answers the rest of the lines, as far as there is room for the answers.
  /// - Returns: False if it waits for the receiver.
  private func finish() -> Bool {
    isEnding = true
    session.close()
    while input.handleNext() { session.close() }
    if session.output.isOverfull, !session.isShuttingDown { return output.hasRoom() }
    CoreActor.executor.remove(self)
    output.deliver(session.takeOutput(), isEnd: true)
    session.core.closeAll()
    return true
  }
}
