import Foundation
import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// A process that keeps its state, and ends in every way.
  @Suite struct State {
    private let scratch: Scratch
    private var directory: String { scratch.file("place") }

    init() throws { scratch = try Scratch() }

    private func peer(
      _ arguments: [String] = [], root: String = "typed", after shell: String? = nil
    ) throws -> Peer {
      try Peer(["--root", root, "--state", directory] + arguments, after: shell)
    }

    private func type(_ number: Int) -> Request {
      Request(
        .int(number), "input",
        [
          "screen": "1", "name": "text", "value": .string("text \(number)"),
          "key": .string("key \(number)"),
        ])
    }

    /// The first document after a kill is the last one that was read, or one that a line explains
    /// that was sent. A request that is sent again with its key is done once.
    @Test func killLosesNothingThatWasShown() throws {
      var random = SplitMix64(seed: 7)
      var session: JSON?
      var replica = Replica()
      // The numbers of the last request that was sent, and of the last one that was answered.
      var (sent, answered) = (0, 0)
      for kill in 1...50 {
        let killed = try peer()
        try initialize(killed, &session, &replica, expecting: sent...sent)
        let burst = Int.random(in: 1...40, using: &random)
        try killed.send((sent + 1...sent + burst).flatMap { Array((type($0).text + "\n").utf8) })
        sent += burst
        for _ in 0..<Int.random(in: 0...2 * burst, using: &random) {
          try replica.take(JSON(parsing: try #require(try killed.line())))
        }
        for _ in 0..<Int.random(in: 0..<20, using: &random) { sched_yield() }
        killed.deliver(SIGKILL)
        for line in try killed.end().lines { try replica.take(JSON(parsing: line)) }
        answered = max(answered, replica.responses.compactMap { $0["id"]?.int }.max() ?? 0)
        let next = try peer()
        try initialize(next, &session, &replica, expecting: answered...sent)
        for number in answered + 1..<sent + 1 {
          for line in try next.ask(type(number)) { try replica.take(line) }
        }
        #expect(replica.output("count")?.int == sent, "after \(kill) kills")
        #expect(replica.output("text")?.string == "text \(sent)")
        let end = try next.finish()
        #expect(end.status == .exited(0) && end.errors == "")
        answered = sent
      }
    }

    /// A loss of power then loses nothing that was there before the kill.
    @Test func whatAKilledProcessHasLeftIsWrittenToTheFileWithoutAChange() throws {
      var (session, replica) = (JSON?.none, Replica())
      let killed = try peer()
      try initialize(killed, &session, &replica, expecting: 0...0)
      for line in try killed.ask(type(1)) { try replica.take(line) }
      killed.deliver(SIGKILL)
      _ = try killed.end()
      let next = try peer()
      try initialize(next, &session, &replica, expecting: 1...1)
      let file = URL(fileURLWithPath: "\(directory)/state.json")
      let end = ContinuousClock.now + .seconds(30)
      while !String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
        .contains("text 1")
      {
        try #require(ContinuousClock.now < end)
      }
      _ = try next.finish()
    }

    /// A front end is ahead of the state by what a loss of power has taken, and not by more.
    @Test(arguments: [(5, 6), (1 << 53, 3)])
    func theRevisionGoesOnFromWhatMayHaveBeenSeen(_ seen: Int, _ next: Int) throws {
      let first = try peer()
      let begun = try first.ask(Request("i", "initialize", ["protocol": 1]))
      let session = try #require(begun.last?["result"]?["session"])
      _ = try first.ask(type(1))
      #expect(try first.finish().status == .exited(0))
      let second = try peer()
      let lines = try second.ask(
        Request(
          "i", "initialize",
          ["protocol": 1, "resume": ["session": session, "revision": .int(seen)]]))
      #expect(lines.last?["result"]?["revision"]?.int == next)
      _ = try second.finish()
    }

    /// Goes on with a session.
    private func initialize(
      _ peer: Peer, _ session: inout JSON?, _ replica: inout Replica,
      expecting counts: ClosedRange<Int>
    ) throws {
      let shown = replica.output("count")?.int ?? 0
      var params: JSONObject = ["protocol": 1]
      if let session {
        params["resume"] = ["session": session, "revision": .int(replica.revision)]
      }
      let lines = try peer.ask(Request("i", "initialize", .object(params)))
      for line in lines { try replica.take(line) }
      let now = try #require(lines.last?["result"]?["session"])
      if let session { #expect(now == session) }
      session = now
      let count = try #require(replica.output("count")?.int)
      #expect(counts.contains(count) && count >= shown, "\(count) after \(shown)")
      if count > 0 { #expect(replica.output("text")?.string == "text \(count)") }
    }

    private func output(of peer: Peer) throws -> JSON? {
      let result = try peer.ask(Request("s", "state/snapshot")).last?["result"]
      return result?["state"]?["screens"]?["1"]?["output"]
    }

    /// Starts, types, and is killed.
    private func dieEarly(_ number: Int, root: String = "stuck") throws -> Ending {
      let peer = try peer(root: root)
      _ = try peer.ask(type(number))
      peer.deliver(SIGKILL)
      return try peer.end()
    }

    @Test func twoDeathsBeforeTheAppHasLoadedSetTheStateAside() throws {
      #expect(try dieEarly(1).errors == "")
      #expect(try dieEarly(2).errors == "")
      let third = try peer(root: "stuck")
      #expect(try output(of: third)?["text"] == "")
      let errors = try third.finish().errors
      #expect(
        errors == "host-fixture: \(directory)/journal has led to 2 starts that died before the app "
          + "had loaded, so the app starts afresh; the file is now \(directory)/journal.rejected\n")
      #expect(FileManager.default.fileExists(atPath: "\(directory)/journal.rejected"))
      let fourth = try peer(root: "stuck")
      #expect(try output(of: fourth)?["text"] == "")
      #expect(try fourth.finish().errors == "")
    }

    @Test func aCleanEndForgivesADeath() throws {
      for round in 0..<3 {
        #expect(try dieEarly(2 * round + 1).errors == "")
        let next = try peer(root: "stuck")
        #expect(try output(of: next)?["text"]?.string == "text \(2 * round + 1)")
        #expect(try next.finish().errors == "")
      }
    }

    @Test func deathsOfAnAppThatHasLoadedSetNothingAside() throws {
      for number in 1...5 { #expect(try dieEarly(number, root: "typed").errors == "") }
      let last = try peer()
      #expect(try output(of: last)?["count"] == 5)
      #expect(try last.finish().errors == "")
    }

    @Test func freshSetsTheStateAside() throws {
      let first = try peer()
      _ = try first.ask(type(1))
      #expect(try first.finish().status == .exited(0))
      let second = try peer(["--fresh"])
      #expect(try output(of: second)?["count"] == 0)
      let errors = try second.finish().errors
      #expect(
        errors.contains(
          "\(directory)/state.json is set aside by --fresh, so the app starts afresh; the file is "
            + "now \(directory)/state.json.rejected\n"), "\(errors)")
    }

    @Test func theDirectoryIsCreatedWithThoseAroundIt() throws {
      let nested = scratch.file("not/there/yet")
      let peer = try Peer(["--root", "typed", "--state", nested])
      _ = try peer.ask(type(1))
      let end = try peer.finish()
      #expect(end.status == .exited(0) && end.errors == "")
      #expect(FileManager.default.fileExists(atPath: "\(nested)/state.json"))
    }

    @Test func freshNeedsState() throws {
      let peer = try Peer(["--fresh"])
      let end = try peer.finish()
      #expect(end.status == .exited(2))
      #expect(end.errors == "host-fixture: --fresh needs --state; see host-fixture --help\n")
    }

    @Test func aSecondProcessHasAPlaceOfItsOwn() throws {
      let first = try peer()
      _ = try first.ask(type(1))
      let second = try peer()
      #expect(try output(of: second)?["count"] == 0)
      for number in 1...2 { _ = try second.ask(type(number)) }
      let errors = try second.finish().errors
      #expect(
        errors == "host-fixture: another process keeps its place in \(directory), so this one uses "
          + "\(directory)/2\n")
      #expect(try first.finish().errors == "")
      let third = try peer()
      #expect(try output(of: third)?["count"] == 1)
      let fourth = try peer()
      #expect(try output(of: fourth)?["count"] == 2)
      _ = try fourth.finish()
      _ = try third.finish()
    }

    /// A limit on the size of files, in blocks of 512 bytes, works like a full disk.
    @Test(arguments: ["ulimit -f 50", "ulimit -f 0"])
    func aFullDiskIsReportedOnce(_ limit: String) throws {
      let peer = try peer(after: limit)
      for number in 1...3 { _ = try peer.ask(type(number)) }
      #expect(try output(of: peer)?["count"] == 3)
      let end = try peer.finish()
      #expect(end.status == .exited(0))
      if limit == "ulimit -f 50" {
        #expect(
          end.errors == "host-fixture: cannot keep where the user is, and goes on without: "
            + "\(directory)/journal: File too large\n")
      }
      let next = try self.peer()
      #expect(try output(of: next)?["count"] == (limit == "ulimit -f 50" ? 3 : 0))
      _ = try next.finish()
    }

    /// The checkpoint has everything, and nothing of it is left in the journal.
    @Test func aCheckpointFollowsWithoutAnEnd() throws {
      let peer = try peer()
      _ = try peer.ask(type(1))
      let end = ContinuousClock.now + .seconds(30)
      func holds(_ file: String) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(file)"))
          .firstRange(of: Data("text 1".utf8)) != nil
      }
      while try holds("journal") {
        try #require(ContinuousClock.now < end)
        sched_yield()
      }
      #expect(try holds("state.json"))
      peer.deliver(SIGKILL)
      _ = try peer.end()
      let next = try self.peer()
      #expect(try output(of: next)?["count"] == 1)
      _ = try next.finish()
    }

    /// Unlike one of many sessions, which waits until it is used.
    @Test func aCheckpointOfTheOnlySessionFollowsItsStart() throws {
      let peer = try peer()
      _ = try output(of: peer)
      let end = ContinuousClock.now + .seconds(30)
      while !FileManager.default.fileExists(atPath: "\(directory)/state.json") {
        try #require(ContinuousClock.now < end)
        sched_yield()
      }
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func aForeignJournalIsKeptAside() throws {
      let first = try peer()
      _ = try first.ask(type(1))
      _ = try first.finish()
      try Data(repeating: 7, count: 100).write(to: URL(fileURLWithPath: "\(directory)/journal"))
      let second = try peer()
      #expect(try output(of: second)?["count"] == 1)
      let errors = try second.finish().errors
      #expect(
        errors
          == "host-fixture: \(directory)/journal has 100 bytes, not 4198400, so what happened "
          + "since the last checkpoint is missing; the file is now \(directory)/journal.rejected\n")
    }
  }
}
