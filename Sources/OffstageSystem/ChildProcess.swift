internal import OffstageLibc

/// A process that this one has started, and its pipes.
package struct ChildProcess: Sendable {
  /// The destination of a child's standard error.
  package enum Errors { case inherited, merged, piped }

  package let id: pid_t
  /// The non-blocking descriptor that writes to its standard input.
  package let input: Int32
  /// The descriptor that reads its standard output.
  package let output: Int32
  /// The descriptor that reads its standard error if that has its own pipe; otherwise -1.
  package let errors: Int32

  package static let inheritedDescriptor: Int32 = 3

  /// - Parameters:
  ///   - path: Its path, or a name to look up in `PATH`.
  ///   - environment: Its variables, each as `NAME=value`; nil for those of this process.
  ///   - additions: More variables.
  ///   - inherited: A descriptor that it gets as `inheritedDescriptor`.
  ///   - ownsSession: True to shield it from Ctrl+C in the terminal.
  /// - Throws: `FileError` if it cannot be started.
  package init(
    _ path: String, _ arguments: [String], environment: [String]? = nil,
    adding additions: [String] = [], inheriting inherited: Int32? = nil,
    ownsSession: Bool = false, errors: Errors = .inherited
  ) throws(FileError) {
    let toChild = try Pipe()
    let fromChild = try Pipe()
    let log = try Pipe()
    let theirErrors =
      switch errors {
      case .inherited: fcntl(2, F_GETFD) < 0 ? -1 : 2 as Int32
      case .merged: fromChild.writing.number
      case .piped: log.writing.number
      }
    let streams = [toChild.reading.number, fromChild.writing.number, theirErrors]
    id = try Self.start(
      path, arguments, streams + [inherited].compactMap(\.self),
      environment: environment, adding: additions, ownsSession: ownsSession)
    input = toChild.writing.release()
    output = fromChild.reading.release()
    self.errors = errors == .piped ? log.reading.release() : -1
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  /// Starts a program with these descriptors, from 0 on, and with none of the other ones of this
  /// process, which others may be waiting for the end of.
  /// - Parameter descriptors: -1 for one that is closed.
  /// - Returns: Its id.
  package static func start(
    _ path: String, _ arguments: [String], _ descriptors: [Int32], environment: [String]? = nil,
    adding additions: [String] = [], ownsSession: Bool = false
  ) throws(FileError) -> pid_t {
    var actions = spawnFileActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in zip(Int32(0)..., descriptors) {
      if descriptor < 0 {
        posix_spawn_file_actions_addclose(&actions, number)
      } else {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    offstage_spawn_close_from(&actions, Int32(descriptors.count))
    var attributes = spawnAttributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads of a pool block signals, and the child would inherit that: SIGTERM would not end it.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // Nor must it ignore the signals that this process ignores.
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | spawnClosingTheRest
    posix_spawnattr_setflags(&attributes, flags | (ownsSession ? spawnInNewSession : 0))
    var words = cStrings([path] + arguments) + [nil]
    let inherited = environment.map(cStrings) ?? ownVariables
    var variables = inherited + cStrings(additions) + [nil]
    defer { for string in words + variables { free(string) } }
    var child = pid_t()
    let failure = posix_spawnp(&child, path, &actions, &attributes, &words, &variables)
    guard failure == 0 else { throw FileError(path, code: failure) }
    return child
  }

  /// Waits for the process to end, and frees its id. Call this once.
  /// - Throws: `FileError` if it has already been reaped, as in a process that ignores `SIGCHLD`.
  package func wait() throws(FileError) -> ProcessEnd {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { throw FileError("waitpid") }
    }
    return ProcessEnd(status)
  }

  package static var ownPath: String {
    #if canImport(Darwin)
      return CommandLine.arguments[0]
    #else
      return "/proc/self/exe"
    #endif
  }

  private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) }
  }

  /// Copies of this process's variables, which may not be UTF-8.
  private static var ownVariables: [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    while let variable = systemEnvironment[copies.count] { copies.append(strdup(variable)) }
    return copies
  }
}

package enum ProcessEnd: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case killed(signal: Int32)

  fileprivate init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  package var description: String {
    switch self {
    case .exited(let status): "with status \(status)"
    case .killed(let signal): "killed by signal \(signal)"
    }
  }

  /// The status that a shell reports: 128 plus the signal's number for a killed process.
  package var exitStatus: Int32 {
    switch self {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    }
  }
}

/// The variables of this process, terminated by nil.
private var systemEnvironment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  #if canImport(Darwin)
    _NSGetEnviron().pointee!
  #else
    environ
  #endif
}

// Darwin declares these types as pointers.
#if canImport(Darwin)
  private var spawnFileActions: posix_spawn_file_actions_t? { nil }
  private var spawnAttributes: posix_spawnattr_t? { nil }
#else
  private var spawnFileActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  private var spawnAttributes: posix_spawnattr_t { posix_spawnattr_t() }
#endif

/// The flag with which Darwin closes all descriptors but those of the file actions.
private var spawnClosingTheRest: Int16 {
  #if canImport(Darwin)
    Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
  #else
    0
  #endif
}

/// The flag `POSIX_SPAWN_SETSID`, which glibc declares as an extension.
private var spawnInNewSession: Int16 {
  #if canImport(Darwin)
    0x400
  #else
    0x80
  #endif
}
