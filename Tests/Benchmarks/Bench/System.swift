import OffstageSystem

/// Why a benchmark could not be run.
enum BenchError: Error, CustomStringConvertible {
  /// The other side did not say what it should.
  case unexpected(String)
  case usage(String)
  /// A system call failed: what was tried, and `errno`.
  case system(String, Int32)

  var description: String {
    switch self {
    case .unexpected(let what): "unexpected: \(what)"
    case .usage(let what): what
    case .system(let what, let code): "\(what): \(String(cString: strerror(code)))"
    }
  }
}

/// Nanoseconds on the monotonic clock.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// A pipe that started programs do not inherit beyond what is handed to them.
func makePipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw BenchError.system("pipe", errno) }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

func printError(_ text: String) {
  let line = text + "\n"
  _ = line.utf8.withContiguousStorageIfAvailable { systemWrite(2, UnsafeRawBufferPointer($0)) }
}
