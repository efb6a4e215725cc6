import Foundation
import OffstageSystem
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
    process = try ChildProcess.start(
      command[0], Array(command.dropFirst()),
      [input.theirs, output.theirs, errors.theirs, lifeline.writing])
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
