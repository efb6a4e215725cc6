internal import Offstage
public import OffstageHost
internal import OffstageTranscripts

/// Plays the transcript in a file to a program, in the process of the test.
/// ```swift
/// @Test(arguments: try transcripts(in: "Transcripts"))
/// func replays(_ path: String) async throws {
///   for difference in try await check(transcriptAt: path, with: Books.program) {
///     Issue.record("\(difference)")
///   }
/// }
/// ```
/// Paths are relative to the package's folder under `swift test`.
/// - Returns: The differences as text; empty if the transcript replays.
/// - Throws: An error if the file is not a transcript or the program rejects its command line, or
///   one that names the running effects if the test is canceled, for example by its time limit.
@CoreActor
public func check(transcriptAt path: String, with program: Program) async throws -> [String] {
  try await check(try Transcript(at: path), with: program)
}

/// Returns the paths of the transcripts in and below a folder, sorted.
/// - Throws: An error if there are none.
public func transcripts(in folder: String) throws -> [String] { try Transcript.paths(at: folder) }

/// Plays a transcript to a program, like ``check(transcriptAt:with:)``. Messages name `file`.
@CoreActor
public func check(
  transcript text: String, file: String, with program: Program
) async throws -> [String] {
  try await check(try Transcript(text, file: file), with: program)
}

@CoreActor
private func check(_ transcript: Transcript, with program: Program) async throws -> [String] {
  try await mutex.withLock {
    let outputs = try await program.play(transcript) { arguments, _ in
      try await TestHost(program, arguments)
    }
    return transcript.differences(from: outputs).map { "\($0)" }
  }
}

/// In the process of a test, a host concludes from the core's empty queue that everything has run.
/// Two hosts with the same queue would wait for each other.
@CoreActor let mutex = AsyncMutex()

/// A mutex whose waiters suspend, and resume in the order of their arrival.
@CoreActor
final class AsyncMutex {
  private var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func withLock<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
    if isLocked { await withCheckedContinuation { waiting.append($0) } }
    isLocked = true
    defer {
      if waiting.isEmpty { isLocked = false } else { waiting.removeFirst().resume() }
    }
    return try await body()
  }
}
