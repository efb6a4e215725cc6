internal import OffstageSystem

/// A process that this one has started, and this side's ends of its pipes.
struct ChildProcess {
  let id: pid_t
  /// Writes to its standard input without blocking.
  let input: Int32
  /// Reads its standard output.
  let output: Int32

  /// - Parameters:
  ///   - path: a path, or a name to look up in `PATH`.
  ///   - environment: its variables, each as `NAME=value`; nil for those of this process.
  ///   - ownsSession: true to keep the signals of a terminal, such as that of Ctrl+C, from it.
  ///   - mergesErrors: true to read its standard error as well.
  init(
    _ path: String, _ arguments: [String], environment: [String]? = nil, ownsSession: Bool = false,
    mergesErrors: Bool = false
  ) throws(FileError) {
    signal(SIGPIPE, SIG_IGN)
    let toChild = try Self.makePipe()
    let fromChild = try Self.makePipe()
    var actions = spawnFileActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
    if mergesErrors { posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 2) }
    var attributes = spawnAttributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if ownsSession { posix_spawnattr_setflags(&attributes, spawnInNewSession) }
    var words = Self.cStrings([path] + arguments)
    var variables = environment.map(Self.cStrings)
    defer { for string in words + (variables ?? []) { free(string) } }
    var child = pid_t()
    let failure =
      variables == nil
      ? posix_spawnp(&child, path, &actions, &attributes, &words, systemEnvironment)
      : posix_spawnp(&child, path, &actions, &attributes, &words, &variables!)
    systemClose(toChild.reading)
    systemClose(fromChild.writing)
    guard failure == 0 else {
      systemClose(toChild.writing)
      systemClose(fromChild.reading)
      throw FileError(path, code: failure)
    }
    id = child
    input = toChild.writing
    output = fromChild.reading
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  /// Waits for its end.
  /// - Returns: the status as `waitpid` has it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Returns true if it has ended, without waiting for that.
  func hasEnded() -> Bool {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) != 0
  }

  /// The path of this program.
  static var ownPath: String {
    #if canImport(Darwin)
      return CommandLine.arguments[0]
    #else
      return "/proc/self/exe"
    #endif
  }

  /// The exit status behind one of `waitpid`, with 128 and the number of the signal that ended a process.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
  }

  private static func makePipe() throws(FileError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FileError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
