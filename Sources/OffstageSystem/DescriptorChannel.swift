internal import OffstageLibc

/// One end of a channel that carries descriptors to another process, each with some bytes.
///
/// On the wire, a message is the number of its bytes, in four, and the bytes themselves. The descriptor
/// comes with the first one.
package final class DescriptorChannel {
  package typealias Message = (descriptor: Int32, bytes: [UInt8])

  package let descriptor: Int32
  /// The rest of the message that is being sent.
  private var unsent: ArraySlice<UInt8> = []
  /// True until `flush` finds room. Nothing can be sent meanwhile.
  package private(set) var isFull = false
  /// The bytes that have arrived, without those of complete messages.
  private var bytes: [UInt8] = []
  /// The descriptors that have arrived, without those of complete messages.
  private var descriptors: [Int32] = []
  /// True once the other end is closed.
  package private(set) var hasEnded = false

  /// - Parameter descriptor: A Unix socket, which is the channel's from now on.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit {
    for descriptor in descriptors + [descriptor] { systemClose(descriptor) }
  }

  /// Returns both ends of a new channel.
  /// - Throws: `FileError` if the process has no descriptors left.
  package static func pair() throws(FileError) -> (DescriptorChannel, DescriptorChannel) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { throw FileError("socketpair") }
    return (DescriptorChannel(ends[0]), DescriptorChannel(ends[1]))
  }

  /// Sends a message, and closes the descriptor.
  /// - Returns: False if there is no room, or if the other end is closed. Then nothing has happened.
  package func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    guard !isFull else { return false }
    let message = withUnsafeBytes(of: UInt32(bytes.count)) { Array($0) } + bytes
    let count = message.withUnsafeBytes {
      offstage_send_descriptor(self.descriptor, descriptor, $0.baseAddress, $0.count)
    }
    guard count > 0 else {
      isFull = systemCallShouldRetry
      return false
    }
    systemClose(descriptor)
    unsent = message[count...]
    flush()
    return true
  }

  /// Sends what there is room for.
  package func flush() {
    isFull = false
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { systemWrite(descriptor, $0) }
      guard count >= 0 || !systemCallShouldRetry else {
        isFull = true
        return
      }
      // The rest of a message to a process that has ended is lost with the message.
      unsent = count < 0 ? [] : unsent.dropFirst(count)
    }
  }

  /// Returns the next message; nil if none has arrived.
  package func receive() -> Message? {
    while true {
      if let message = takeMessage() { return message }
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      var descriptor: Int32 = -1
      let count = chunk.withUnsafeMutableBytes {
        offstage_receive_descriptor(self.descriptor, &descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else {
        hasEnded = hasEnded || count == 0 || !systemCallShouldRetry
        return nil
      }
      bytes += chunk[..<count]
      guard descriptor >= 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      descriptors.append(descriptor)
    }
  }

  private func takeMessage() -> Message? {
    let length = MemoryLayout<UInt32>.size
    guard bytes.count >= length, !descriptors.isEmpty else { return nil }
    let count = bytes.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
    guard bytes.count >= length + count else { return nil }
    defer { bytes.removeFirst(length + count) }
    return (descriptors.removeFirst(), Array(bytes[length..<length + count]))
  }
}
