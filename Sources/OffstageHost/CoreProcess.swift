internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem
internal import OffstageTranscripts

/// A child process of this program, to which a transcript is played.
@CoreActor
final class CoreProcess: TranscriptTarget {
  private let child: ChildProcess
  private var input: Int32
  private var output: LineInput
  private var lines: [String] = []
  private var wasSentTo = false
  private var hasSentFrame = false
  private var isReaped = false
  private var barriers = 0
  /// The number of barriers among the input lines before the current block.
  private var earlierBarriers = 0

  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - directory: The home directory of the child.
  /// - Throws: `FileError` if the program cannot be started.
  init(_ arguments: [String], directory: String) throws(FileError) {
    signal(SIGPIPE, SIG_IGN)
    child = try ChildProcess(
      ChildProcess.ownPath, arguments, environment: Self.environment(home: directory))
    input = child.input
    output = LineInput(child.output)
  }

  /// The variables that a program needs to run. All others may be secret, and the transcript may be
  /// untrusted.
  private static func environment(home: String) -> [String] {
    let passed = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"]
    return ["HOME=\(home)"]
      + passed.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
  }

  // MARK: TranscriptTarget

  func send(_ bytes: [UInt8]) throws {
    wasSentTo = true
    var rest = bytes[...]
    while !rest.isEmpty, !output.hasEnded {
      let count = rest.withUnsafeBytes { systemWrite(input, $0) }
      if count < 0, !systemCallShouldRetry { return }
      rest = rest.dropFirst(max(count, 0))
      if !rest.isEmpty { try read(unless: Int16(POLLOUT)) }
    }
  }

  func settle() throws -> [String] {
    // Before the first frame, `state/settle` would initialize the core; an unknown method does not.
    var found = wasSentTo ? try barrier("$/barrier") : []
    hasSentFrame = hasSentFrame || found.contains { FrameWriter.revision(of: $0.utf8) != nil }
    if hasSentFrame { found += try barrier("state/settle") }
    earlierBarriers = barriers
    return found
  }

  func close() throws -> TranscriptEnd {
    closeInput()
    while !output.hasEnded { try read() }
    let end = try reap()
    return TranscriptEnd(lines: takeLines(), exit: end.exitStatus)
  }

  private func closeInput() {
    if input >= 0 { systemClose(input) }
    input = -1
  }

  private func reap() throws(FileError) -> ProcessEnd {
    isReaped = true
    systemClose(child.output)
    return try child.wait()
  }

  /// Kills a child that was given up.
  isolated deinit {
    guard !isReaped else { return }
    kill(child.id, SIGKILL)
    closeInput()
    _ = try? reap()
  }

  /// Sends a request of the player's own. Returns the lines up to its response, without the response.
  private func barrier(_ method: String) throws -> [String] {
    barriers += 1
    let start = "\(responseStart)\"$barrier:\(barriers)\","
    try send(Array("\(start)\"method\":\"\(method)\"}\n".utf8))
    while !output.hasEnded {
      if let end = lines.firstIndex(where: { $0.hasPrefix(start) }) {
        lines.remove(at: end)
        return takeLines()
      }
      try read()
    }
    return takeLines()
  }

  private func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Waits for output and reads it; returns early once `event` is possible on the input.
  /// - Throws: `StuckCore` after a minute without output.
  private func read(unless event: Int16 = 0) throws {
    var waits = [
      pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: event == 0 ? -1 : input, events: event, revents: 0),
    ]
    let ready = poll(&waits, 2, 60_000)
    guard ready != 0 else { throw StuckCore() }
    guard ready > 0, waits[0].revents != 0 else { return }
    output.read()
    while let line = output.nextText() { lines.append(renumbered(line)) }
  }

  /// Subtracts the barriers from the line number of an error, since the transcript does not count them.
  private func renumbered(_ line: String) -> String {
    guard earlierBarriers > 0, line.contains("\"error\":{"), let message = try? JSON(parsing: line)
    else { return line }
    if let batch = message.array { return JSON.array(batch.map(renumbered)).description }
    return renumbered(message).description
  }

  private func renumbered(_ message: JSON) -> JSON {
    guard let counted = message["error"]?["data"]?["line"]?.int else { return message }
    var response = message
    response["error"]?["data"]?["line"] = .int(counted - earlierBarriers)
    return response
  }
}

/// A core that neither responds nor exits.
private struct StuckCore: Error, CustomStringConvertible {
  let description = "the core has printed nothing for a minute; an effect of it may be stuck"
}
