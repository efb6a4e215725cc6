import Foundation
import TestSupport

/// A started program and this side's ends of its streams.
struct Spawn {
  /// A kind of standard stream.
  enum Stream {
    case pipe
    /// A socket pair, as Node uses for its children; only for output.
    case socket
    /// Closed, as by the shell's `<&-`.
    case closed
    case file(String)
  }

  let process: pid_t
  /// Writes to its standard input, without blocking; -1 without a pipe.
  let input: Int32
  /// Reads its standard output; -1 without a pipe.
  let output: Int32
  /// A pipe that reaches its end when the program ends.
  let lifeline: Int32

  /// - Parameter command: the program's path and its arguments.
  /// - Throws: `PeerError` if it cannot be started.
  init(_ command: [String], stdin: Stream, stdout: Stream, stderr: Stream) throws {
    let input = try Self.open(stdin, O_RDONLY)
    let output = try Self.open(stdout, O_WRONLY)
    let errors = try Self.open(stderr, O_WRONLY)
    let lifeline = try Self.makePipe()
    defer {
      for end in [input.theirs, output.theirs, errors.theirs, lifeline.writing] where end >= 0 {
        close(end)
      }
    }
    process = try Self.start(
      command, [input.theirs, output.theirs, errors.theirs, lifeline.writing])
    (self.input, self.output, self.lifeline) = (input.ours, output.ours, lifeline.reading)
    if input.ours >= 0 { _ = fcntl(input.ours, F_SETFL, O_NONBLOCK) }
  }

  private static func open(_ stream: Stream, _ access: Int32) throws -> (theirs: Int32, ours: Int32)
  {
    switch stream {
    case .closed: return (-1, -1)
    case .pipe:
      let ends = try makePipe()
      return access == O_RDONLY ? (ends.reading, ends.writing) : (ends.writing, ends.reading)
    case .socket: return try socketPair()
    case .file(let path):
      let create = access == O_RDONLY ? 0 : O_CREAT | O_TRUNC
      let descriptor = Foundation.open(path, access | create | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw PeerError(path, errno) }
      return (descriptor, -1)
    }
  }

  /// - Parameter descriptors: the program's descriptors 0, 1 and so on; -1 to close one.
  private static func start(_ command: [String], _ descriptors: [Int32]) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child must not inherit blocked signals from this thread, nor ignored ones.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    for (number, descriptor) in zip(Int32(0)..., descriptors) {
      if descriptor < 0 {
        posix_spawn_file_actions_addclose(&actions, number)
      } else {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    #if canImport(Darwin)
      let environment = _NSGetEnviron().pointee
    #else
      let environment = environ
    #endif
    let failure = posix_spawn(&process, command[0], &actions, &attributes, &words, environment)
    guard failure == 0 else { throw PeerError(command[0], failure) }
    return process
  }

  /// Returns a pipe that children do not inherit.
  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PeerError("pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// The program under test, next to the test bundle.
enum Fixture {
  static let path = directory.appendingPathComponent("HostFixture").path

  private static var directory: URL {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return (bundle ?? Bundle.main).bundleURL.deletingLastPathComponent()
    #else
      return Bundle.main.bundleURL
    #endif
  }
}
