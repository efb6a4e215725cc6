internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem
internal import OffstageTranscripts

/// This program as a child process that a transcript is played to.
final class CoreProcess: TranscriptTarget, @unchecked Sendable {
  private let child: pid_t
  private var input: Int32
  private let output: Int32
  private var reader = LineReader(limit: 1 << 30)
  private var lines: [String] = []
  private var hasEnded = false
  private var wasSentTo = false
  private var isReaped = false
  private var barriers = 0
  /// How many of the core's lines before the present block were barriers of our own.
  private var earlierBarriers = 0

  /// - Throws: `FileError` where the program cannot be started.
  init(arguments: [String]) throws(FileError) {
    signal(SIGPIPE, SIG_IGN)
    let toChild = try Self.makePipe()
    let fromChild = try Self.makePipe()
    var actions = spawnFileActions
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let path = Self.executable
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    let failure = posix_spawn(&child, path, &actions, nil, &words, environmentPointer)
    Descriptor.close(toChild.reading)
    Descriptor.close(fromChild.writing)
    guard failure == 0 else {
      errno = failure
      throw FileError(path)
    }
    self.child = child
    input = toChild.writing
    output = fromChild.reading
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  func send(_ bytes: [UInt8]) throws {
    wasSentTo = true
    var rest = bytes[...]
    while !rest.isEmpty, !hasEnded {
      let count = rest.withUnsafeBytes { Descriptor.write(input, $0) }
      if count < 0, !Descriptor.shouldRetry { return }
      rest = rest.dropFirst(max(count, 0))
      if !rest.isEmpty { try read(unless: Int16(POLLOUT)) }
    }
  }

  func settle() throws -> [String] {
    // Before the core has shown its document, settling would initialize it: a method that does not
    // exist is a barrier too.
    var found = wasSentTo ? try barrier("$/barrier") : []
    if hasFrame(found) || hasShownFrame { found += try barrier("state/settle") }
    earlierBarriers = barriers
    return found
  }

  func close() throws -> (lines: [String], exit: Int32?) {
    closeInput()
    while !hasEnded { try read() }
    let status = reap()
    let signal = status & 0x7F
    return (takeLines(), signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
  }

  private func closeInput() {
    if input >= 0 { Descriptor.close(input) }
    input = -1
  }

  /// - Returns: how the child ended, as `wait` has it.
  private func reap() -> Int32 {
    isReaped = true
    Descriptor.close(output)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// A child that was given up, since it got stuck, must not stay.
  deinit {
    guard !isReaped else { return }
    kill(child, SIGKILL)
    closeInput()
    _ = reap()
  }

  private var hasShownFrame = false

  private func hasFrame(_ lines: [String]) -> Bool {
    if lines.contains(where: { $0.contains("\"method\":\"frame\"") }) { hasShownFrame = true }
    return hasShownFrame
  }

  /// Sends a request of our own and takes everything up to its response, which is left out.
  private func barrier(_ method: String) throws -> [String] {
    barriers += 1
    let id = "\"$barrier:\(barriers)\""
    try send(Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\"}\n".utf8))
    while !hasEnded {
      if let end = lines.firstIndex(where: { $0.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),") }) {
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

  /// Reads what there is, waiting for it; returns early once `event` is possible on the input.
  ///
  /// - Throws: `StuckCore` after a minute without a word.
  private func read(unless event: Int16 = 0) throws {
    var waits = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: event == 0 ? -1 : input, events: event, revents: 0),
    ]
    let ready = poll(&waits, 2, 60_000)
    guard ready != 0 else {
      throw StuckCore()
    }
    guard ready > 0, waits[0].revents != 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = chunk.withUnsafeMutableBytes { Descriptor.read(output, into: $0) }
    if count > 0 {
      chunk.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    } else if count == 0 || !Descriptor.shouldRetry {
      hasEnded = true
    }
    while let line = hasEnded ? reader.next() ?? reader.last() : reader.next() {
      guard case .text(let range, _) = line else { continue }
      lines.append(ownLine(reader.withBytes(of: range) { String(decoding: $0, as: UTF8.self) }))
    }
  }

  /// An error that counts the lines of the input counts our barriers too; a transcript knows nothing
  /// of them.
  private func ownLine(_ line: String) -> String {
    guard earlierBarriers > 0, line.contains("\"error\":{"), let message = try? JSON(parsing: line)
    else { return line }
    // A batch is answered by an array.
    if let answers = message.array { return JSON.array(answers.map(ownAnswer)).description }
    return ownAnswer(message).description
  }

  private func ownAnswer(_ message: JSON) -> JSON {
    guard case .object(var response) = message, case .object(var error)? = response["error"],
      case .object(var data)? = error["data"], case .number(let number)? = data["line"],
      let counted = Int(number.raw)
    else { return message }
    data["line"] = .number(JSONNumber(counted - earlierBarriers))
    error["data"] = .object(data)
    response["error"] = .object(error)
    return .object(response)
  }

  private static func makePipe() throws(FileError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FileError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static var executable: String {
    #if canImport(Darwin)
      return CommandLine.arguments[0]
    #else
      return "/proc/self/exe"
    #endif
  }
}

/// A core that neither answers nor ends.
struct StuckCore: Error, CustomStringConvertible {
  let description =
    "the core has said nothing for a minute and was ended; an effect of it may be stuck"
}
