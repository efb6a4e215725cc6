import OffstageJSON
import Testing

extension HostProcessTests {
  /// Standard input and output are the protocol's alone, whatever a feature does with them.
  @Suite struct StrayOutput {
    @Test func aPrintLandsOnStandardError() throws {
      let peer = try Peer(root: "noisy")
      let lines = try peer.ask(.input(1, "printTapped", "{\"jsonrpc\":\"2.0\"}"))
      #expect(lines.count == 3)
      let end = try peer.finish()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
      #expect(end.complaints == "{\"jsonrpc\":\"2.0\"}\n")
    }

    @Test func readLineStealsNothing() throws {
      let peer = try Peer(root: "noisy")
      let read = Request.input(1, "readTapped")
      let print = Request.input(2, "printTapped", "next")
      try peer.send(read.text, print.text)
      let replica = try Replica(try peer.finish().lines)
      #expect(replica.responses.map { $0["id"] } == [1, 2])
      #expect(replica.output("heard") == .null)
      #expect(replica.output("printed") == 1)
    }

    /// The streams are taken away before the app is made, which prints more than a buffer holds.
    @Test(arguments: [[], ["describe"]]) func composingMayPrintToo(_ command: [String]) throws {
      let peer = try Peer(command + ["--chatter"])
      let request = Request.input(1, "text", "x")
      if command.isEmpty { try peer.send(request.text) }
      let end = try peer.finish()
      #expect(end.status == .exited(0))
      for line in end.lines { #expect(throws: Never.self) { try JSON(parsing: line) } }
      #expect(end.lines.count == (command.isEmpty ? 3 : 1))
      #expect(end.complaints.hasSuffix("chatter 1000\nchatter read nothing\n"))
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
      let complaints = end.complaints.split(separator: "\n")
      #expect(complaints.filter { $0 == "mine" }.count == 1000)
      #expect(complaints.filter { $0 != "mine" } == (0..<3000).map { "stray \($0)" })
    }
  }
}
