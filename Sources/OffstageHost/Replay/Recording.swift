internal import Offstage
internal import OffstageTranscripts

/// Mirrors a run into a file, as a transcript, line by line: a run that crashes leaves all that led
/// to it.
@CoreActor
final class Recording {
  private let path: String
  private let descriptor: Int32
  /// Why nothing more could be written.
  private(set) var fault: FileError?
  private var recorder = TranscriptRecorder()

  /// - Parameter command: the run's command line; the option that asks for the recording is left out.
  /// - Throws: `FileError` for a file that cannot be written.
  init(path: String, command: [String]) throws(FileError) {
    self.path = path
    descriptor = try Descriptor.create(path)
    write(
      recorder.start(
        TranscriptCommand(
          program: command[0],
          arguments: Self.withoutRecord(Array(command.dropFirst())).map(Self.withoutPassword))))
  }

  /// A line came, after the core had come to rest or while it was at work.
  func sent(_ line: UnsafeRawBufferPointer, afterRest: Bool) {
    if afterRest { recorder.barrier() }
    write(recorder.sent(Array(line)))
  }

  /// Lines that say nothing came; they count all the same, as errors name the number of their line.
  func skipped(_ count: Int) {
    for _ in 0..<count { write(recorder.sent([])) }
  }

  func received(_ line: String) { write(recorder.received(line)) }

  func finish(exit status: Int32) {
    write(recorder.exit(status))
  }

  private func write(_ text: String) {
    guard fault == nil, !Descriptor.writeAll(descriptor, Array(text.utf8)) else { return }
    fault = FileError(path)
  }

  /// Removes user and password from a URL.
  private static func withoutPassword(_ word: String) -> String {
    word.replacing(/:\/\/[^\/?#]*@/, with: "://")
  }

  private static func withoutRecord(_ words: [String]) -> [String] {
    var kept: [String] = []
    var words = words[...]
    while let word = words.popFirst() {
      if word == "--record" {
        words = words.dropFirst()
      } else if !word.hasPrefix("--record=") {
        kept.append(word)
      }
    }
    return kept
  }
}
