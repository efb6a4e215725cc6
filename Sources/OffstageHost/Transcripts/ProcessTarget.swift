internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem
internal import OffstageTranscripts

/// A child process of this program that a transcript is played to.
@CoreActor
final class ProcessTarget: TranscriptTarget {
  private let process: ChildProcess
  private var output: LineInput
  private var inputIsOpen = true
  private var hasExited = false
  private var lines: [String] = []
  private var wasSentTo = false
  private var hasSentFrame = false
  private var barriers = 0
  /// The number of barriers among the input lines before the current block.
  private var earlierBarriers = 0

  /// - Parameter directory: The home directory of the child.
  init(_ arguments: [String], directory: String) throws(FileError) {
    signal(SIGPIPE, SIG_IGN)
    process = try ChildProcess(
      ChildProcess.ownPath, arguments, environment: Self.environment(home: directory))
    output = LineInput(process.output)
  }

  isolated deinit {
    if hasExited { return }
    kill(process.id, SIGKILL)
    _ = try? exit()
  }

  /// Returns the variables that a program needs. Others may be secret; the transcript is untrusted.
  private static func environment(home: String) -> [String] {
    let passed = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"]
    return ["HOME=\(home)"]
      + passed.compactMap { name in Environment.variable(name).map { "\(name)=\($0)" } }
  }

  // MARK: TranscriptTarget

  func send(_ bytes: [UInt8]) throws {
    wasSentTo = true
    var unsent = bytes[...]
    while !unsent.isEmpty, inputIsOpen, !output.hasEnded { try exchange(&unsent) }
  }

  func settle() throws -> [String] {
    // Before the first frame, `state/settle` would initialize the core; an unknown method does not.
    var found = wasSentTo ? try barrier("$/barrier") : []
    hasSentFrame = hasSentFrame || found.contains { FrameWriter.revision(of: $0.utf8) != nil }
    if hasSentFrame { found += try barrier("state/settle") }
    earlierBarriers = barriers
    return found
  }

  func close() throws -> TranscriptOutput {
    closeInput()
    while !output.hasEnded { try read() }
    return TranscriptOutput(blocks: [takeLines()], exit: try exit().exitStatus)
  }

  private func closeInput() {
    if inputIsOpen { systemClose(process.input) }
    inputIsOpen = false
  }

  private func exit() throws(FileError) -> ProcessEnd {
    hasExited = true
    closeInput()
    systemClose(process.output)
    return try process.wait()
  }

  /// Sends a request that is not part of the transcript. Returns the lines before its response.
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

  private func read() throws {
    var unsent: ArraySlice<UInt8> = []
    try exchange(&unsent)
  }

  /// Waits until the core has printed something or accepts more input.
  /// - Throws: An error after a minute without either.
  private func exchange(_ unsent: inout ArraySlice<UInt8>) throws {
    var waits = [
      pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : process.input, events: Int16(POLLOUT), revents: 0),
    ]
    let ready = poll(&waits, 2, 60_000)
    guard ready != 0 else {
      throw FileError(
        description: "the core has printed nothing for a minute; one of its effects may be stuck")
    }
    guard ready > 0 else { return }
    if waits[1].revents != 0 {
      let count = unsent.withUnsafeBytes { systemWrite(process.input, $0) }
      if count < 0, !systemCallShouldRetry { closeInput() }
      unsent = unsent.dropFirst(max(count, 0))
    }
    guard waits[0].revents != 0 else { return }
    output.read()
    while let line = output.next() { lines.append(renumbered(line)) }
  }

  /// Subtracts the barriers, which the transcript does not count, from the line number of an error.
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
