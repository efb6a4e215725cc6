internal import Offstage
internal import OffstageHost
internal import OffstageTranscripts

/// A program's core within the test's process: what goes in and out is what goes over the wire.
@CoreActor
final class TestHost: TranscriptTarget {
  private let session: Session
  private let input: SessionInput

  /// - Parameter arguments: the command line without the program's name.
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

  func close() async -> (lines: [String], exit: Int32?) {
    input.end()
    await handleLines()
    await rest()
    session.close()
    let lines = session.takeOutput()
    session.core.closeAll()
    return (lines, nil)
  }

  private func handleLines() async {
    await getReady()
    while !session.isShuttingDown, input.handleNext() {
      // The loop runs what a line has started before it takes the next one; so does a test.
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

  /// Lets everything run that is due.
  private func turn() async {
    repeat { await Task.yield() } while CoreActor.executor.hasJob
  }
}
