internal import Offstage
public import OffstageHost
internal import OffstageTranscripts

/// Plays a transcript to a program within the test's process.
/// - Parameters:
///   - text: the transcript.
///   - file: its path, for the report.
/// - Returns: what differs, readable; empty for a transcript that holds.
/// - Throws: an error for a text that is no transcript, or a command line that the program refuses.
@CoreActor
public func check(
  transcript text: String, file: String, with program: Program
) async throws -> [String] {
  let transcript = try Transcript(text, file: file)
  return try await turnstile.pass {
    let outputs = try await transcript.play { try await TestHost(program, $0.arguments) }
    return transcript.differences(from: outputs).map { "\($0)" }
  }
}

@CoreActor private let turnstile = Turnstile()
