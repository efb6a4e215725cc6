package import OffstageFoundation
import OffstageSystem
import Synchronization

/// A response whose body is still arriving. One task reads it; releasing the stream closes the
/// connection.
package final class HTTPStream: Sendable {
  private let buffer: ResponseBuffer
  private let transport: HTTPTransport

  init(_ buffer: ResponseBuffer, _ transport: HTTPTransport) {
    self.buffer = buffer
    self.transport = transport
  }

  deinit {
    buffer.cancel()
    transport.wake()
  }

  /// Waits for the status and the header fields, after all redirects.
  /// - Throws: `HTTPError.Reason`, or `CancellationError` at once if the task is canceled.
  package func head() async throws -> HTTPHead {
    try await wait { $0.head }
  }

  /// Waits for more of the body.
  /// - Returns: nil at the end.
  /// - Throws: The same errors as ``head()``.
  package func next() async throws -> Data? {
    let (data, mustWake) = try await wait { (state) -> (Data?, Bool)? in
      if !state.data.isEmpty { return (state.takeData(), state.isPaused) }
      if case .success? = state.outcome { return (nil, false) }
      return nil
    }
    if mustWake { transport.wake() }
    return data
  }

  /// Waits for the whole body. The request limits its size.
  package func collect() async throws -> Data {
    var body = Data()
    while let data = try await next() { body += data }
    return body
  }

  /// Replaces the content of an open file with the body.
  /// - Throws: The same errors as ``head()``, and ``StorageError`` if the file cannot be written.
  func save(to file: Int32) async throws {
    let name = "a temporary file"
    do {
      guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else {
        throw FileError(name)
      }
      while let data = try await next() { try PrivateFiles.write(Array(data), to: file, name) }
    } catch let error as FileError {
      throw StorageError(writing: name, error)
    }
  }

  /// Restarts the timeout: within this time, the response must end or this must be called again.
  package func restartClock(_ timeout: Duration) {
    let isEarlier = buffer.state.withLock { state in
      guard let old = state.deadline else { return false }
      let new = ContinuousClock.now + timeout
      state.deadline = new
      return new < old
    }
    // Otherwise the transport wakes up early enough, at the old deadline.
    if isEarlier { transport.wake() }
  }

  private func wait<Value: Sendable>(
    _ take: @Sendable (inout ResponseBuffer.State) -> Value?
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      while true {
        if let value = try buffer.state.withLock({ try $0.value(take) }) { return value }
        await withCheckedContinuation { reader in
          let hasNews = buffer.state.withLock { state in
            if !state.hasNews { state.reader = reader }
            return state.hasNews
          }
          if hasNews { reader.resume() }
        }
      }
    } onCancel: {
      buffer.cancel()
      transport.wake()
    }
  }
}

/// The part of a response that was received but not yet read.
///
/// The transport's thread fills it and the stream's reader drains it. A full buffer pauses the
/// transfer, so that TCP holds back a fast sender.
final class ResponseBuffer: Sendable {
  /// The size at which the buffer accepts no more data, in bytes.
  static let capacity = 256 << 10

  struct State {
    var head: HTTPHead?
    fileprivate(set) var data = Data()
    fileprivate(set) var outcome: Result<Void, any Error>?
    fileprivate(set) var isPaused = false
    /// nil before the request has started, and for a download, whose time libcurl watches.
    fileprivate var deadline: ContinuousClock.Instant?
    /// True if anything has changed since the reader last looked.
    fileprivate var hasNews = false
    fileprivate var reader: CheckedContinuation<Void, Never>?

    fileprivate mutating func takeData() -> Data {
      defer { data = Data() }
      return data
    }

    /// Returns the value that `take` finds. Throws a failure only after the data before it is
    /// taken.
    fileprivate mutating func value<Value>(
      _ take: (inout State) -> Value?
    ) throws -> Value? {
      hasNews = false
      if let value = take(&self) { return value }
      try outcome?.get()
      return nil
    }
  }

  /// The next step of a transfer.
  enum Demand {
    case wait(atMost: Duration)
    case resume
    case stop
  }

  let state = Mutex(State())
  private let timeout: Duration?

  /// - Parameter timeout: The time for the whole response; nil for a download.
  init(timeout: Duration?) { self.timeout = timeout }

  /// Notes that the request has started.
  func startClock() { state.withLock { $0.deadline = timeout.map { .now + $0 } } }

  var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  func receive(_ head: HTTPHead) {
    update { $0.head = head }
  }

  /// - Returns: False if the buffer is full, so that the transfer pauses.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var isAccepted = true
    update { state in
      isAccepted = state.data.count < Self.capacity
      if isAccepted { state.data.append(contentsOf: bytes) } else { state.isPaused = true }
    }
    return isAccepted
  }

  func finish(_ outcome: Result<Void, any Error>) {
    update { $0.outcome = outcome }
  }

  func cancel() {
    update { state in
      state.data = Data()
      state.outcome = .failure(CancellationError())
    }
  }

  /// Returns the next step, given the deadline and the fill level.
  func demand(at now: ContinuousClock.Instant) -> Demand {
    let demand = state.withLock { (state) -> Demand? in
      if state.outcome != nil { return .stop }
      if state.isPaused, state.data.isEmpty {
        state.isPaused = false
        return .resume
      }
      guard let deadline = state.deadline else { return .wait(atMost: .seconds(3600)) }
      return now < deadline ? .wait(atMost: deadline - now) : nil
    }
    if let demand { return demand }
    finish(.failure(HTTPError.Reason.timedOut))
    return .stop
  }

  /// Applies a change and wakes the reader. Nothing changes once the response has ended.
  private func update(_ change: (inout State) -> Void) {
    let reader = state.withLock { state in
      guard state.outcome == nil else { return CheckedContinuation<Void, Never>?.none }
      change(&state)
      state.hasNews = true
      return state.reader.take()
    }
    reader?.resume()
  }
}
