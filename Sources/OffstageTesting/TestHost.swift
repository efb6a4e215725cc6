internal import Offstage
internal import OffstageHost
internal import OffstageTranscripts

/// The core of a program within the process of a test, with the bytes of the wire as input and output.
@CoreActor
final class TestHost: TranscriptTarget {
  let session: Session
  private let input: SessionInput

  /// - Parameter arguments: The command line without the program's name.
  init(_ program: Program, _ arguments: [String]) throws {
    session = try program.makeSession(arguments)
    input = SessionInput(session)
  }

  func send(_ bytes: [UInt8]) async {
    input.append(bytes)
    await handleLines()
  }

  func settle() async -> [String] {
    await rest()
    return session.takeOutput()
  }

  func close() async -> TranscriptEnd {
    input.end()
    await handleLines()
    await rest()
    session.close()
    let lines = session.takeOutput()
    session.core.closeAll()
    return TranscriptEnd(lines: lines, exit: nil)
  }

  private func handleLines() async {
    await getReady()
    while !session.isShuttingDown, input.handleNext() {
      // As the loop does, run everything a line has started before taking the next one.
      await turn()
      await getReady()
    }
  }

  private func getReady() async {
    while !session.isReady, !session.isShuttingDown { await turn() }
  }

  private func rest() async {
    while !session.core.isSettled || !(session.isReady || session.isShuttingDown) { await turn() }
  }

  /// Runs everything that is due.
  private func turn() async {
    repeat { await Task.yield() } while CoreActor.executor.hasJob
  }
}
