import Foundation
import OffstageJSON
import Testing

extension HostProcessTests {
  /// The core's side of a transcript, played to a front end by `replay --serve`.
  @Suite struct Serving {
    private let scratch: Scratch
    private let transcript: String

    init() throws {
      scratch = try Scratch()
      transcript = try scratch.file(
        "run.transcript",
        """
        $ host-fixture --deterministic --root=busy

        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}
        < {"jsonrpc":"2.0","method":"frame","params":"$_"}

        > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"queryText","value":"a"}}
        < {"jsonrpc":"2.0","id":2,"result":"$_"}
        = exit 0
        """)
    }

    @Test func servedRunIsThatOfTheCore() throws {
      let real = try Peer(["--deterministic", "--root=busy"])
      let served = try Peer(["replay", "--serve", transcript])
      for request in [
        Request(7, "initialize", ["protocol": 1, "client": ["name": "test"]]),
        Request.input(8, "queryText", "a"),
      ] {
        #expect(try served.ask(request) == real.ask(request))
      }
      let end = try served.finish()
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func deviationEndsTheRun() throws {
      let peer = try Peer(["replay", "--serve", transcript])
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      try peer.send(Array((Request.input(2, "queryText", "b").text + "\n").utf8))
      let end = try peer.end()
      #expect(end.status == .exited(1))
      #expect(end.errors.contains("run.transcript:6: line differs"))
      #expect(end.errors.contains(#"at /params/value: expected "a", found "b""#))
    }

    @Test func transcriptThatDoesNotReplayIsNotServed() throws {
      let wrong = try scratch.file(
        "wrong.transcript",
        """
        $ host-fixture --deterministic

        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}
        < "$_"
        < {"jsonrpc":"2.0","id":5,"result":{}}
        """)
      let end = try Peer(["replay", "--serve", wrong]).end()
      #expect(end.status == .exited(1))
      #expect(end.errors.contains("wrong.transcript:"))
    }

    @Test func oneFileIsServed() throws {
      for arguments in [["replay", "--serve"], ["replay", "--serve", "a", "b"]] {
        #expect(try Peer(arguments).end().status == .exited(2))
      }
    }
  }
}
