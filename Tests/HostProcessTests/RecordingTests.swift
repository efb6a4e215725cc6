import Foundation
import OffstageJSON
import Testing

extension HostProcessTests {
  /// Recording, replaying and updating transcripts.
  @Suite struct Recording {
    private let scratch: Scratch
    /// A transcript of a run with work, time, a prompt, a fault and an invalid line.
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

    @Test func recordingReplays() throws {
      let text = try scratch.text("run.transcript")
      #expect(text.hasPrefix("$ host-fixture --deterministic --root=busy\n"))
      #expect(text.hasSuffix("\n= exit 0\n"))
      let end = try replay()
      #expect(end.lines == ["1 passed, 0 failed"])
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func overlongLineIsBlankInARecording() throws {
      let peer = try Peer([
        "--deterministic", "--max-line", "64", "--record", transcript, "--root=busy",
      ])
      try peer.send([UInt8](repeating: 0x78, count: 100) + [0x0A])
      try peer.send(Array("[1]\n".utf8))
      #expect(try peer.finish().status == .exited(0))
      let sent = try scratch.text("run.transcript").split(separator: "\n")
        .filter { $0.hasPrefix(">") }
      #expect(sent == [">! \\n\\c", "> [1]"])
    }

    @Test func updateFixesAChangedLine() throws {
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

      let update = try replay("--update")
      #expect(update.lines == ["updated \(transcript)", "0 passed, 1 updated, 0 failed"])
      #expect(update.status == .exited(1))
      #expect(try scratch.text("run.transcript") == original)
      #expect(try replay().status == .exited(0))
    }

    @Test func unreadableTranscriptsFail() throws {
      let broken = try scratch.file("broken.transcript", "> {}\n$ too late\n")
      let missing = scratch.file("missing.transcript")
      let end = try Peer(["replay", broken, transcript, missing]).end()
      #expect(end.status == .exited(1))
      #expect(end.lines.first?.contains("broken.transcript") == true)
      #expect(end.lines.contains("\(missing): No such file or directory"))
      #expect(end.lines.last == "1 passed, 2 failed")
    }

    @Test func folderStandsForItsTranscripts() throws {
      let folder = scratch.file("all")
      for name in ["all/deep", "all/.hidden", "empty"] {
        try FileManager.default.createDirectory(
          atPath: scratch.file(name), withIntermediateDirectories: true)
      }
      let text = try scratch.text("run.transcript")
      _ = try scratch.file("all/b.transcript", text)
      _ = try scratch.file("all/deep/a.transcript", "> too early\n")
      _ = try scratch.file("all/.hidden/a.transcript", "> too early\n")
      _ = try scratch.file("all/notes.txt", "> too early\n")
      let end = try Peer(["replay", folder + "/", transcript]).end()
      #expect(end.lines.first?.hasPrefix("\(folder)/deep/a.transcript:1: ") == true)
      #expect(end.lines.last == "2 passed, 1 failed")
      #expect(end.status == .exited(1))

      let none = try Peer(["replay", scratch.file("empty")]).end()
      #expect(none.lines.first == "\(scratch.file("empty")): no file ends in .transcript")
      #expect(none.lines.last == "0 passed, 1 failed")
    }

    @Test func masksSecretInputs() throws {
      let file = scratch.file("secret.transcript")
      let peer = try Peer(["--deterministic", "--record", file, "--root=signIn"])
      let input = { (id: Int, name: String, value: String) in
        #"{"jsonrpc":"2.0", "id":\#(id),"method":"input","params":{"screen":"1", "name":"\#(name)","value":\#(value)}}"#
      }
      let lines = [
        input(1, "nameText", #""hunter2""#), input(2, "passwordText", #""hunter3""#),
        input(3, "pinTyped", #""hunter4""#), input(4, "lines/7/passwordText", #""hunter5""#),
        input(5, "p\u{5C}u0061sswordText", #""hunter6""#), input(6, "passwordText", #""""#),
        input(7, "passwordText", "null"),
        "[" + input(9, "nameText", #""Kim""#) + "," + input(10, "passwordText", #""hunter10""#)
          + "]",
      ]
      for line in lines { try peer.send(Array((line + "\n").utf8)) }
      let end = try peer.finish()
      #expect(end.status == .exited(0))
      let text = try scratch.text("secret.transcript")
      #expect(text.matches(of: /hunter\d+/).map { String($0.output) } == ["hunter2", "hunter2"])
      #expect(!(end.errors + end.lines.joined()).contains(/hunter([3-9]|10)/))
      let sent = text.split(separator: "\n").filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) }
      let masked = lines.map { $0.replacing(/"hunter([3-9]|10)"/, with: #""••••""#) }
      #expect(sent.map(String.init) == masked)
      #expect(try Peer(["replay", file]).end().lines == ["1 passed, 0 failed"])
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

    /// A run that a signal ends has a complete transcript.
    @Test func signalCompletesTheRecording() throws {
      let file = scratch.file("signal.transcript")
      let peer = try Peer(["--deterministic", "--record=\(file)"])
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGTERM)
      _ = try peer.end()
      #expect(try scratch.text("signal.transcript").hasSuffix("\n= exit 0\n"))
      #expect(try Peer(["replay", file]).end().status == .exited(0))
    }

    @Test(.enabled(if: access("/dev/full", W_OK) == 0))
    func failureIsRecordedWithItsStatus() throws {
      let file = scratch.file("full.transcript")
      let peer = try Peer(["--record=\(file)"], after: "exec >/dev/full")
      try peer.send(Request.input(1, "text", "x").text)
      #expect(try peer.end().status == .exited(1))
      #expect(try scratch.text("full.transcript").hasSuffix("\n= exit 1\n"))
    }

    @Test func recordingsArePrivate() throws {
      let file = try scratch.file("private.transcript", "")
      #expect(chmod(file, 0o644) == 0)
      let url = "http://user:secret@127.0.0.1:9/x?key=secret#secret"
      let peer = try Peer(["--record", file, "--server", url], after: "umask 0")
      #expect(try peer.finish().status == .exited(0))
      #expect(try mode(of: file) == 0o600)
      let text = try scratch.text("private.transcript")
      #expect(text.hasPrefix("$ host-fixture --server http://127.0.0.1:9/x\n"))
    }

    @Test(arguments: [
      ("--record FILE", "--record is not allowed in a transcript"),
      ("--update", "--update is an option of \"replay\""),
      ("replay FILE", "a transcript cannot run \"host-fixture replay"),
      ("count to 3", "a transcript cannot run \"host-fixture count to 3\""),
      ("describe", "a transcript cannot run \"host-fixture describe\""),
      ("--data /etc", "--data takes a plain name in a transcript, not \"/etc\""),
      ("--data ..", "--data takes a plain name in a transcript, not \"..\""),
      ("--chatter", "--chatter is not allowed in a transcript"),
      ("--server http://example.org/", "--server takes an address of this machine in a transcript"),
      ("--server http://127.0.0.1@example.org/", "--server takes an address of this machine"),
      ("--server http://127.0.0.1.example.org/", "--server takes an address of this machine"),
    ])
    func transcriptCommandsAreRestricted(command: String, message: String) throws {
      let victim = try scratch.file("victim", "precious")
      let command = command.replacingOccurrences(of: "FILE", with: victim)
      let file = try scratch.file("evil.transcript", "$ host-fixture \(command)\n")
      let end = try Peer(["replay", file]).end()
      #expect(end.status == .exited(1))
      #expect(end.lines.first?.hasPrefix("\(file): \(message)") == true, "\(end.lines)")
      #expect(try scratch.text("victim") == "precious")
    }

    @Test func replayedCoreSeesNoSecrets() throws {
      let file = try scratch.file(
        "secret.transcript",
        """
        $ host-fixture --root noisy --server http://localhost:9/ --data data

        > \(Request.input(1, "variableTapped", "SECRET_KEY").text)
        < "$_"
        < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":1,
          "patch":[{"op":"replace","path":"/screens/1/output/heard","value":null}]}}
        < {"jsonrpc":"2.0","id":1,"result":{"revision":2}}
        = exit 0

        """)
      let end = try Peer(["replay", file], after: "export SECRET_KEY=secret").end()
      #expect(end.lines == ["1 passed, 0 failed"])
    }

    @Test func untrustedTextIsEscaped() throws {
      let file = try scratch.file(
        "escape.transcript", "$ host-fixture\n< \"\u{9B}31m\u{202E}\u{7F}\"\n")
      let end = try Peer(["replay", file]).end()
      #expect(end.lines.contains(#"  expected: "\x9B31m\u{202E}\x7F""#), "\(end.lines)")
    }

    @Test func updateKeepsTheFile() throws {
      let text = "$ host-fixture --deterministic\n\n> 1\n"
      let file = try scratch.file("real.transcript", text)
      let neighbor = try scratch.file("real.transcript.new", "precious")
      let link = scratch.file("link.transcript")
      #expect(symlink(file, link) == 0)
      #expect(chmod(file, 0o640) == 0)
      _ = try Peer(["replay", "--update", link]).end()
      let updated = try scratch.text("real.transcript")
      #expect(updated.hasPrefix(text + "< "))
      #expect(try mode(of: file) == 0o640)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
      #expect(try scratch.text("real.transcript.new") == "precious")
      withExtendedLifetime(neighbor) {}

      let hard = scratch.file("hard.transcript")
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      #expect(Foundation.link(file, hard) == 0)
      _ = try Peer(["replay", "--update", hard]).end()
      #expect(try scratch.text("real.transcript") == updated)

      try text.write(toFile: file, atomically: false, encoding: .utf8)
      #expect(chmod(file, 0o400) == 0)
      let end = try Peer(["replay", "--update", file]).end()
      #expect(end.lines.first == "\(file): Permission denied")
      #expect(try scratch.text("real.transcript") == text)
    }

    private func mode(of file: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      return (attributes[.posixPermissions] as? Int) ?? 0
    }

    private func replay(_ options: String...) throws -> Ending {
      try Peer(["replay", transcript] + options).end()
    }
  }
}
