import OffstageTranscripts
import Testing

/// When the player sends, when it waits, and when it leaves the core in peace.
@Suite struct TranscriptPlayerTests {
  typealias Call = ScriptedCore.Call

  @Test(
    arguments: [
      // Nothing disturbs the core before the first line, and the last block is not settled.
      (
        "$ core\n\n> 1\n> 2\n\n> 3\n= exit 0\n",
        [.send("1\n"), .send("2\n"), .settle, .send("3\n"), .close]
      ),
      ("$ core\n\n> 1\n\n= eof\n", [.send("1\n"), .settle, .close]),
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
  func calls(text: String, calls: [Call]) async throws {
    let core = ScriptedCore(blocks: [])
    _ = try await TranscriptPlayer(target: core).play(Transcript(text, file: "x"))
    #expect(await core.calls == calls)
  }

  @Test func outputIsKeptByBlock() async throws {
    let core = ScriptedCore(blocks: [["1", "2"], [], ["3"]], exit: 4)
    let transcript = try Transcript("$ core\n\n> 1\n\n> 2\n\n> 3\n= exit 4\n", file: "x")
    let output = try await TranscriptPlayer(target: core).play(transcript)
    #expect(output == TranscriptOutput(blocks: [["1", "2"], [], ["3"]], exit: 4))
  }

  @Test func theTargetsErrorsPassThrough() async throws {
    struct Broken: TranscriptTarget {
      struct Failure: Error {}
      func send(_ bytes: [UInt8]) throws { throw Failure() }
      func settle() -> [String] { [] }
      func close() -> (lines: [String], exit: Int32?) { ([], nil) }
    }
    let transcript = try Transcript("$ core\n> 1\n", file: "x")
    await #expect(throws: Broken.Failure.self) {
      try await TranscriptPlayer(target: Broken()).play(transcript)
    }
  }
}

extension String {
  fileprivate var withCommand: String { "$ core\n" + self + "\n" }
}
