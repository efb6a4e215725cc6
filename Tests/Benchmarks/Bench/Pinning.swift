import OffstageSystem

#if os(Linux)
  /// Runs `body` with this process, and all that it starts, on one core.
  func pinned(_ body: () throws -> Void) throws {
    let all = try Affinity.current()
    defer { try? all.use() }
    try all.last.use()
    try body()
  }

  /// The cores that a process may run on, a bit each.
  ///
  /// Glibc's module leaves the calls for it out, since they are extensions, so they are looked up.
  private struct Affinity {
    private typealias Call = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
    private var bytes = [UInt8](repeating: 0, count: 128)

    static func current() throws -> Affinity {
      var affinity = Affinity()
      try affinity.call("sched_getaffinity")
      return affinity
    }

    /// Only the last core of these; the first one usually serves the interrupts.
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
  /// This system offers no pinning, so `body` just runs.
  func pinned(_ body: () throws -> Void) throws {
    try body()
  }
#endif
