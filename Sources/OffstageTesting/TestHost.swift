internal import Offstage
internal import OffstageHost
internal import OffstageTranscripts

/// A program's core in the process of a test, with the bytes of the wire as input and output.
@CoreActor
final class TestHost: TranscriptTarget {
  let session: Session
  private let input: SessionInput
  /// The lines since the last block.
  private var lines: [String] = []

  /// - Parameter arguments: The command line without the program's name.
  init(_ program: Program, _ arguments: [String]) throws {
    session = try program.makeSession(arguments)
    input = SessionInput(session)
  }

  func send(_ bytes: [UInt8]) async throws {
    input.append(bytes)
    try await handleLines()
  }

  func settle() async throws -> [String] {
    try await rest()
    return takeLines()
  }

  func close() async throws -> TranscriptOutput {
    defer {
      session.endApp()
      session.detach()
    }
    input.end()
    try await handleLines()
    try await rest()
    session.close()
    session.endApp()
    try await run { session.hasFinished }
    return TranscriptOutput(blocks: [takeLines()], exit: nil)
  }

  private func takeLines() -> [String] {
    defer { lines = [] }
    return lines + session.takeOutput()
  }

  private func handleLines() async throws {
    try await getReady()
    while !session.isShuttingDown, input.handleNext() {
      // Like the loop, run everything that a line has started before taking the next one.
      await turn()
      try await getReady()
    }
  }

  private func getReady() async throws {
    try await run { session.isReady || session.isShuttingDown }
  }

  private func rest() async throws {
    try await run { session.core.isSettled && (session.isReady || session.isShuttingDown) }
  }

  private func run(until isDone: () -> Bool) async throws {
    while !isDone() {
      guard !Task.isCancelled else {
        throw TestError(
          description: "canceled while it waited for the effects \(session.core.busyWork)")
      }
      await turn()
    }
  }

  /// Runs everything that is due, and reads the output, since the core may be waiting for that.
  private func turn() async {
    repeat { await Task.yield() } while CoreActor.executor.hasJob
    session.checkRest()
    lines += session.takeOutput()
  }
}

struct TestError: Error, CustomStringConvertible {
  let description: String
}
