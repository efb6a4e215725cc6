internal import Offstage
public import OffstageHost
internal import OffstageTranscripts

/// Plays the transcript in a file to a program within the process of the test.
/// ```swift
/// @Test(arguments: try transcripts(in: "Transcripts"))
/// func replays(_ path: String) async throws {
///   for difference in try await check(transcriptAt: path, with: Books.program) {
///     Issue.record("\(difference)")
///   }
/// }
/// ```
/// `swift test` runs in the folder of the package.
/// - Returns: The differences as text; empty if the transcript replays.
/// - Throws: An error if the file is not a transcript or the program rejects its command line, and
///   one that names the effects that were still running if the test was canceled, for example by
///   its time limit.
@CoreActor
public func check(transcriptAt path: String, with program: Program) async throws -> [String] {
  try await check(try Transcript(at: path), with: program)
}

/// The paths of the transcripts in a folder and below it, sorted.
/// - Throws: An error if there are none.
public func transcripts(in folder: String) throws -> [String] { try Transcript.paths(at: folder) }

/// Plays a transcript to a program, as ``check(transcriptAt:with:)`` does. Messages name `file`.
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

/// A host in the process of a test concludes from the empty queue of the core that everything has
/// run. Two hosts that look at the same queue would wait for each other.
@CoreActor private let mutex = AsyncMutex()

/// A mutual exclusion lock whose waiters suspend, in the order in which they arrive.
@CoreActor
private final class AsyncMutex {
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
