import OffstageTranscripts

/// A core that prints scripted lines, block by block, and records the calls.
actor ScriptedCore: TranscriptTarget {
  enum Call: Equatable {
    case send(String)
    case settle
    case close
  }

  private(set) var calls: [Call] = []
  private var blocks: [[String]]
  private let status: Int32?

  init(blocks: [[String]], exit: Int32? = 0) {
    self.blocks = blocks
    self.status = exit
  }

  func send(_ bytes: [UInt8]) {
    calls.append(.send(String(decoding: bytes, as: UTF8.self)))
  }

  func settle() -> [String] {
    calls.append(.settle)
    return nextBlock()
  }

  func close() -> (lines: [String], exit: Int32?) {
    calls.append(.close)
    return (nextBlock(), status)
  }

  private func nextBlock() -> [String] {
    blocks.isEmpty ? [] : blocks.removeFirst()
  }
}
