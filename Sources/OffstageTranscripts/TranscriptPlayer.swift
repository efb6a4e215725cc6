/// A core that a transcript can be played to: a process over pipes, or a host in this process. One that
/// has exited counts as settled and drops its input: missing lines and the exit status explain that
/// better than an error would.
package protocol TranscriptTarget: Sendable {
  /// Writes bytes to the core's input, without adding an LF.
  func send(_ bytes: [UInt8]) async throws

  /// Waits until the core has settled. All sent lines are complete when this is called.
  /// - Returns: The lines that the core has printed since the last call, without their LFs.
  func settle() async throws -> [String]

  /// Closes the core's input and waits for it to exit. Called once, last, without settling first.
  /// - Returns: The lines printed since the core last settled, as one block, and its exit status.
  func close() async throws -> TranscriptOutput
}

/// The output of a core in one run of a transcript.
package struct TranscriptOutput: Equatable, Sendable {
  /// The lines without their LFs, block by block.
  package var blocks: [[String]]
  /// The exit status as in shells; nil without a process.
  let exit: Int32?
  /// The line numbers of the HTTP responses that no request got.
  package var unused: [Int] = []
  /// The HTTP requests without a response, such as `GET /pokemon`.
  package var unexpected: [String] = []

  package init(blocks: [[String]], exit: Int32?) {
    self.blocks = blocks
    self.exit = exit
  }
}

extension Transcript {
  /// Plays all runs to the end. The input never depends on the output.
  /// - Parameter start: Starts a fresh core with the options of the run's command.
  package func play(
    on start: @Sendable (Run) async throws -> any TranscriptTarget
  ) async throws -> [TranscriptOutput] {
    var outputs: [TranscriptOutput] = []
    for run in runs {
      let target = try await start(run)
      var lines: [[String]] = []
      for (index, block) in run.blocks.enumerated() {
        for bytes in block.sent { try await target.send(bytes) }
        // `close` follows the last block: a core that has ended cannot settle.
        if index < run.blocks.count - 1 { lines.append(try await target.settle()) }
      }
      var output = try await target.close()
      output.blocks = lines + output.blocks
      outputs.append(output)
    }
    return outputs
  }
}
