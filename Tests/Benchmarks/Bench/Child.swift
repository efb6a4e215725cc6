import OffstageSystem
import TestSupport

/// A started program with a pipe to its stdin and one from its stdout.
final class Child {
  private var input: Int32
  private var output: Int32
  private let process: ChildProcess

  /// - Parameter command: the program, looked up on `PATH`, and its arguments.
  /// - Throws: `FileError` when it cannot be started.
  init(_ command: [String]) throws {
    // Writing to a program that has ended must return an error, not end this process.
    signal(SIGPIPE, SIG_IGN)
    process = try ChildProcess(command[0], Array(command.dropFirst()))
    (input, output) = (process.input, process.output)
    _ = fcntl(input, F_SETFL, 0)
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(input, UnsafeRawBufferPointer(rebasing: rest))
        guard count >= 0 else { throw BenchError.system("write", errno) }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// - Returns: False at the end of the output.
  func read(into buffer: inout LineBuffer) throws -> Bool {
    let count = buffer.fill(from: output)
    guard count >= 0 else { throw BenchError.system("read", errno) }
    return count > 0
  }

  /// Writes everything and closes the input, while reading to the end of the output, so that
  /// neither side blocks on a full pipe. Calls `consume` after each read.
  func pour(
    _ bytes: [UInt8], into buffer: inout LineBuffer, consume: (inout LineBuffer) -> Void
  ) throws {
    _ = fcntl(input, F_SETFL, fcntl(input, F_GETFL) | O_NONBLOCK)
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      var isOpen = true
      while isOpen {
        var descriptors = [
          pollfd(fd: output, events: Int16(POLLIN), revents: 0),
          pollfd(fd: rest.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        ]
        guard poll(&descriptors, 2, -1) >= 0 else { throw BenchError.system("poll", errno) }
        if descriptors[0].revents != 0 {
          isOpen = try read(into: &buffer)
          consume(&buffer)
        }
        if descriptors[1].revents != 0 {
          let count = systemWrite(input, UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 16)))
          guard count >= 0 || errno == EAGAIN else { throw BenchError.system("write", errno) }
          rest = rest.dropFirst(max(count, 0))
          if rest.isEmpty { closeInput() }
        }
      }
    }
  }

  var memory: Double? { residentMemory(of: process.id).map(Double.init) }

  /// Closes the pipes and waits for the program to end. A second call has no effect.
  /// - Returns: True if the program has exited with 0.
  @discardableResult
  func close() -> Bool {
    guard output >= 0 else { return true }
    closeInput()
    systemClose(output)
    output = -1
    return (try? process.wait()) == .exited(0)
  }

  private func closeInput() {
    if input >= 0 { systemClose(input) }
    input = -1
  }
}

/// Why a benchmark could not be run.
enum BenchError: Error, CustomStringConvertible {
  /// The other side sent something unexpected.
  case unexpected(String)
  case usage(String)
  /// A system call failed: its name, and `errno`.
  case system(String, Int32)

  var description: String {
    switch self {
    case .unexpected(let what): "unexpected: \(what)"
    case .usage(let what): what
    case .system(let what, let code): "\(what): \(String(cString: strerror(code)))"
    }
  }
}

/// Returns nanoseconds on the monotonic clock.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func printError(_ text: String) {
  let line = text + "\n"
  _ = line.utf8.withContiguousStorageIfAvailable { systemWrite(2, UnsafeRawBufferPointer($0)) }
}

#if os(Linux)
  /// Runs `body` with this process and its children on one core.
  func pinned(_ body: () throws -> Void) throws {
    let all = try Affinity.current()
    defer { try? all.use() }
    try all.last.use()
    try body()
  }

  /// The cores on which a process may run, one bit each.
  ///
  /// Glibc's module omits the calls because they are extensions, so `call` looks them up.
  private struct Affinity {
    private typealias Call = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
    private var bytes = [UInt8](repeating: 0, count: 128)

    static func current() throws -> Affinity {
      var affinity = Affinity()
      try affinity.call("sched_getaffinity")
      return affinity
    }

    /// Only the last of these cores. The first one usually serves the interrupts.
    var last: Affinity {
      guard let index = bytes.lastIndex(where: { $0 != 0 }) else { return self }
      var one = Affinity()
      one.bytes[index] = 0x80 >> UInt8(bytes[index].leadingZeroBitCount)
      return one
    }

    func use() throws {
      var copy = self
      try copy.call("sched_setaffinity")
    }

    private mutating func call(_ name: String) throws {
      guard let symbol = dlsym(nil, name) else { throw BenchError.system(name, ENOSYS) }
      let function = unsafeBitCast(symbol, to: Call.self)
      let result = bytes.withUnsafeMutableBytes { function(0, $0.count, $0.baseAddress!) }
      guard result == 0 else { throw BenchError.system(name, errno) }
    }
  }
#else
  /// Just runs `body`, since this system does not offer pinning.
  func pinned(_ body: () throws -> Void) throws {
    try body()
  }
#endif
