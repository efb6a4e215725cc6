internal import Offstage
public import OffstageHost
internal import OffstageTranscripts

/// Plays a transcript to a program within the process of the test.
/// ```swift
/// @Test func recordingReplays() async throws {
///   let text = try String(contentsOfFile: "search.transcript", encoding: .utf8)
///   #expect(try await check(transcript: text, file: "search", with: Books.program) == [])
/// }
/// ```
/// - Parameters:
///   - text: The transcript.
///   - file: The path of the transcript, for the messages.
///   - program: The program to play it to.
/// - Returns: The differences as text; empty if the transcript replays.
/// - Throws: An error if the text is not a transcript or the program rejects its command line.
@CoreActor
public func check(
  transcript text: String, file: String, with program: Program
) async throws -> [String] {
  let transcript = try Transcript(text, file: file)
  return try await mutex.withLock {
    let scratch = try Scratch()
    let outputs = try await transcript.play { run in
      try await program.target(of: run, in: scratch) { try await TestHost(program, $0) }
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
