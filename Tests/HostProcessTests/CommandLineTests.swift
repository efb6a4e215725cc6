import OffstageJSON
import Testing

extension HostProcessTests {
  /// Exit statuses and messages: 0, 1 for a failure, 2 for a command line that makes no sense.
  @Suite struct CommandLine {
    struct Refusal: CustomTestStringConvertible {
      let arguments: [String]
      let status: Int32
      let complaint: String

      init(_ arguments: String..., status: Int32 = 2, says complaint: String) {
        self.arguments = arguments
        self.status = status
        self.complaint = complaint
      }

      var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
      Refusal("--nonsense", says: "There is no option --nonsense."),
      Refusal("serve", says: "\"serve\" is no command."),
      Refusal("describe", "now", says: "\"now\" is no command."),
      Refusal("--max-line", says: "--max-line needs a value: --max-line BYTES"),
      Refusal(
        "--max-line", "63",
        says: "--max-line takes a whole number from 64 to 268435456, not \"63\"."),
      Refusal(
        "--max-depth", "three",
        says: "--max-depth takes a whole number from 4 to 4096, not \"three\"."),
      Refusal("--drain=-1", says: "--drain takes a whole number from 0 to 86400, not \"-1\"."),
      Refusal(
        "--drain=86401", says: "--drain takes a whole number from 0 to 86400, not \"86401\"."),
      Refusal("--drain=", says: "--drain needs a value: --drain SECONDS"),
      Refusal(
        "--root", "home", says: "There is no screen \"home\"; there are bulk, busy, noisy, typed."),
      Refusal("--root", "bulk {", says: "The argument of --root is no JSON"),
      Refusal("count", says: "\"count\" is no command."),
      Refusal("count", "to", says: "The command is called like this: count to NUMBER."),
      Refusal("replay", says: "replay needs the transcripts to check: replay FILE…"),
      Refusal(
        "--record", "/nowhere/at/all", status: 1, says: "/nowhere/at/all: No such file or directory"
      ),
    ])
    func refused(_ refusal: Refusal) throws {
      let peer = try Peer(refusal.arguments)
      let end = try peer.end()
      #expect(end.status == .exited(refusal.status))
      #expect(end.lines == [])
      #expect(end.complaints.hasPrefix("host-fixture: " + refusal.complaint))
      #expect(end.complaints.hasSuffix(refusal.status == 2 ? " See host-fixture --help.\n" : "\n"))
    }

    @Test func version() throws {
      let end = try Peer(["--version"]).end()
      #expect(end.lines == ["host-fixture 1.0"])
      #expect(end.status == .exited(0))
    }

    @Test(arguments: [["--help"], ["help"], ["--version", "--help"], ["replay", "--help", "x"]])
    func help(_ arguments: [String]) throws {
      let end = try Peer(arguments).end()
      #expect(end.lines.first?.hasPrefix("host-fixture 1.0: ") == true)
      let options = end.lines.compactMap { $0.split(separator: " ").first }
        .filter { $0.hasPrefix("--") }
      #expect(options.first == "--root")
      #expect(options.last == "--chatter")
      #expect(end.status == .exited(0))
      #expect(end.complaints == "")
    }

    /// What a command says is on standard error, and no progress where no terminal is.
    @Test func anOwnCommand() throws {
      let end = try Peer(["count", "to", "3", "--chatter"]).end()
      #expect(end.complaints == "counted to 3, chatter: true\n")
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
    }

    @Test func anOwnCommandThatFails() throws {
      let end = try Peer(["fail"]).end()
      #expect(end.complaints == "about to fail\nhost-fixture: it went wrong\n")
      #expect(end.status == .exited(1))
    }

    @Test func theHelpNamesOwnCommands() throws {
      let lines = try Peer(["--help"]).end().lines
      let index = try #require(lines.firstIndex(of: "host-fixture count to NUMBER [options]"))
      #expect(lines[index + 1] == "    count, and show how far it is")
    }

    @Test func describe() throws {
      let end = try Peer(["describe"]).end()
      #expect(end.lines.count == 1)
      let description = try JSON(parsing: end.lines.first ?? "")
      #expect(description["info"]?["title"] == "host-fixture")
      #expect(description["x-screens"]?["typed"]?["inputs"]?["text"] != nil)
      #expect(end.status == .exited(0))
      // What the core answers over the wire is the same.
      let peer = try Peer()
      #expect(try peer.ask(Request(1, "rpc.discover")).last?["result"] == description)
    }
  }
}
