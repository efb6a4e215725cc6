import OffstageSystem

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
