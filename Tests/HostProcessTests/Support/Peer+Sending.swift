import Foundation

/// To the child.
extension Peer {
  /// Sends whole lines, in one piece, and takes in what comes meanwhile.
  func send(_ lines: String...) throws { try send(Array(lines.map { $0 + "\n" }.joined().utf8)) }

  /// Sends bytes, and takes in what comes meanwhile.
  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let ready = try wait(reading: output, writing: input, "room for \(rest.count) bytes")
      if ready.reading { takeIn() }
      if ready.writing { rest = rest.dropFirst(try offer(rest)) }
    }
  }

  /// Writes as much as the child's input takes at once.
  /// - Returns: how many bytes that was.
  func offer(_ bytes: ArraySlice<UInt8>) throws -> Int {
    let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw PeerError("write", errno) }
    return max(count, 0)
  }

  /// Whether the child's input takes more: false once it is full while the child rests.
  func takesMore() throws -> Bool { try comes(Int16(POLLOUT), of: input) }

  /// Waits until the child has read all that was sent: then the next bytes come separately.
  func waitUntilRead() throws {
    let end = ContinuousClock.now + .seconds(30)
    var pending: Int32 = 0
    repeat {
      guard ioctl(input, Self.countUnread, &pending) == 0 else { throw PeerError("ioctl", errno) }
      guard ContinuousClock.now < end else { throw PeerError("the child does not read") }
      sched_yield()
    } while pending > 0
  }

  #if canImport(Darwin)
    // FIONREAD, a macro that Swift does not import there.
    private static let countUnread: UInt = 0x4004_667F
  #else
    private static let countUnread = UInt(FIONREAD)
  #endif
}
