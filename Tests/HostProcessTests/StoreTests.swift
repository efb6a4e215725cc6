import Foundation
import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// A `JSONStore` in a process that ends in every way.
  @Suite struct Store {
    private let scratch: Scratch
    private var file: String { scratch.file("note.json") }

    init() throws { scratch = try Scratch() }

    private func peer(
      delay: Int = 0, _ arguments: [String] = [], after shell: String? = nil
    ) throws -> Peer {
      try Peer(
        ["--root", "notebook {\"file\":\"\(file)\",\"delay\":\(delay)}"] + arguments, after: shell)
    }

    /// The number of the note in the file; the fixture checks that the note is whole.
    private func kept() throws -> JSON? {
      let peer = try peer(["--deterministic"])
      let number = try Replica(peer.ask(Request(1, "state/settle"))).output("saved")
      let end = try peer.finish()
      #expect(end.status == .exited(0), "\(end.errors)")
      return number
    }

    @Test(arguments: [[], ["--deterministic"]])
    func writeThatIsPutOffIsDoneAtTheEnd(_ arguments: [String]) throws {
      let peer = try peer(delay: 3_600_000, arguments)
      for number in 1...5 { _ = try peer.ask(.input(.int(number), "number", .int(number))) }
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(try peer.finish().status == .exited(0))
      #expect(try kept() == 5)
    }

    @Test func signalDoesNotLoseTheWrite() throws {
      let peer = try peer(delay: 3_600_000)
      _ = try peer.ask(.input(1, "number", 7))
      peer.deliver(SIGTERM)
      #expect(try peer.end().status == .exited(0))
      #expect(try kept() == 7)
    }

    /// The change has been made, whatever becomes of the request that made it.
    @Test func canceledRequestDoesNotLoseTheWrite() throws {
      let peer = try peer()
      try peer.send(
        Request.input(1, "number", 7, settle: true).text,
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
      _ = try peer.lines(upTo: 1)
      #expect(try peer.finish().status == .exited(0))
      #expect(try kept() == 7)
    }

    /// The file has the note that was saved or a newer one, and is whole, wherever the kill hits.
    @Test func killLeavesTheOldNoteOrTheNewOne() throws {
      var saved = 0
      for round in 0..<25 {
        let peer = try peer()
        var replica = Replica()
        try peer.send(Request.input(1, "fillTapped").text)
        // The kill hits a different part of a write each time.
        for _ in 0..<(3 + round % 7) {
          try replica.take(JSON(parsing: try #require(try peer.line())))
        }
        for _ in 0..<(round * 3000) { sched_yield() }
        peer.deliver(SIGKILL)
        let end = try peer.end()
        #expect(end.status == .killed(by: SIGKILL))
        for line in end.lines { _ = try? replica.take(JSON(parsing: line)) }
        saved = max(saved, replica.output("saved")?.int ?? 0)
        let kept = try #require(try kept()?.int)
        #expect(kept >= saved)
        saved = kept
      }
      #expect(saved > 25)
    }

    @Test func fullDiskIsReportedAndTheAppLivesOn() throws {
      // A limit on the size of files, in blocks of 512 bytes, works like a full disk.
      let peer = try peer(after: "ulimit -f 50")
      var replica = Replica()
      try peer.send(Request.input(1, "number", 1).text)
      while replica.output("failure")?.string == nil {
        try replica.take(JSON(parsing: try #require(try peer.line())))
      }
      #expect(replica.output("failure")?.string?.contains("Free some space.") == true)
      #expect(!FileManager.default.fileExists(atPath: file))
      try peer.send(Request.input(2, "number", 0).text)
      while replica.output("failure") != .null {
        try replica.take(JSON(parsing: try #require(try peer.line())))
      }
      #expect(try peer.finish().status == .exited(0))
      #expect(try kept() == 0)
      #expect(replica.faults.isEmpty)
    }

    @Test func damagedFileIsReportedAndKept() throws {
      let damaged = try scratch.file("note.json", #"{"number":1,"te"#)
      let peer = try peer()
      let answer = try peer.ask(Request(1, "state/settle")).last
      let message = answer?["error"]?["message"]?.string
      #expect(message?.contains("move it away to start anew") == true)
      #expect(try scratch.text("note.json") == #"{"number":1,"te"#)
      #expect(damaged == file)
    }
  }
}
