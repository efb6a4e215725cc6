import OffstageSystem

/// The process's own input and output, taken away from everybody else.
///
/// The descriptors 0 and 1 are duplicated and replaced: what a stray `print` writes goes to standard
/// error and cannot corrupt the protocol, and a stray `readLine` finds nothing.
struct StandardStreams {
  let input: Int32
  let output: Int32
  /// Output that blocks would stop the core, except to a terminal or a file, which take everything.
  private let outputFlags: Int32

  init() {
    signal(SIGPIPE, SIG_IGN)
    input = Self.duplicate(0)
    output = Self.duplicate(1)
    let null = open("/dev/null", O_RDONLY)
    dup2(null, 0)
    close(null)
    dup2(2, 1)
    outputFlags = fcntl(output, F_GETFL)
  }

  /// Has writing to a reader who does not read return at once.
  func stopBlocking() {
    var status = stat()
    fstat(output, &status)
    let kind = status.st_mode & S_IFMT
    if kind == S_IFIFO || kind == S_IFSOCK {
      _ = fcntl(output, F_SETFL, outputFlags | O_NONBLOCK)
    }
  }

  /// Gives the output back as it was: others may share it.
  func restore() { _ = fcntl(output, F_SETFL, outputFlags) }

  /// Puts something in the place of what the parent has closed: an input at its end, outputs that
  /// take everything. Else the next descriptor that is opened would be taken for standard input.
  static func fillGaps() {
    var descriptor: Int32
    repeat { descriptor = open("/dev/null", O_RDWR) } while (0...2).contains(descriptor)
    close(descriptor)
  }

  private static func duplicate(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  /// Prints a line on what was standard output.
  func print(_ text: String) { Self.write(text, to: output) }

  /// Prints a line for a person; never while serving.
  static func print(_ text: String) { write(text, to: 1) }

  /// Prints a line about what went wrong.
  static func complain(_ text: String) { write(text, to: 2) }

  private static func write(_ text: String, to descriptor: Int32) {
    Descriptor.writeAll(descriptor, Array((text + "\n").utf8))
  }
}
