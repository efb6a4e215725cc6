internal import Offstage
import OffstageSystem

/// The process's standard input and output, out of reach of all other code in it.
///
/// The descriptors 0 and 1 are duplicated and replaced: a stray `print` goes to standard error and
/// cannot corrupt the protocol, and a stray `readLine` finds nothing.
struct StandardStreams {
  let input: Int32
  let output: Int32
  private let outputFlags: Int32

  init() {
    signal(SIGPIPE, SIG_IGN)
    input = fcntl(0, F_DUPFD_CLOEXEC, 3)
    output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    let null = open("/dev/null", O_RDONLY)
    dup2(null, 0)
    systemClose(null)
    dup2(2, 1)
    outputFlags = fcntl(output, F_GETFL)
  }

  /// Makes the output non-blocking, so that a slow reader does not stop the core. Terminals and
  /// files never block for long.
  func stopBlocking() {
    var status = stat()
    fstat(output, &status)
    let kind = status.st_mode & S_IFMT
    if kind == S_IFIFO || kind == S_IFSOCK {
      _ = fcntl(output, F_SETFL, outputFlags | O_NONBLOCK)
    }
  }

  /// Restores the output's flags, since other processes may share it.
  func restore() { _ = fcntl(output, F_SETFL, outputFlags) }

  /// Makes them the standard streams again, for a program that takes the place of this one.
  func giveBack() {
    dup2(input, 0)
    dup2(output, 1)
  }

  /// Prints lines on standard output. Must not be called while serving.
  /// - Parameter descriptor: The descriptor of standard output, which `StandardStreams()` moves.
  static func print(_ text: String, on descriptor: Int32 = 1) throws(FileError) {
    guard Descriptor.writeAll(descriptor, Array((text + "\n").utf8)) else {
      throw FileError("standard output")
    }
  }

  /// Prints a line on standard error, escaped, as it may contain text from files and servers.
  /// - Parameter timeout: The longest wait for a reader in milliseconds; -1 for no limit. A program
  ///   that cannot start must still exit; while serving, it is 0, as the core must not wait.
  static func printError(_ text: String, timeout: Int32 = 1000) {
    Descriptor.writeAll(2, Array((Console.escaped(text) + "\n").utf8), timeout: timeout)
  }

  /// Enough for the streams, the core, a database, and a few connections. System libraries abort
  /// the process when no descriptor is left.
  private static let fewestDescriptors: rlim_t = 64

  /// Opens `/dev/null` for every standard stream that the parent has closed, so that no other file
  /// gets its number. Raises the limit of open files if it is too low.
  static func prepare() throws(FileError) {
    var descriptor: Int32
    repeat { descriptor = open("/dev/null", O_RDWR) } while (0...2).contains(descriptor)
    if descriptor >= 0 { systemClose(descriptor) }
    guard openFileLimit.rlim_cur < fewestDescriptors else { return }
    openFileLimit.rlim_cur = min(fewestDescriptors, openFileLimit.rlim_max)
    guard openFileLimit.rlim_cur >= fewestDescriptors else {
      throw FileError(
        description: "the limit of \(openFileLimit.rlim_cur) open files is too low; "
          + "raise it with ulimit -n \(fewestDescriptors)")
    }
  }
}
