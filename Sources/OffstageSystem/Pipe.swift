/// Both ends of a pipe. They close at the end of its lifetime, and child processes do not inherit
/// them.
package struct Pipe: ~Copyable {
  package let reading: OwnedDescriptor
  package let writing: OwnedDescriptor

  package init() throws(FileError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FileError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = OwnedDescriptor(number: ends[0])
    writing = OwnedDescriptor(number: ends[1])
  }
}

/// A descriptor that closes at the end of its lifetime.
package struct OwnedDescriptor: ~Copyable {
  package let number: Int32

  deinit { systemClose(number) }

  /// Hands the descriptor over to the caller.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}

/// A pipe that wakes a thread from `poll`.
package final class WakePipe: Sendable {
  private let ends: Pipe

  package init() throws(FileError) {
    ends = try Pipe()
    for end in [ends.reading.number, ends.writing.number] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  package var descriptor: Int32 { ends.reading.number }

  /// Makes the next wait return immediately. Safe to call from a signal handler.
  package func wake() {
    // A full pipe must not change the `errno` of the code that a signal has interrupted.
    let error = errno
    var byte: UInt8 = 1
    _ = write(ends.writing.number, &byte, 1)
    errno = error
  }

  package func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(descriptor, &bytes, 16) == 16 {}
  }

  /// Waits for a call to `wake`.
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  package func wait(_ milliseconds: Int32 = -1) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, milliseconds) > 0 { drain() }
  }
}
