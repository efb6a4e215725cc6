package import OffstageSystem

/// A started program, which gets bytes and answers in lines.
package final class Child {
  private var input: Int32
  private let output: Int32
  private let process: ChildProcess
  private var ended: ProcessEnd?
  package var lines = LineBuffer()

  /// - Parameter command: The program, looked up on `PATH`, and its arguments.
  /// - Throws: `FileError` if it cannot be started.
  package init(_ command: [String]) throws {
    // Writing to a program that has ended must return an error, not end this process.
    signal(SIGPIPE, SIG_IGN)
    process = try ChildProcess(command[0], Array(command.dropFirst()))
    (input, output) = (process.input, process.output)
    _ = fcntl(input, F_SETFL, 0)
  }

  // An unreaped child would keep Swift Testing from noticing the end of its own.
  deinit {
    _ = try? end()
    systemClose(output)
  }

  package var id: pid_t { process.id }

  /// Writes all of the bytes, however long that takes.
  package func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(input, UnsafeRawBufferPointer(rebasing: rest))
        guard count >= 0 else { throw FileError("write") }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Returns the next line without its LF, valid until the next call; nil at the end of the output.
  package func nextLine() throws -> UnsafeRawBufferPointer? {
    while true {
      if let line = lines.next() { return line }
      guard try read() else { return nil }
    }
  }

  /// Writes everything and closes the input, while reading to the end of the output, so that
  /// neither side blocks on a full pipe. Calls `consume` for each line.
  package func pour(_ bytes: [UInt8], consume: (UnsafeRawBufferPointer) -> Void) throws {
    _ = fcntl(input, F_SETFL, fcntl(input, F_GETFL) | O_NONBLOCK)
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      var isOpen = true
      while isOpen {
        var descriptors = [
          pollfd(fd: output, events: Int16(POLLIN), revents: 0),
          pollfd(fd: rest.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        ]
        guard poll(&descriptors, 2, -1) >= 0 else { throw FileError("poll") }
        if descriptors[0].revents != 0 {
          isOpen = try read()
          while let line = lines.next() { consume(line) }
        }
        if descriptors[1].revents != 0 {
          let count = systemWrite(input, UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 16)))
          guard count >= 0 || errno == EAGAIN else { throw FileError("write") }
          rest = rest.dropFirst(max(count, 0))
          if rest.isEmpty { closeInput() }
        }
      }
    }
  }

  /// Closes the input, reads what is left of the output, and waits for the program to end.
  @discardableResult
  package func end() throws -> ProcessEnd {
    if let ended { return ended }
    closeInput()
    while try nextLine() != nil {}
    let end = try process.wait()
    ended = end
    return end
  }

  private func read() throws -> Bool {
    let count = lines.fill(from: output)
    guard count >= 0 else { throw FileError("read") }
    return count > 0
  }

  private func closeInput() {
    if input >= 0 { systemClose(input) }
    input = -1
  }
}
