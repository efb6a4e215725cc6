import Foundation
import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// `shutdown` ends the core, whatever is pending.
  @Suite struct Shutdown {
    @Test func linesAfterShutdownAreIgnored() throws {
      let peer = try Peer()
      try peer.send(
        Request.input(1, "text", "before").text, Request(2, "shutdown").text,
        Request.input(3, "text", "after").text)
      // The input stays open.
      let end = try peer.end()
      let replica = try Replica(end.lines)
      #expect(replica.responses.map { $0["id"] } == [1, 2])
      #expect(replica.responses.last?["result"] == .null)
      #expect(replica.output("text") == "before")
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func pendingRequestsAreAnswered() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy")
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path), settle: true).text,
        Request(2, "shutdown").text)
      let end = try peer.end()
      let responses = try Replica(end.lines).responses
      #expect(responses.map { $0["id"] } == [2, 1])
      #expect(responses.last?["error"]?["code"] == -32800)
      #expect(end.status == .exited(0))
      withExtendedLifetime(gate) {}
    }
  }
}

extension HostProcessTests {
  /// `--drain` bounds the work after the end of the input.
  @Suite struct Drain {
    @Test(arguments: [["--drain", "0"], ["--drain=0", "--deterministic"]])
    func drainBoundsEndlessWork(_ arguments: [String]) throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", arguments)
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path), settle: true).text,
        Request(2, "state/settle").text)
      try check(try peer.finish(), canceled: [1, 2])
      withExtendedLifetime(gate) {}
    }

    @Test func drainBoundsABlockedClock() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", ["--drain", "0", "--deterministic"])
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path)).text,
        Request(2, "clock/advance", ["milliseconds": 1000]).text,
        // Later lines are answered, too.
        Request(3, "state/snapshot").text)
      let end = try peer.finish()
      try check(end, canceled: [2])
      #expect(try Replica(end.lines).responses.last?["result"]?["state"] != nil)
      withExtendedLifetime(gate) {}
    }

    @Test func drainWaitsForWork() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", ["--drain", "86400"])
      try peer.send(Request.input(1, "fetchTapped", .string(gate.path), settle: true).text)
      peer.closeInput()
      gate.write("at last")
      let end = try peer.end()
      #expect(try Replica(end.lines).output("fetched") == "at last")
      #expect(end.status == .exited(0))
    }

    /// The writer may be gone before the core has read everything.
    @Test(arguments: [1, 9]) func drainBoundsAReaderThatNeverReads(snapshots: Int) throws {
      let peer = try Peer(root: "bulk {\"size\":3000000}", ["--drain", "1"])
      for id in 1...snapshots {
        let line = Array((Request(.int(id), "state/snapshot").text + "\n").utf8)
        #expect(try peer.offer(line[...]) == line.count)
      }
      try peer.waitForOutput()
      let filler = [UInt8](repeating: 0x0A, count: 1 << 16)
      while snapshots > 1, try peer.takesMore() { _ = try peer.offer(filler[...]) }
      peer.closeInput()
      let end = try peer.endUnread()
      #expect(end.status == .exited(1))
      #expect(end.errors.contains("standard output was not read for 1 s"))
    }

    private func check(
      _ end: Ending, canceled ids: [JSON], _ location: SourceLocation = #_sourceLocation
    ) throws {
      let responses = try Replica(end.lines).responses.filter { $0["error"] != nil }
      #expect(responses.map { $0["id"] } == ids, sourceLocation: location)
      #expect(responses.allSatisfy { $0["error"]?["code"] == -32800 }, sourceLocation: location)
      #expect(end.status == .exited(0), sourceLocation: location)
      #expect(end.errors == "", sourceLocation: location)
    }
  }
}

extension HostProcessTests {
  /// The first signal ends the process in good order, the second one at once.
  @Suite struct Signals {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signalFinishesTheLine(_ signal: Int32) throws {
      let peer = try Peer(root: "bulk {\"size\":1}")
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      // More than a pipe holds, so the line has started but cannot be complete.
      try peer.send(Request.input(2, "sizeChosen", 500_000).text)
      try peer.waitForOutput()
      peer.deliver(signal)
      let end = try peer.end()
      #expect(end.lines.count == 2)
      #expect(end.lines.first?.utf8.count ?? 0 > 500_000)
      #expect(try end.lines.last.map { try JSON(parsing: $0)["id"] } == 2)
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func signalEndsAnIdleCore() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGTERM)
      #expect(try peer.end().status == .exited(0))
    }

    /// As with `nohup`.
    @Test func ignoredSignalsStayIgnored() throws {
      let peer = try Peer(after: "trap '' HUP")
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGHUP)
      #expect(try peer.ask(.input(2, "text", "y")).count == 2)
      #expect(try peer.finish().status == .exited(0))
    }

    /// Two different signals, since two equal ones may arrive as one.
    @Test func secondSignalEndsAStuckCore() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy")
      try peer.send(Request.input(1, "blockTapped", .string(gate.path)).text)
      try peer.waitUntilRead()
      #expect(try !peer.saysMore())
      peer.deliver(SIGTERM)
      peer.deliver(SIGINT)
      let status = try peer.end().status
      #expect(status == .killed(by: SIGTERM) || status == .killed(by: SIGINT))
      withExtendedLifetime(gate) {}
    }

    @Test func signalEndsAStuckCoreAfterTheDrain() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", ["--drain", "0"])
      try peer.send(Request.input(1, "blockTapped", .string(gate.path)).text)
      try peer.waitUntilRead()
      #expect(try !peer.saysMore())
      peer.deliver(SIGTERM)
      #expect(try peer.end().status == .exited(1))
      withExtendedLifetime(gate) {}
    }

    /// No one is left to send a signal.
    @Test func stuckCoreEndsAfterItsFrontEnd() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", ["--drain", "0"])
      try peer.send(Request.input(1, "blockTapped", .string(gate.path)).text)
      try peer.waitUntilRead()
      #expect(try !peer.saysMore())
      peer.closeOutput()
      #expect(try peer.finish().status == .exited(1))
      withExtendedLifetime(gate) {}
    }

    @Test func quitEndsTheCoreAtOnce() throws {
      let peer = try Peer(after: "ulimit -c 0")
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGQUIT)
      let end = try peer.end()
      #expect(end.status == .killed(by: SIGQUIT))
      #expect(end.errors == "")
    }

    /// A command has no loop that watches for signals.
    @Test(arguments: [false, true]) func quitEndsACommand(isIgnored: Bool) throws {
      let gate = try NamedPipe()
      let peer = try Peer(
        ["wait", "for", gate.path], after: "ulimit -c 0" + (isIgnored ? "; trap '' QUIT" : ""))
      #expect(try peer.line() == "waiting")
      peer.deliver(SIGQUIT)
      if isIgnored { gate.write("at last") }
      let end = try peer.end()
      #expect(end.status == (isIgnored ? .exited(0) : .killed(by: SIGQUIT)))
      #expect(end.errors == "")
    }

    @Test func brokenPipeSignalIsIgnored() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGPIPE)
      #expect(try peer.ask(.input(2, "text", "y")).count == 2)
      #expect(try peer.finish().status == .exited(0))
    }

    /// A reader that does not read cannot prevent the end, before or after it has begun.
    @Test(arguments: ["input", "shutdown"]) func unreadOutputDoesNotBlockTheEnd(_ method: String)
      throws
    {
      let peer = try Peer(root: "bulk {\"size\":500000}", ["--drain", "0"])
      try peer.send(Request(1, method == "input" ? "state/snapshot" : method).text)
      try peer.send(Request(2, "initialize", ["protocol": 1]).text)
      try peer.waitForOutput()
      peer.deliver(SIGTERM)
      #expect(try peer.endUnread().status == .exited(0))
    }
  }
}

extension HostProcessTests {
  /// The way in which a core comes to its end.
  enum Way: CaseIterable {
    case endOfInput, shutdown, signal, goneReader
  }

  /// Work that outlives its screen is done before the program ends, and need not wait any longer.
  @Suite struct LastWork {
    private let scratch: Scratch
    private var file: String { scratch.file("saved") }

    init() throws { scratch = try Scratch() }

    @Test(arguments: Way.allCases, [[], ["--deterministic"]])
    func saveThatWaitsIsDone(_ way: Way, _ arguments: [String]) throws {
      let end = try end(way, arguments, .input(1, "text", "a"), .input(2, "text", "b"))
      #expect(end.status == .exited(0))
      #expect(try scratch.text("saved") == "closed\nb\n")
    }

    @Test func repeatedSaveIsDoneOnce() throws {
      _ = try end(.endOfInput, [], .input(1, "repeatTapped"))
      #expect(try scratch.text("saved") == "closed\nagain\n")
    }

    @Test func workThatDoesNotOutliveItsScreenIsCanceled() throws {
      _ = try end(.endOfInput, [], .input(1, "dropTapped"))
      #expect(try scratch.text("saved") == "closed\n")
    }

    @Test func failureIsReported() throws {
      let end = try end(.endOfInput, [], .input(1, "failTapped"))
      let last = try JSON(parsing: try #require(end.lines.last))
      #expect(last["method"] == "error")
      #expect(last["params"]?["message"]?.string?.contains("Failure()") == true)
    }

    @Test func frontEndDoesNotSeeTheScreensClose() throws {
      let end = try end(.endOfInput, [], .input(1, "text", "a"))
      #expect(end.lines == [])
    }

    private func end(
      _ way: Way, _ arguments: [String], _ requests: Request...
    ) throws -> Ending {
      let peer = try Peer(root: "saver {\"file\":\"\(file)\"}", arguments)
      for request in requests { _ = try peer.ask(request) }
      switch way {
      case .endOfInput: return try peer.finish()
      case .shutdown: try peer.send(Request(9, "shutdown").text)
      case .signal: peer.deliver(SIGTERM)
      case .goneReader: peer.closeOutput()
      }
      return try peer.end()
    }
  }

  @Suite struct SlowTurn {
    @Test(arguments: [(1500, true), (200, false)])
    func turnThatAUserNoticesIsReported(_ milliseconds: Int, isReported: Bool) throws {
      let peer = try Peer(root: "busy")
      _ = try peer.ask(.input(1, "computeTapped", .int(milliseconds)))
      let errors = try peer.finish().errors
      #expect(errors.hasPrefix("host-fixture: warning: a turn of 1") == isReported, "\(errors)")
      #expect(errors.contains("ms in the input \"computeTapped\" of screen 1") == isReported)
    }
  }
}
