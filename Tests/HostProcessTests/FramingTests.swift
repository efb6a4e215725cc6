import OffstageJSON
import Testing

extension HostProcessTests {
  /// Lines are cut out of a stream, however the stream itself was cut.
  @Suite struct Framing {
    @Test func aLineMayComeByteByByte() throws {
      let peer = try Peer()
      for byte in (Request.input(1, "text", "é😀").text + "\r\n").utf8 {
        try peer.send([byte])
        try peer.waitUntilRead()
      }
      let replica = try Replica(try peer.lines(upTo: 1))
      #expect(replica.output("text") == "é😀")
      #expect(try peer.finish().lines == [])
    }

    @Test func aLineMayBeCutAnywhere() throws {
      let peer = try Peer()
      var replica = try Replica(try peer.ask(Request(0, "initialize", ["protocol": 1])))
      let length = Request.input(100, "text", "100 é😀").text.utf8.count
      for cut in 1...length {
        let id = JSON.number(JSONNumber(100 + cut))
        let bytes = Array((Request.input(id, "text", "\(100 + cut) é😀").text + "\n").utf8)
        try peer.send(Array(bytes[..<cut]))
        try peer.waitUntilRead()
        try peer.send(Array(bytes[cut...]))
        for line in try peer.lines(upTo: id) { try replica.take(line) }
        #expect(replica.output("text") == "\(100 + cut) é😀")
      }
      #expect(replica.output("count") == .number(JSONNumber(length)))
    }

    @Test func blankLinesSayNothing() throws {
      let peer = try Peer()
      try peer.send("\u{FEFF}" + Request.input(1, "text", "a").text, "", " \t", "\r")
      try peer.send(Request.input(2, "text", "b").text + "\r")
      #expect(try Replica(try peer.finish().lines).responses.map { $0["id"] } == [1, 2])
    }
  }
}
