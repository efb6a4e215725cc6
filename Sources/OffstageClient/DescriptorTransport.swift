internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// A transport over a pair of descriptors, such as those of pipes, or twice that of a socket.
///
/// It owns the descriptors, and serves them on a thread of its own. While lines are not received, it
/// does not read, so that a core notices and merges its frames.
public final class DescriptorTransport: Transport {
  private let channel: Channel

  /// - Parameters:
  ///   - reading: Carries the lines of the core.
  ///   - writing: Carries the lines to the core; may be the same.
  public init(reading: Int32, writing: Int32) {
    channel = Channel(reading: reading, writing: writing)
    let channel = channel
    if startThread({ channel.serve() }) != 0 { channel.end() }
  }

  deinit { channel.close() }

  public func send(_ line: String) { channel.send(line) }

  public func receive() async -> String? {
    while true {
      let (line, isEnd) = channel.take()
      if line != nil || isEnd || Task.isCancelled { return line }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          channel.whenReady { continuation.resume() }
          // Canceled before the continuation existed.
          if Task.isCancelled { channel.wakeReceiver() }
        }
      } onCancel: {
        channel.wakeReceiver()
      }
    }
  }

  public func close() async { channel.close() }

  public func end() async -> CoreEnded { CoreEnded(.disconnected) }
}

/// The descriptors, and the lines in both directions.
private final class Channel: Sendable {
  private struct State {
    var outgoing: [UInt8] = []
    var isClosing = false
    /// The received lines, the oldest last.
    var lines: [String] = []
    var hasEnded = false
    var wake: (@Sendable () -> Void)?
    var isDone = false
  }

  private let reading: Int32
  private let writing: Int32
  /// A pipe that wakes the thread.
  private let alarm: (reading: Int32, writing: Int32)
  private let state = Mutex(State())

  init(reading: Int32, writing: Int32) {
    (self.reading, self.writing) = (reading, writing)
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    alarm = (ends[0], ends[1])
    for end in ends + [writing] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    for end in ends + [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  // MARK: The user's side

  func send(_ line: String) {
    state.withLock {
      guard !$0.isClosing, !$0.hasEnded else { return }
      $0.outgoing += line.utf8
      $0.outgoing.append(0x0A)
    }
    ring()
  }

  func close() {
    state.withLock { $0.isClosing = true }
    ring()
  }

  func take() -> (line: String?, isEnd: Bool) {
    let (line, isEnd) = state.withLock { ($0.lines.popLast(), $0.lines.isEmpty && $0.hasEnded) }
    if line != nil { ring() }
    return (line, line == nil && isEnd)
  }

  func whenReady(_ wake: @escaping @Sendable () -> Void) {
    let isReady = state.withLock { state in
      if state.lines.isEmpty, !state.hasEnded {
        state.wake = wake
        return false
      }
      return true
    }
    if isReady { wake() }
  }

  func wakeReceiver() {
    let wake = state.withLock { state in
      defer { state.wake = nil }
      return state.wake
    }
    wake?()
  }

  /// Wakes the thread, unless it has ended and closed the pipe.
  private func ring() {
    state.withLock { state in
      guard !state.isDone else { return }
      var byte: UInt8 = 1
      _ = write(alarm.writing, &byte, 1)
    }
  }

  // MARK: The thread

  func serve() {
    blockBrokenPipes()
    var reader = LineReader(limit: 1 << 30)
    var writing = self.writing
    while true {
      let (wantsRead, wantsWrite, hasEnded, isClosing) = state.withLock {
        ($0.lines.isEmpty && !$0.hasEnded, !$0.outgoing.isEmpty, $0.hasEnded, $0.isClosing)
      }
      if writing >= 0, hasEnded || isClosing && !wantsWrite {
        if writing == reading { shutdown(writing, Int32(SHUT_WR)) } else { systemClose(writing) }
        writing = -1
      }
      if hasEnded { break }
      var waits = [
        pollfd(fd: alarm.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wantsRead ? reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wantsWrite ? writing : -1, events: Int16(POLLOUT), revents: 0),
      ]
      guard poll(&waits, 3, -1) > 0 else { continue }
      if waits[0].revents != 0 { silence() }
      if waits[1].revents != 0 { read(&reader) }
      if waits[2].revents != 0 { writeSome(to: writing) }
    }
    systemClose(reading)
    state.withLock {
      $0.isDone = true
      systemClose(alarm.reading)
      systemClose(alarm.writing)
    }
  }

  /// Ends the connection.
  func end() {
    state.withLock { $0.hasEnded = true }
    wakeReceiver()
  }

  private func read(_ reader: inout LineReader) {
    let count = reader.read { systemRead(reading, $0) }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    var lines: [String] = []
    while let line = count > 0 ? reader.next() : reader.next() ?? reader.last() {
      guard case .text(let range, _) = line else { continue }
      lines.append(reader.withBytes(of: range) { String(decoding: $0, as: UTF8.self) })
    }
    state.withLock {
      $0.lines = lines.reversed() + $0.lines
      if count <= 0 { $0.hasEnded = true }
    }
    if count <= 0 || !lines.isEmpty { wakeReceiver() }
  }

  private func writeSome(to writing: Int32) {
    let bytes = state.withLock { state in
      defer { state.outgoing = [] }
      return state.outgoing
    }
    let count = bytes.withUnsafeBytes { systemWrite(writing, $0) }
    // Drop what a core that has ended cannot take: the reader reports its end.
    let rest = count < 0 && errno != EINTR && errno != EAGAIN ? [] : bytes[max(count, 0)...]
    state.withLock { $0.outgoing = rest + $0.outgoing }
  }

  private func silence() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while systemRead(alarm.reading, withUnsafeMutableBytes(of: &bytes) { $0 }) > 0 {}
  }

  /// Writing to a core that has ended must not end the front end.
  private func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
