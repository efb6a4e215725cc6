import OffstageJSON
import Testing

extension HostProcessTests {
  /// A line past a limit costs one error and no memory; the next line is good again.
  @Suite struct BadLines {
    enum Bad: CaseIterable {
      case longText, longString, deep, notUTF8

      var bytes: [UInt8] {
        switch self {
        case .longText: Array(repeating: UInt8(ascii: "x"), count: 20 << 20)
        case .longString:
          Array("{\"jsonrpc\":\"".utf8) + Array(repeating: UInt8(ascii: "2"), count: 20 << 20)
            + Array("\"}".utf8)
        case .deep: Array(repeating: UInt8(ascii: "["), count: 100_000)
        case .notUTF8: [UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\"")]
        }
      }
    }

    @Test(arguments: Bad.allCases) func theNextLineIsGood(_ bad: Bad) throws {
      let peer = try Peer()
      try peer.send(bad.bytes + [0x0A])
      let lines = try peer.ask(.input(1, "text", "good"))
      #expect(lines.first?["error"]?["code"] == -32700)
      #expect(lines.first?["id"] == .null)
      // Between the two responses stand the document and what the input has changed of it.
      #expect(lines.count == 4)
      if let peak = ProcessState.peakMemory(of: peer.process) { #expect(peak < 100 << 20) }
      #expect(try peer.finish().status == .exited(0))
    }

    /// Nothing is held back until a line ends that never will.
    @Test func anOverlongLineMayBeTheLast() throws {
      let peer = try Peer(["--max-line", "64"])
      try peer.send(Array(repeating: UInt8(ascii: " "), count: 100))
      let end = try peer.finish()
      #expect(try end.lines.map { try JSON(parsing: $0)["error"]?["code"] } == [-32700])
      #expect(end.status == .exited(0))
    }

    @Test func theCommandLineSetsTheLimits() throws {
      let peer = try Peer(["--max-line", "200", "--max-depth=5"])
      let hello = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      let limits = hello.last?["result"]?["limits"]
      #expect(limits?["line"] == 200)
      #expect(limits?["depth"] == 5)
      let request = Request.input(2, "text", "").text
      let padding = String(repeating: " ", count: 200 - request.utf8.count)
      try peer.send(request + padding, request + padding + " ", "[[[[[]]]]]", "[[[[[[]]]]]]")
      let answers = try Replica(hello + peer.finish().lines.map { try JSON(parsing: $0) }).responses
      let codes = answers.map { $0["error"]?["code"] ?? $0[0]?["error"]?["code"] }
      #expect(codes == [nil, nil, -32700, -32600, -32700])
    }
  }
}
