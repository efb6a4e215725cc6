/// Plays transcripts. It sends and waits; what to think of the output is decided afterwards, by
/// ``Transcript/differences(from:)``.
package struct TranscriptPlayer: Sendable {
  private let target: any TranscriptTarget

  /// - Parameter target: a fresh core, started as the transcript's command asks for; it is closed
  ///   at the end and so good for one transcript.
  package init(target: any TranscriptTarget) {
    self.target = target
  }

  /// Plays a transcript to its end, whatever comes back: what is sent never depends on it.
  package func play(_ transcript: Transcript) async throws -> TranscriptOutput {
    let blocks = transcript.blocks
    var lines: [[String]] = []
    for (index, block) in blocks.enumerated() {
      for bytes in block.sent { try await target.send(bytes) }
      // The last block ends with the input, and an ended core could not be asked to settle.
      if index < blocks.count - 1 { lines.append(try await target.settle()) }
    }
    let end = try await target.close()
    return TranscriptOutput(blocks: lines + [end.lines], exit: end.exit)
  }
}
