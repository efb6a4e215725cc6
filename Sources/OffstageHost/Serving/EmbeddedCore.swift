public import Offstage
internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// A core inside this process: lines in, lines out, and no descriptors.
///
/// Use it on platforms that cannot start processes, and in programs that link the core. All cores of
/// a process share one thread.
/// ```swift
/// let core = try await EmbeddedCore(Books.program, arguments: ["--data", directory])
/// core.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}"#)
/// while let line = await core.receive() { … }
/// ```
/// A core stops when it is released.
public final class EmbeddedCore: Sendable {
  let output = LineQueue { CoreActor.executor.wake() }
  private let transport: MemoryTransport

  /// Starts a core.
  /// - Parameters:
  ///   - arguments: The command line without the program's name, `--record`, and `--watch`.
  /// - Throws: `UsageError` for an invalid command line, or the error that keeps the core from
  ///   starting.
  @CoreActor
  public init(_ program: Program, arguments: [String] = []) throws {
    transport = MemoryTransport(output)
    _ = Connection(try program.embed(arguments), transport)
  }

  deinit {
    transport.end()
    output.close()
  }

  /// Sends a line. It is buffered until the core can take it, and dropped after ``stop()``.
  /// - Parameter line: One message, without its LF.
  public func send(_ line: String) { transport.send(line.utf8) }

  /// Sends the bytes of a line, which need not be valid UTF-8.
  package func send(_ bytes: UnsafeRawBufferPointer) { transport.send(bytes) }

  /// Waits for the core's next line. As with a pipe, frames are merged while nothing receives them.
  /// - Returns: The line without its LF; nil after the last one, or if the task is canceled.
  public func receive() async -> String? { await output.receive() }

  /// Ends the input, like closing a pipe. Running work may continue for the time of `--drain`;
  /// receive the last lines as usual.
  public func stop() { transport.end() }
}

/// Memory as the transport of an embedded core, with its other end in any thread.
@CoreActor
private final class MemoryTransport: Transport {
  /// The bytes that have not been taken.
  private nonisolated let received = Mutex((bytes: [UInt8](), hasEnded: false))
  private let output: LineQueue

  nonisolated init(_ output: LineQueue) { self.output = output }

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

  /// Takes the input, and hands over lines once the earlier ones have been received.
  func exchange(_ connection: Connection) -> Bool {
    let (bytes, isAtEnd) = received.withLock { received in
      defer { received.bytes = [] }
      return received
    }
    let (session, input) = (connection.session, connection.input)
    let endsNow = isAtEnd && !input.hasEnded
    if !bytes.isEmpty { input.append(bytes) }
    if endsNow { input.end() }
    guard !session.publisher.output.isEmpty, output.hasRoom() else {
      return endsNow || !bytes.isEmpty
    }
    output.deliver(session.takeOutput())
    return true
  }

  func finish(_ connection: Connection) -> Bool {
    output.deliver(connection.session.takeOutput(), isEnd: true)
    return true
  }
}
