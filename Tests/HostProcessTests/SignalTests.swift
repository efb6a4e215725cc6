import Foundation
import OffstageJSON
import Testing

extension HostProcessTests {
  /// Signals that ask the process to go end it in good order.
  @Suite struct Signals {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func whatWasBegunIsSaid(_ signal: Int32) throws {
      let peer = try Peer(root: "bulk {\"size\":1}")
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      // More than a pipe holds: the line has begun, and cannot have ended.
      try peer.send(Request.input(2, "sizeChosen", 500_000).text)
      try peer.waitForOutput()
      peer.deliver(signal)
      let end = try peer.end()
      #expect(end.lines.count == 2)
      #expect(end.lines.first?.utf8.count ?? 0 > 500_000)
      #expect(try end.lines.last.map { try JSON(parsing: $0)["id"] } == 2)
      #expect(end.status == .exited(0))
      #expect(end.complaints == "")
    }

    @Test func whileItRests() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGTERM)
      #expect(try peer.end().status == .exited(0))
    }

    /// As with `nohup`.
    @Test func whatTheParentIgnoresStaysIgnored() throws {
      let peer = try Peer(ignoring: "HUP")
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGHUP)
      #expect(try peer.ask(.input(2, "text", "y")).count == 2)
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func aBrokenPipeIsNoReasonToGo() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGPIPE)
      #expect(try peer.ask(.input(2, "text", "y")).count == 2)
      #expect(try peer.finish().status == .exited(0))
    }

    /// Whether the end has begun already or not, a reader that does not read cannot prevent it.
    @Test(arguments: ["input", "shutdown"]) func nobodyReads(_ method: String) throws {
      let peer = try Peer(root: "bulk {\"size\":500000}", ["--drain", "0"])
      try peer.send(Request(1, method == "input" ? "state/snapshot" : method).text)
      try peer.send(Request(2, "initialize", ["protocol": 1]).text)
      try peer.waitForOutput()
      peer.deliver(SIGTERM)
      #expect(try peer.endUnread().status == .exited(0))
    }
  }
}
