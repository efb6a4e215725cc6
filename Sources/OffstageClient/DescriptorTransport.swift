internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// A transport over a pair of descriptors, such as those of two pipes, or the same socket twice.
///
/// It owns the descriptors and serves them on its own thread. While received lines wait, it stops
/// reading, so that the core notices and merges its frames.
public final class DescriptorTransport: Transport {
  let channel: Channel

  /// Starts serving a pair of descriptors.
  /// - Parameters:
  ///   - reading: The descriptor to read the core's lines from.
  ///   - writing: The descriptor to write lines to; may be the same.
  public init(reading: Int32, writing: Int32) {
    channel = Channel(reading: reading, writing: writing)
    channel.start()
  }

  deinit {
    channel.close()
    channel.lines.close()
  }

  public func send(_ line: String) { channel.send(line) }

  public func receive() async -> String? { await channel.lines.receive() }

  public func close() async { channel.close() }

  public func end() async -> CoreEnded { CoreEnded(.disconnected) }
}

/// A thread that serves a pair of descriptors, and the lines that it has read.
final class Channel: Sendable {
  /// The number of reads, of 64 KiB each, that empty even the largest pipe.
  private static let lastReads = 16

  let lines: LineQueue

  private let reading: Int32
  private let writing: Int32
  private let limit: Int
  /// Wakes the thread; nil if the system had no descriptors left for it.
  private let alarm = try? WakePipe()
  /// The bytes that the thread has yet to take.
  private let outgoing = Mutex((bytes: [UInt8](), isClosed: false, isFinishing: false))

  /// - Parameter limit: The longest line, in bytes. Longer ones are skipped.
  init(reading: Int32, writing: Int32, limit: Int = 1 << 30) {
    (self.reading, self.writing, self.limit) = (reading, writing, limit)
    lines = LineQueue { [alarm] in alarm?.wake() }
    _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK)
    for end in [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func send(_ line: String) {
    let wasEmpty = outgoing.withLock { outgoing in
      guard !outgoing.isClosed else { return false }
      let wasEmpty = outgoing.bytes.isEmpty
      outgoing.bytes += line.utf8
      outgoing.bytes.append(0x0A)
      return wasEmpty
    }
    if wasEmpty { alarm?.wake() }
  }

  func close() {
    outgoing.withLock { $0.isClosed = true }
    alarm?.wake()
  }

  /// Ends the connection after reading what has arrived. The other side has exited, but another
  /// process may still hold its descriptors.
  func finish() {
    outgoing.withLock { $0.isFinishing = true }
    alarm?.wake()
  }

  // MARK: The thread

  /// Starts the thread, or ends the connection if the system lacks the resources.
  func start() {
    guard let alarm, startThread({ self.serve(alarm) }) == 0 else {
      if writing != reading { systemClose(writing) }
      return end()
    }
  }

  private func serve(_ alarm: WakePipe) {
    // Otherwise a write to an ended core would kill the front end.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var input = LineInput(reading, limit: limit)
    var writing = self.writing
    var unsent: ArraySlice<UInt8> = []
    var readsLeft = Self.lastReads
    while !input.hasEnded, readsLeft > 0 {
      let (isClosed, isFinishing) = outgoing.withLock { outgoing in
        if unsent.isEmpty { (unsent, outgoing.bytes) = (outgoing.bytes[...], []) }
        return (outgoing.isClosed, outgoing.isFinishing)
      }
      if isClosed, unsent.isEmpty { endWriting(&writing) }
      let hasRoom = lines.hasRoom()
      var waits = [
        pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasRoom ? reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: unsent.isEmpty ? -1 : writing, events: Int16(POLLOUT), revents: 0),
      ]
      let count = poll(&waits, 3, isFinishing && hasRoom ? 0 : -1)
      if count == 0 { break }
      guard count > 0 else { continue }
      if waits[0].revents != 0 { alarm.drain() }
      if waits[1].revents != 0 {
        read(&input)
        if isFinishing { readsLeft -= 1 }
      }
      if waits[2].revents != 0 { write(&unsent, to: writing) }
    }
    endWriting(&writing)
    end()
  }

  private func read(_ input: inout LineInput) {
    input.read()
    var found: [String] = []
    while let line = input.next() { found.append(line) }
    if !found.isEmpty { lines.deliver(found) }
  }

  private func write(_ unsent: inout ArraySlice<UInt8>, to writing: Int32) {
    let count = unsent.withUnsafeBytes { systemWrite(writing, $0) }
    // An ended core cannot take the bytes. Drop them, because reading reports the end.
    if count < 0, !systemCallShouldRetry { unsent = [] }
    unsent = unsent.dropFirst(max(count, 0))
  }

  private func endWriting(_ writing: inout Int32) {
    guard writing >= 0 else { return }
    if writing == reading { shutdown(writing, Int32(SHUT_WR)) } else { systemClose(writing) }
    writing = -1
  }

  private func end() {
    outgoing.withLock { $0 = ([], true, true) }
    systemClose(reading)
    lines.deliver([], isEnd: true)
  }
}
