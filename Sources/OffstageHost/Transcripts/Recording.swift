internal import Offstage
internal import OffstageJSON
internal import OffstageSystem
internal import OffstageTranscripts

/// Records a run as a transcript, line by line, so that a crash loses nothing recorded before it.
@CoreActor
final class Recording {
  private let path: String
  private let descriptor: Int32
  /// The length of the complete lines, in bytes.
  private var length: off_t = 0
  private(set) var fault: FileError?
  private var recorder = TranscriptRecorder()
  /// The number of the last line that was recorded.
  private var lastLine = 0
  /// The names of the inputs whose values are masked.
  private let secrets: Set<String>

  /// - Parameter command: The run's command line without `--record`. Secrets in URLs are omitted.
  init(path: String, command: [String], secrets: Set<String>) throws {
    guard command.allSatisfy({ !$0.utf8.contains(UInt8(ascii: "\n")) }) else {
      throw UsageError("cannot record a run with a line break in an argument")
    }
    self.path = path
    self.secrets = secrets
    descriptor = try Descriptor.createPrivateFile(path)
    let arguments = command.dropFirst().map(Self.withoutSecrets)
    write(recorder.start(TranscriptCommand(program: command[0], arguments: arguments)))
  }

  func record(_ connection: Connection) {
    let session = connection.session
    session.publisher.output.onLine = { self.received($0) }
    connection.input.onLine = { self.sent($0, number: $1, afterRest: session.isAtRest) }
  }

  /// Records an input line, and a blank one for each skipped line before it, since errors contain
  /// line numbers.
  /// - Parameters:
  ///   - line: nil for a line that is too long, which becomes blank.
  ///   - afterRest: True if the core had settled before it.
  @inline(never)
  func sent(_ line: UnsafeRawBufferPointer?, number: Int, afterRest: Bool) {
    let skipped = number - lastLine - (line == nil ? 0 : 1)
    for _ in 0..<skipped { write(recorder.sent([], afterRest: false)) }
    lastLine = number
    if let line { write(recorder.sent(withoutSecrets(line), afterRest: afterRest)) }
  }

  func received(_ line: String) { write(recorder.received(line)) }

  func finish(exit status: Int32) { write(recorder.exit(status)) }

  private func write(_ text: String) {
    guard fault == nil else { return }
    if Descriptor.writeAll(descriptor, Array(text.utf8)) {
      length += off_t(text.utf8.count)
      return
    }
    let fault = FileError(path)
    self.fault = fault
    // Keep whole lines only, as after a crash. This fails for a device, which has no content.
    _ = ftruncate(descriptor, length)
    StandardStreams.printError("\(fault); the recording ends here", timeout: 0)
  }

  /// Masks the values that a line sends to secret inputs, and keeps every other byte.
  private func withoutSecrets(_ line: UnsafeRawBufferPointer) -> [UInt8] {
    let line = Array(line)
    guard !secrets.isEmpty, let text = try? JSONText(line) else { return line }
    return text.withRoot { root in
      let calls = root.isArray ? Array(root.elements) : [root]
      let masked = calls.flatMap { call in
        call.members.filter { $0.key.equals("params") }.map(\.value)
      }.filter { params in
        guard let name = params.member("name")?.string else { return false }
        return secrets.contains(String(name.split(separator: "/").last ?? ""))
      }.flatMap { params in
        params.members.filter { $0.key.equals("value") && $0.value.string != "" }.map(\.value)
      }.filter { !$0.isNull }
      guard !masked.isEmpty else { return line }
      return root.bytes(replacing: masked, with: Array("\"\(secretMask)\"".utf8))
    }
  }

  /// Removes the parts of a URL that may be secret: the user and password, and the query.
  private static func withoutSecrets(_ word: String) -> String {
    guard let scheme = word.utf8.firstRange(of: "://".utf8) else { return word }
    let start = word[..<scheme.upperBound]
    let rest = word[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(start + (host ?? authority) + rest[authority.endIndex...])
  }
}
