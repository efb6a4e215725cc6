import OffstageJSON
import TestSupport
import Testing

/// Tests of a real process: streams, signals, full pipes, memory and the end.
///
/// They run one at a time, so that no child has to share its processor.
@Suite(.serialized) enum HostProcessTests {}

extension HostProcessTests {
  /// Lines are found in the stream, however it is split into reads.
  @Suite struct Framing {
    @Test func linesMayArriveByteByByte() throws {
      let peer = try Peer()
      for byte in (Request.input(1, "text", "é😀").text + "\r\n").utf8 {
        try peer.send([byte])
        try peer.waitUntilRead()
      }
      let replica = try Replica(try peer.lines(upTo: 1))
      #expect(replica.output("text") == "é😀")
      #expect(try peer.finish().lines == [])
    }

    @Test func linesMayBeSplitAnywhere() throws {
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

    @Test func blankLinesAreSkipped() throws {
      let peer = try Peer()
      try peer.send("\u{FEFF}" + Request.input(1, "text", "a").text, "", " \t", "\r")
      try peer.send(Request.input(2, "text", "b").text + "\r")
      #expect(try Replica(try peer.finish().lines).responses.map { $0["id"] } == [1, 2])
    }
  }
}

extension HostProcessTests {
  /// A line past a limit costs one error and no memory; the next line is handled.
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

    @Test(arguments: Bad.allCases) func lineAfterABadOneIsHandled(_ bad: Bad) throws {
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

    /// The end of the input ends an overlong line.
    @Test func overlongLineMayBeTheLast() throws {
      let peer = try Peer(["--max-line", "64"])
      try peer.send(Array(repeating: UInt8(ascii: " "), count: 100))
      let end = try peer.finish()
      #expect(try end.lines.map { try JSON(parsing: $0)["error"]?["code"] } == [-32700])
      #expect(end.status == .exited(0))
    }

    @Test func commandLineSetsTheLimits() throws {
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

extension HostProcessTests {
  /// At the end of the input, everything is answered, running work settles, and the exit status is
  /// 0.
  @Suite struct EndOfInput {
    @Test func emptyInputGivesEmptyOutput() throws {
      let end = try Peer().finish()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func burstOfRequestsIsAnswered() throws {
      let peer = try Peer()
      let requests = (1...1000).map { Request.input(.number(JSONNumber($0)), "text", "t\($0)") }
      try peer.send(requests.map(\.text).joined(separator: "\n"))
      let end = try peer.finish()
      let replica = try Replica(end.lines)
      #expect(replica.responses.map { $0["id"] } == requests.map(\.id))
      #expect(replica.output("text") == "t1000")
      // The reader keeps up, so each input has a frame of its own, and the first one the document.
      #expect(replica.revision == 1001)
      #expect(end.status == .exited(0))
    }

    @Test func finalLineNeedsNoLineFeed() throws {
      let peer = try Peer()
      try peer.send(Array(Request.input(1, "text", "last").text.utf8))
      let replica = try Replica(try peer.finish().lines)
      #expect(replica.responses.count == 1)
      #expect(replica.output("text") == "last")
    }

    /// Work without an end gives way to the input, after the same number of steps in every run.
    @Test func endlessWorkCanBeStopped() throws {
      var steps: Set<JSON> = []
      for _ in 1...3 {
        let peer = try Peer(root: "endless", ["--deterministic"])
        try peer.send(Request.input(1, "start").text, Request.input(2, "stop").text)
        let end = try peer.finish()
        #expect(end.status == .exited(0))
        steps.insert(try #require(try Replica(end.lines).output("steps")))
      }
      #expect(steps.count == 1)
      #expect(try #require(steps.first?.int) <= 1_000)
    }

    /// The response is written, and the next line read, while the work goes on.
    @Test func endlessWorkLetsTheNextLineIn() throws {
      let peer = try Peer(root: "endless", ["--deterministic"])
      _ = try peer.ask(.input(1, "start"))
      _ = try peer.ask(.input(2, "stop"))
      #expect(try peer.finish().status == .exited(0))
    }

    @Test(arguments: [false, true]) func runningEffectsSettle(_ settle: Bool) throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy")
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path), settle: settle).text,
        Request(2, "state/settle").text)
      peer.closeInput()
      gate.write("from elsewhere")
      let end = try peer.end()
      let replica = try Replica(end.lines)
      #expect(replica.output("fetched") == "from elsewhere")
      #expect(replica.responses.map { $0["id"] } == [1, 2])
      #expect(replica.responses.allSatisfy { $0["error"] == nil })
      #expect(end.status == .exited(0))
    }

    /// The end does not wait for a clock or a user.
    @Test(arguments: ["restForeverTapped", "askTapped"]) func waitsForOthersDoNotDelayTheEnd(
      _ input: String
    ) throws {
      let peer = try Peer(root: "busy")
      try peer.send(Request.input(1, input).text)
      let end = try peer.finish()
      #expect(try Replica(end.lines).responses.count == 1)
      #expect(end.status == .exited(0))
    }
  }
}
