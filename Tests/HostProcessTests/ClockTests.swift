import OffstageJSON
import Testing

extension HostProcessTests {
  /// The machine's clock drives what waits for time.
  @Suite struct Clock {
    @Test func aDebouncedOutputArrives() throws {
      let peer = try Peer(root: "busy")
      let lines = try peer.ask(.input(1, "queryText", "a"))
      #expect(lines.count == 2)
      // Nothing more is sent: the frame comes by itself.
      let late = try peer.line().map { try JSON(parsing: $0) }
      #expect(late?["params"]?["patch"]?[0]?["value"] == "a")
      #expect(late?["params"]?["cause"] == 1)
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func aRestEnds() throws {
      let peer = try Peer(root: "busy")
      let replica = try Replica(try peer.ask(.input(1, "restTapped", 10, settle: true)))
      #expect(replica.output("isResting") == false)
      #expect(replica.revision == 3)
    }

    @Test func itCannotBeAdvanced() throws {
      let peer = try Peer()
      let lines = try peer.ask(Request(1, "clock/advance", ["milliseconds": 1]))
      #expect(lines.last?["error"]?["code"] == 1004)
    }
  }
}
