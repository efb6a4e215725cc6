/// What a core printed while a transcript was played to it.
package struct TranscriptOutput: Equatable, Sendable {
  /// The lines without their LFs, block by block.
  package let blocks: [[String]]
  /// The exit status, nil where there was no process.
  package let exit: Int32?

  package init(blocks: [[String]], exit: Int32?) {
    self.blocks = blocks
    self.exit = exit
  }
}
