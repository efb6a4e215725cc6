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

  /// - Throws: `Crash` for a core that did not end well, where the transcript says nothing of its end.
  private func check(_ file: String) async throws -> [TranscriptDifference] {
    let transcript = try Transcript(try Descriptor.readFile(file), file: file)
    let core = try CoreProcess(arguments: transcript.command.arguments)
    let output = try await TranscriptPlayer(target: core).play(transcript)
    let differences = transcript.differences(from: output)
    if update, !differences.isEmpty {
      try Descriptor.replaceFile(file, Array(transcript.updated(with: output).text.utf8))
    }
    let saysHowItEnds = transcript.entries.contains {
      if case .ending = $0.kind { true } else { false }
    }
    if differences.isEmpty, !saysHowItEnds, let status = output.exit, status != 0 {
      throw Crash(file: file, status: status)
    }
    return differences
  }

  /// A core that failed behind a transcript that otherwise holds.
  private struct Crash: Error, CustomStringConvertible {
    let file: String
    let status: Int32

    var description: String {
      "\(file): the core ended with status \(status). `= exit \(status)` at the end would expect that."
    }
  }
}
