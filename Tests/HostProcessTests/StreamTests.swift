import Foundation
import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// Standard input and output may be files, or closed.
  @Suite struct StandardStreams {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func emptyFileIsAnEmptyInput() throws {
      let end = try Peer(stdin: .file("/dev/null")).end()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
    }

    @Test func filesCanBeInputAndOutput() throws {
      let requests = (1...3).map { Request.input(.number(JSONNumber($0)), "text", "t\($0)").text }
      let input = try scratch.file("in", requests.joined(separator: "\n"))
      let end = try Peer(stdin: .file(input), stdout: .file(scratch.file("out"))).end()
      #expect(end.status == .exited(0))
      let lines = try scratch.text("out").split(separator: "\n").map { String($0) }
      let replica = try Replica(lines)
      #expect(replica.responses.count == 3)
      #expect(replica.output("text") == "t3")
    }

    /// The core's own descriptors must not take the place of a closed stream.
    @Test func closedInputCountsAsEmpty() throws {
      let end = try Peer(["--root", "noisy"], stdin: .closed).end()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func closedOutputDoesNotStopTheCore() throws {
      let gate = try NamedPipe()
      let peer = try Peer(["--root", "busy"], stdout: .closed)
      try peer.send(Request.input(1, "fetchTapped", .string(gate.path)).text)
      gate.write("unheard")
      let end = try peer.finish()
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    /// Someone who starts the program by hand learns what it waits for.
    @Test func terminalAsInputGetsAHint() throws {
      let terminal = try Terminal()
      let peer = try Peer(stdin: .file(terminal.path))
      terminal.type(Request(1, "state/settle").text + "\n\u{4}")
      let end = try peer.end()
      #expect(end.status == .exited(0))
      #expect(end.errors.split(separator: "\n").count == 1)
      #expect(end.errors.contains("Ctrl+D ends it"))
      #expect(end.errors.contains("Protocol/README.md"))
    }

    @Test func coreWithoutStreamsExits() throws {
      #expect(try Peer(stdin: .closed, stdout: .closed).end().status == .exited(0))
    }
  }
}

extension HostProcessTests {
  /// Stray prints and reads of an app do not touch the protocol.
  @Suite struct StrayOutput {
    @Test func printGoesToStandardError() throws {
      let peer = try Peer(root: "noisy")
      let lines = try peer.ask(.input(1, "printTapped", "{\"jsonrpc\":\"2.0\"}"))
      #expect(lines.count == 3)
      let end = try peer.finish()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
      #expect(end.errors == "{\"jsonrpc\":\"2.0\"}\n")
    }

    @Test func readLineReadsNothing() throws {
      let peer = try Peer(root: "noisy")
      let read = Request.input(1, "readTapped")
      let print = Request.input(2, "printTapped", "next")
      try peer.send(read.text, print.text)
      let replica = try Replica(try peer.finish().lines)
      #expect(replica.responses.map { $0["id"] } == [1, 2])
      #expect(replica.output("heard") == .null)
      #expect(replica.output("printed") == 1)
    }

    /// The streams are moved before the app is composed, which prints more than a buffer holds.
    @Test(arguments: [[], ["describe"]]) func printingWhileComposingIsHarmless(_ command: [String])
      throws
    {
      let peer = try Peer(command + ["--chatter"])
      let request = Request.input(1, "text", "x")
      if command.isEmpty { try peer.send(request.text) }
      let end = try peer.finish()
      #expect(end.status == .exited(0))
      for line in end.lines { #expect(throws: Never.self) { try JSON(parsing: line) } }
      #expect(end.lines.count == (command.isEmpty ? 3 : 1))
      #expect(end.errors.hasSuffix("chatter 1000\nchatter read nothing\n"))
    }

    @Test func linesAreNeverTorn() throws {
      let peer = try Peer(root: "noisy")
      let chat = Request.input("chat", "chatTapped", 3000, settle: true)
      let prints = (1...1000).map { Request.input(.number(JSONNumber($0)), "printTapped", "mine") }
      try peer.send(([chat] + prints).map(\.text).joined(separator: "\n"))
      let end = try peer.finish()
      // Each line is JSON, each frame follows the one before: that is checked on the way.
      let replica = try Replica(end.lines)
      #expect(Set(replica.responses.compactMap { $0["id"] }).count == 1001)
      #expect(replica.output("isChatting") == false)
      #expect(replica.output("printed") == 1000)
      let errors = end.errors.split(separator: "\n")
      #expect(errors.filter { $0 == "mine" }.count == 1000)
      #expect(errors.filter { $0 != "mine" } == (0..<3000).map { "stray \($0)" })
    }
  }
}

/// A terminal on which a test types.
private final class Terminal {
  /// The path that a program opens.
  let path: String
  private var keyboard: Int32 = -1
  private var screen: Int32 = -1

  init() throws {
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&keyboard, &screen, &name, nil, nil) == 0 else {
      throw PeerError("openpty", errno)
    }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for descriptor in [keyboard, screen] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  deinit { for descriptor in [keyboard, screen] { close(descriptor) } }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(keyboard, bytes, bytes.count)
  }
}
