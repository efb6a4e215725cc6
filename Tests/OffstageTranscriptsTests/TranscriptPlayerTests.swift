import OffstageTranscripts
import Testing

@testable import OffstageTranscripts

@Suite struct TranscriptPlayerTests {
  typealias Call = ScriptedCore.Call

  @Test(
    arguments: [
      // Nothing disturbs the core before the first line, and the last block is not settled.
      (
        "$ core\n\n> 1\n> 2\n\n> 3\n= exit 0\n",
        [.send("1\n"), .send("2\n"), .settle, .send("3\n"), .close]
      ),
      ("$ core\n\n> 1\n\n= exit 0\n", [.send("1\n"), .settle, .close]),
      ("$ core\n\n> 1\n", [.send("1\n"), .close]),
      ("$ core\n\n> 1\n\n", [.send("1\n"), .settle, .close]),
      // Several blank lines and comments alone are one barrier.
      (
        "$ core\n\n> 1\n\n\n# c\n\n> 2\n",
        [.send("1\n"), .settle, .send("2\n"), .close]
      ),
      ("$ core\n> 1\n\n< 1\n\n> 2\n", [.send("1\n"), .settle, .settle, .send("2\n"), .close]),
      ("$ core\n", [.close]),
      (
        ">! a".withCommand + "  \\x62\n>! c\\c\n>! d\n> e\n",
        [
          .send("ab\n"), .send("c"), .send("d\n"), .send("e\n"), .close,
        ]
      ),
    ] as [(String, [Call])])
  func linesAreSentAndBlankLinesSettle(text: String, calls: [Call]) async throws {
    let core = ScriptedCore(blocks: [])
    _ = try await Transcript(text, file: "x").play { _ in core }
    #expect(await core.calls == calls)
  }

  @Test func outputIsKeptByBlock() async throws {
    let core = ScriptedCore(blocks: [["1", "2"], [], ["3"]], exit: 4)
    let transcript = try Transcript("$ core\n\n> 1\n\n> 2\n\n> 3\n= exit 4\n", file: "x")
    let output = try await transcript.play { _ in core }
    #expect(output == [TranscriptOutput(blocks: [["1", "2"], [], ["3"]], exit: 4)])
  }

  @Test func everyCommandStartsACore() async throws {
    let text = """
      $ core --first

      > 1
      < 10
      = exit 3

      # Again.
      $ core --second

      > 2
      < [0,0,"$x"]

      $ core --third
      > 3
      < [0,0,"$x"]
      """
    let transcript = try Transcript(text, file: "x")
    let first = ScriptedCore(blocks: [["10"]], exit: 3)
    let second = ScriptedCore(blocks: [["[0,0,20]"], []])
    let third = ScriptedCore(blocks: [["[0,0,21]"]], exit: 1)
    let output = try await transcript.play { run in
      switch run.command.arguments {
      case ["--first"]: first
      case ["--second"]: second
      default: third
      }
    }
    #expect(await first.calls == [.send("1\n"), .close])
    #expect(await second.calls == [.send("2\n"), .settle, .close])
    #expect(
      transcript.differences(from: output).map(\.description) == [
        """
        x:15: line differs
          expected: [0,0,"$x"]
          found:    [0,0,21]
          at /2: expected $x, bound in line 11 to 20, found 21
        """, "x:13: the core exited with status 1, expected 0",
      ])
    #expect(transcript.updated(with: output).text == text.dropLast(5) + "21]")
  }

  @Test func errorsOfTheTargetAreRethrown() async throws {
    struct Broken: TranscriptTarget {
      struct Failure: Error {}
      func send(_ bytes: [UInt8]) throws { throw Failure() }
      func settle() -> [String] { [] }
      func close() -> TranscriptOutput { TranscriptOutput(blocks: [[]], exit: nil) }
    }
    let transcript = try Transcript("$ core\n> 1\n", file: "x")
    await #expect(throws: Broken.Failure.self) {
      try await transcript.play { _ in Broken() }
    }
  }
}

extension String {
  fileprivate var withCommand: String { "$ core\n" + self + "\n" }
}

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

  func close() -> TranscriptOutput {
    calls.append(.close)
    return TranscriptOutput(blocks: [nextBlock()], exit: status)
  }

  private func nextBlock() -> [String] {
    blocks.isEmpty ? [] : blocks.removeFirst()
  }
}
