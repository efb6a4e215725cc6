import Foundation
import OffstageJSON
import Testing

extension HostProcessTests {
  /// A run that was recorded can be replayed, and a replay tells what has changed.
  @Suite struct Recording {
    private let scratch: Scratch
    /// A transcript of a run with work, time, a prompt, a fault and a line that is no JSON.
    private let transcript: String

    init() throws {
      scratch = try Scratch()
      transcript = scratch.file("run.transcript")
      let peer = try Peer(["--deterministic", "--record", transcript, "--root=busy"])
      // Errors name the number of their line, so blank lines count in a recording, too.
      try peer.send([0x0A, 0x20, 0x0A, 0x7B, 0xFF, 0x0A])
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      _ = try peer.ask(.input(2, "queryText", "é\u{2028}😀"))
      _ = try peer.ask(Request(3, "clock/advance", ["milliseconds": 100]))
      _ = try peer.ask(.input(4, "failTapped", "no \"luck\""))
      _ = try peer.ask(.input(5, "askTapped"))
      _ = try peer.ask(Request(6, "state/settle"))
      _ = try peer.ask(Request(7, "answer", ["prompt": "q1", "value": ["button": "ok"]]))
      try peer.send(Array("[1]\n".utf8))
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func itHolds() throws {
      let text = try scratch.text("run.transcript")
      #expect(text.hasPrefix("$ host-fixture --deterministic --root=busy\n"))
      #expect(text.hasSuffix("\n= exit 0\n"))
      let end = try replay()
      #expect(end.lines == ["1 passed, 0 failed"])
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func aChangedLineIsShownAndMended() throws {
      let original = try scratch.text("run.transcript")
      let changed = original.replacingOccurrences(
        of: "/screens/1/output/query", with: "/screens/1/output/quarry")
      #expect(changed != original)
      _ = try scratch.file("run.transcript", changed)

      let failure = try replay()
      #expect(failure.status == .exited(1))
      #expect(failure.lines.first?.contains("run.transcript:") == true)
      #expect(failure.lines.contains { $0.hasPrefix("  expected: ") && $0.contains("quarry") })
      #expect(failure.lines.contains { $0.hasPrefix("  found: ") && $0.contains("query") })
      #expect(failure.lines.last == "0 passed, 1 failed")
      #expect(try scratch.text("run.transcript") == changed)

      #expect(try replay("--update").status == .exited(1))
      #expect(try scratch.text("run.transcript") == original)
      #expect(try replay().status == .exited(0))
    }

    @Test func whatCannotBeReadIsAClearError() throws {
      let broken = try scratch.file("broken.transcript", "> {}\n$ too late\n")
      let missing = scratch.file("missing.transcript")
      let end = try Peer(["replay", broken, transcript, missing]).end()
      #expect(end.status == .exited(1))
      #expect(end.lines.first?.contains("broken.transcript") == true)
      #expect(end.lines.contains("\(missing): No such file or directory"))
      #expect(end.lines.last == "1 passed, 2 failed")
    }

    @Test func leavesOutPasswords() throws {
      let file = scratch.file("password.transcript")
      let data = "http://kim:s3cret@example.org/a@b"
      let peer = try Peer(["--deterministic", "--data", data, "--record=\(file)"])
      _ = try peer.finish()
      let text = try scratch.text("password.transcript")
      #expect(text.contains("--data http://example.org/a@b"))
      #expect(!text.contains("s3cret"))
    }

    /// A signal leaves a whole transcript behind.
    @Test func aSignalEndsIt() throws {
      let file = scratch.file("signal.transcript")
      let peer = try Peer(["--deterministic", "--record=\(file)"])
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGTERM)
      _ = try peer.end()
      #expect(try scratch.text("signal.transcript").hasSuffix("\n= exit 0\n"))
      #expect(try Peer(["replay", file]).end().status == .exited(0))
    }

    private func replay(_ options: String...) throws -> Ending {
      try Peer(["replay", transcript] + options).end()
    }
  }
}
