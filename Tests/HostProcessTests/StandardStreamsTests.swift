import OffstageJSON
import Testing

extension HostProcessTests {
  /// Standard input and output need not be pipes, and need not be there.
  @Suite struct StandardStreams {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func anInputWithNothingInIt() throws {
      let end = try Peer(stdin: .file("/dev/null")).end()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
    }

    @Test func files() throws {
      let requests = (1...3).map { Request.input(.number(JSONNumber($0)), "text", "t\($0)").text }
      let input = try scratch.file("in", requests.joined(separator: "\n"))
      let end = try Peer(stdin: .file(input), stdout: .file(scratch.file("out"))).end()
      #expect(end.status == .exited(0))
      let lines = try scratch.text("out").split(separator: "\n").map { String($0) }
      let replica = try Replica(lines)
      #expect(replica.responses.count == 3)
      #expect(replica.output("text") == "t3")
    }

    /// What the parent has closed stays free of the core's own descriptors.
    @Test func noInput() throws {
      let end = try Peer(["--root", "noisy"], stdin: .closed).end()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
      #expect(end.complaints == "")
    }

    @Test func noOutput() throws {
      let gate = try NamedPipe()
      let peer = try Peer(["--root", "busy"], stdout: .closed)
      try peer.send(Request.input(1, "fetchTapped", .string(gate.path)).text)
      gate.write("unheard")
      let end = try peer.finish()
      #expect(end.status == .exited(0))
      #expect(end.complaints == "")
    }

    @Test func neither() throws {
      #expect(try Peer(stdin: .closed, stdout: .closed).end().status == .exited(0))
    }
  }
}
