internal import Offstage
internal import OffstageJSON
internal import OffstageTranscripts

/// Checks transcripts against this very program, each in a fresh process.
struct ReplayCommand {
  let files: [String]
  let update: Bool

  /// - Returns: 0 when all transcripts hold, 1 otherwise; also after an update, so that no check can
  ///   bless what it has just changed.
  func run() -> Int32 {
    var failures = 0
    for file in files {
      do {
        let differences = try CoreActor.executor.runToEnd { try await check(file) }
        for difference in differences { StandardStreams.print("\(difference)\n") }
        if !differences.isEmpty { failures += 1 }
      } catch {
        StandardStreams.print("\(error)\n")
        failures += 1
      }
    }
    StandardStreams.print("\(files.count - failures) passed, \(failures) failed")
    return failures == 0 ? 0 : 1
  }

  private func check(_ file: String) async throws -> [TranscriptDifference] {
    let transcript = try Transcript(try Descriptor.readFile(file), file: file)
    let outputs = try await transcript.play { try CoreProcess(arguments: $0.arguments) }
    let differences = transcript.differences(from: outputs)
    if update, !differences.isEmpty {
      try Descriptor.replaceFile(file, Array(transcript.updated(with: outputs).text.utf8))
    }
    return differences
  }
}
