internal import Offstage
internal import OffstageHost
internal import OffstageTranscripts

/// A program's core within the test's process: what goes in and out is what goes over the wire.
@CoreActor
final class TestHost: TranscriptTarget {
  private let session: Session
  private var lineNumber = 0
  private var partial: [UInt8] = []

  /// - Parameter arguments: the command line without the program's name.
  init(_ program: Program, _ arguments: [String]) throws {
    session = try program.makeSession(arguments)
  }

  func send(_ bytes: [UInt8]) async {
    partial += bytes
    while let end = partial.firstIndex(of: 0x0A) {
      let line = Array(partial[..<end])
      partial.removeSubrange(...end)
      await receive(line)
    }
  }

  func settle() async -> [String] {
    await rest()
    return session.takeOutput()
  }

  func close() async -> (lines: [String], exit: Int32?) {
    if !partial.isEmpty { await receive(partial) }
    await rest()
    session.close()
    let lines = session.takeOutput()
    session.core.closeAll()
    return (lines, nil)
  }

  private func receive(_ line: [UInt8]) async {
    lineNumber += 1
    while !session.isReady, !session.isShuttingDown { await turn() }
    guard !session.isShuttingDown, !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) else { return }
    line.withUnsafeBytes { session.receive($0, line: lineNumber) }
    // The loop runs what a line has started before it takes the next one; so does a test.
    await turn()
  }

  private func rest() async {
    while !session.core.isSettled || !(session.isReady || session.isShuttingDown) { await turn() }
  }

  /// Lets everything run that is due.
  private func turn() async {
    repeat { await Task.yield() } while CoreActor.executor.hasJob
  }
}
