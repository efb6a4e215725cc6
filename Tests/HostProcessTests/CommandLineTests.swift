import Foundation
import OffstageJSON
import Testing

extension HostProcessTests {
  /// Exit statuses and messages: 0, 1 for a failure, 2 for an invalid command line.
  @Suite struct CommandLine {
    struct Refusal: CustomTestStringConvertible {
      let arguments: [String]
      let status: Int32
      let message: String

      init(_ arguments: String..., status: Int32 = 2, says message: String) {
        self.arguments = arguments
        self.status = status
        self.message = message
      }

      var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
      Refusal("--nonsense", says: "unknown option --nonsense"),
      Refusal("serve", says: "unknown command \"serve\""),
      Refusal("describe", "now", says: "expected describe"),
      Refusal("--max-line", says: "--max-line needs a value: --max-line BYTES"),
      Refusal(
        "--max-line", "63", says: "--max-line takes an integer from 64 to 268435456, not \"63\""),
      Refusal(
        "--max-depth", "three", says: "--max-depth takes an integer from 4 to 4096, not \"three\""),
      Refusal("--drain=-1", says: "--drain takes an integer from 0 to 86400, not \"-1\""),
      Refusal("--drain=86401", says: "--drain takes an integer from 0 to 86400, not \"86401\""),
      Refusal("--drain=", says: "--drain needs a value: --drain SECONDS"),
      Refusal(
        "--root", "home",
        says: "--root: unknown screen \"home\"; expected one of bulk, busy, endless, noisy, "
          + "notebook, room, saver, shelf, signIn, stuck, typed"),
      Refusal("--root", "bulk {", says: "--root: the argument of \"bulk\" is not valid JSON: "),
      Refusal(
        "--root", "bulk",
        says: "--root: the argument of \"bulk\" needs integer at /size, found nothing"),
      Refusal(
        "--root", "typed []", says: "--root: the argument of \"typed\" needs object, found array"),
      Refusal("count", says: "expected count to NUMBER"),
      Refusal("count", "to", says: "expected count to NUMBER"),
      Refusal("--package", ".", says: "--package needs --watch"),
      Refusal("replay", says: "expected replay PATH…"),
      Refusal("\u{1B}[31m\n", says: "unknown command \"\\x1B[31m\\x0A\""),
      Refusal(
        "--record", "/nowhere/at/all", status: 1, says: "/nowhere/at/all: No such file or directory"
      ),
    ])
    func invalidCommandLinesAreRejected(_ refusal: Refusal) throws {
      let peer = try Peer(refusal.arguments)
      let end = try peer.end()
      #expect(end.status == .exited(refusal.status))
      #expect(end.lines == [])
      #expect(end.errors.hasPrefix("host-fixture: " + refusal.message))
      #expect(end.errors.hasSuffix(refusal.status == 2 ? "; see host-fixture --help\n" : "\n"))
    }

    @Test(arguments: [10, 11, 12, 13, 14, 15, 63]) func tooFewDescriptorsAreAnError(_ limit: Int)
      throws
    {
      let end = try Peer(after: "ulimit -n \(limit)").end()
      #expect(end.status == .exited(1))
      #expect(end.errors.hasPrefix("host-fixture: the limit of \(limit) open files is too low;"))
      // A soft limit is raised.
      let peer = try Peer(after: "ulimit -Sn \(limit)")
      #expect(try peer.ask(.input(1, "text", "x")).count == 3)
      #expect(try peer.finish().status == .exited(0))
    }

    /// A supervisor that does not read must not keep a program that cannot start.
    @Test func fullStandardErrorDoesNotHang() throws {
      let pipe = try NamedPipe()
      pipe.fill()
      let end = try Peer(["--nonsense"], after: "exec 2>\(pipe.path)").end()
      #expect(end.status == .exited(2))
    }

    /// On a full disk, half a description must not pass for a whole one.
    @Test(
      .enabled(if: access("/dev/full", W_OK) == 0), arguments: ["describe", "--help", "--version"])
    func fullDiskIsAFailure(_ word: String) throws {
      let end = try Peer([word], after: "exec >/dev/full").end()
      #expect(end.status == .exited(1))
      #expect(end.errors == "host-fixture: standard output: No space left on device\n")
    }

    @Test func dataDirectoryNeedsAHome() throws {
      let unset = "unset HOME XDG_DATA_HOME"
      let end = try Peer(["data"], after: unset).end()
      #expect(end.status == .exited(2))
      #expect(
        end.errors.hasPrefix("host-fixture: HOME is not set; use --data with an absolute path"))
      #expect(try Peer(["data", "--data", "/d"], after: unset).end().errors == "/d\n")
      #expect(
        try Peer(["data"], after: "export HOME= XDG_DATA_HOME=/x").end().errors
          == "/x/host-fixture\n")
    }

    @Test func argumentsMustBeUTF8() throws {
      let end = try Peer(after: "set -- --data \"$(printf '\\377')\"").end()
      #expect(end.status == .exited(2))
      #expect(
        end.errors == "host-fixture: argument 2 is not valid UTF-8; see host-fixture --help\n")
    }

    @Test(arguments: [[], ["--deterministic"]])
    func commandSleepsOnTheClockOfTheApp(_ options: [String]) throws {
      let end = try Peer(options + ["sleep", "20"]).end()
      #expect(end.errors == "slept: true\n")
      #expect(end.status == .exited(0))
    }

    @Test func versionIsPrinted() throws {
      let end = try Peer(["--version"]).end()
      #expect(end.lines == ["host-fixture 1.0"])
      #expect(end.status == .exited(0))
    }

    @Test(arguments: [["--help"], ["help"], ["--version", "--help"]])
    func helpListsEveryOption(_ arguments: [String]) throws {
      let end = try Peer(arguments).end()
      #expect(end.lines.first?.hasPrefix("usage: host-fixture ") == true)
      let options = end.lines.compactMap { $0.split(separator: " ").first }
        .filter { $0.hasPrefix("--") }
      #expect(options.first == "--root")
      #expect(options.last == "--server")
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test(arguments: [
      (["replay", "--help"], "usage: host-fixture replay [--update] PATH…"),
      (["help", "replay"], "usage: host-fixture replay [--update] PATH…"),
      (["--help", "describe"], "usage: host-fixture describe [options]"),
      (["count", "to", "-h"], "usage: host-fixture count to NUMBER [options]"),
    ])
    func helpOfACommandShowsItsUsage(_ arguments: [String], _ usage: String) throws {
      let end = try Peer(arguments).end()
      #expect(end.lines.first == usage)
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    /// Messages go to standard error; the progress bar needs a terminal.
    @Test func commandOfTheProgramRuns() throws {
      let end = try Peer(["count", "to", "3", "--chatter"]).end()
      #expect(end.errors == "counted to 3, chatter: true\n")
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
    }

    @Test func errorOfACommandIsPrinted() throws {
      let end = try Peer(["fail"]).end()
      #expect(end.errors == "about to fail\nhost-fixture: it went wrong\n")
      #expect(end.status == .exited(1))
    }

    @Test func helpListsOwnCommands() throws {
      let lines = try Peer(["--help"]).end().lines
      #expect(lines.contains("  count to NUMBER        count, and show how far it is"))
    }

    @Test func describePrintsOneLineOfJSON() throws {
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
