internal import Offstage
internal import OffstageRPC
internal import OffstageTranscripts

extension Program {
  /// Plays the core's side of a transcript on standard input and output, so that a front end can be
  /// tested without its core.
  /// - Returns: The exit status of the run; 1 if the front end deviates from the transcript.
  func serve(transcript file: String) throws -> Int32 {
    let transcript = try Transcript(at: file)
    var server = try TranscriptServer(try filled(transcript))
    do throws(TranscriptDifference) {
      print(server.start())
      try serve(&server)
      return try server.end()
    } catch {
      let lines = error.description.split(separator: "\n")
      StandardStreams.printError(lines.joined(separator: ";"))
      return 1
    }
  }

  /// Fills in the placeholders in the core's lines, and the results of `initialize` that have no
  /// line, with what this program sends.
  private func filled(_ transcript: Transcript) throws -> Transcript {
    guard !transcript.isComplete else { return transcript }
    let outputs = try CoreActor.executor.runToEnd { try await play(transcript) }
    if let difference = transcript.differences(from: outputs).first { throw difference }
    return transcript.updated(with: outputs, isFilling: true)
  }

  private func serve(_ server: inout TranscriptServer) throws(TranscriptDifference) {
    var input = LineInput(0)
    while !server.isDone, let line = input.wait() { print(try server.receive(line)) }
  }

  /// Ignores errors: if the front end is gone, the server reports that as a deviation.
  private func print(_ lines: [String]) { for line in lines { try? StandardStreams.print(line) } }
}
