/// A connection that carries lines between a front end and a core.
///
/// ``ProcessTransport`` starts a core, ``DescriptorTransport`` uses a pair of descriptors, and
/// ``LineTransport`` takes functions, such as those of an `EmbeddedCore` in the same process.
public protocol Transport: Sendable {
  /// Sends a line, passed without its LF. It waits in memory until the core takes it.
  func send(_ line: String)

  /// Waits for the next line.
  /// - Returns: The line without its LF; nil at the end, or if the task is canceled.
  func receive() async -> String?

  /// Ends the core's input. A transport that started the core also waits for it to end. The last
  /// lines can still be received.
  func close() async

  /// Returns the reason for the end, once ``receive()`` has returned nil.
  func end() async -> CoreEnded
}

/// A transport made of functions.
/// ```swift
/// let embedded = try await EmbeddedCore(Books.program)
/// LineTransport(send: embedded.send, receive: embedded.receive, stop: embedded.stop)
/// ```
public struct LineTransport: Transport {
  private let sendLine: @Sendable (String) -> Void
  private let receiveLine: @Sendable () async -> String?
  private let stop: @Sendable () -> Void

  /// Creates a transport from functions.
  /// - Parameters:
  ///   - send: Sends a line, passed without its LF.
  ///   - receive: Waits for the next line; returns nil at the end.
  ///   - stop: Ends the core's input.
  public init(
    send: @escaping @Sendable (String) -> Void,
    receive: @escaping @Sendable () async -> String?, stop: @escaping @Sendable () -> Void
  ) {
    sendLine = send
    receiveLine = receive
    self.stop = stop
  }

  public func send(_ line: String) { sendLine(line) }

  public func receive() async -> String? { await receiveLine() }

  public func close() async { stop() }

  public func end() async -> CoreEnded { CoreEnded(.disconnected) }
}
