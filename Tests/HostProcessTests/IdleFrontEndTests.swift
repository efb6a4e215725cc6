import Foundation
import OffstageJSON
import TestSupport
import Testing

/// Front ends that stay connected and say nothing, while their sessions are parked.
extension HostProcessTests.ManySessions {
  @Test func aSessionWhoseFrontEndIsIdleIsParked() throws {
    let host = try start(["--idle", "1"])
    let (idle, gone) = (try begin("a"), try begin("b"))
    try wait { $0["sessions"] == 0 && $0["parked"] == 2 }
    #expect(try status()["connected"] == 2)
    #expect(try files(of: idle) == ["state.json"])
    gone.leave()
    try wait { $0["connected"] == 1 }
    let revision = idle.replica.revision
    // The last line of a burst comes after the session has been looked for.
    for id in 2...4 { idle.send(.input(.int(id), "text", .string("\(id)"))) }
    try idle.ask(.input(5, "text", "5"))
    #expect(idle.replica.output("text") == "5" && idle.replica.output("count") == 5)
    #expect(idle.replica.revision > revision)
    #expect(try status()["sessions"] == 1, "nobody has come back to the other one")
    try end(host)
  }

  /// Begins a session on a host that shows the shelf, and loads its books.
  private func openShelf() throws -> Caller {
    let caller = try Caller(socket)
    try caller.begin(visitor: "kim")
    try caller.ask(Request(1, "input", ["screen": "1", "name": "didAppear", "settle": true]))
    return caller
  }

  /// No frame shows the screen while it loads, and no input comes before it has loaded.
  @Test func anIdleFrontEndNoticesNothing() throws {
    let host = try start(["--idle", "1"], root: "shelf")
    let caller = try openShelf()
    #expect(caller.replica.output("books") == ["Dune", "Emma"])
    for book in ["Emma", "Dune"] {
      try wait { $0["sessions"] == 0 }
      caller.send(.input(2, "bookTapped", .string(book)))
      while let line = try caller.line(), line["id"] != 2 {
        try caller.replica.take(line)
        #expect(caller.replica.output("books") == ["Dune", "Emma"])
      }
      #expect(caller.replica.output("lent") == .string(book))
    }
    try end(host)
  }

  @Test func aQuestionIsAnsweredAfterAPause() throws {
    let host = try start(["--idle", "1"], root: "shelf")
    let caller = try openShelf()
    try caller.ask(.input(2, "bookTapped", "Dune"))
    try caller.ask(Request(3, "input", ["screen": "1", "name": "returnTapped", "settle": true]))
    #expect(caller.replica.document["prompts"]?["q1"]?["params"]?["title"] == "Return Dune?")
    try wait { $0["sessions"] == 0 }
    try caller.ask(Request(4, "answer", ["prompt": "q1", "value": ["button": "ok"]]))
    try caller.ask(Request(5, "state/settle"))
    #expect(caller.replica.output("lent") == "")
    #expect(caller.replica.document["prompts"] == [:])
    try end(host)
  }

  @Test func aFrontEndIsNotIdleWithinALine() throws {
    let host = try start(["--idle", "1"])
    let (slow, idle) = (try begin("a"), try begin("b"))
    let line = Request.input(2, "text", "c").text
    slow.send(line.prefix(20))
    // It has been silent for longer.
    try wait { $0["parked"] == 1 }
    try idle.ask(.input(2, "text", "d"))
    try wait { $0["sessions"] == 1 }
    slow.send("\(line.dropFirst(20))\n")
    while let line = try slow.line(), line["id"] != 2 { try slow.replica.take(line) }
    #expect(slow.replica.output("text") == "c")
    try end(host)
  }

  @Test func anIdleFrontEndLosesItsSessionToTheNext() throws {
    let host = try start(["--idle", "1"])
    let first = try begin("a")
    try wait { $0["sessions"] == 0 }
    let second = try resume(first)
    #expect(second.session == first.session && second.replica.output("text") == "a")
    #expect(try first.line() == nil, "it is disconnected")
    try wait { $0["connected"] == 1 }
    try end(host)
  }

  /// Both are read in the same step of the host.
  @Test func anIdleFrontEndThatReturnsWithTheNextLosesItsSession() throws {
    let host = try start(["--idle", "1"])
    let first = try begin("a")
    let second = try Caller(socket)
    try wait { $0["sessions"] == 0 }
    try host.suspend()
    first.send(.input(2, "text", "b"))
    second.replica = first.replica
    let resumption: JSON = [
      "session": .string(first.session), "revision": .int(first.replica.revision),
    ]
    second.send(Request(2, "initialize", ["protocol": 1, "resume": resumption]))
    host.deliver(SIGCONT)
    #expect(try first.line() == nil, "it is disconnected")
    while let line = try second.line(), line["id"] != 2 { try second.replica.take(line) }
    try second.ask(.input(3, "text", "c"))
    #expect(second.replica.output("text") == "c")
    try end(host)
  }

  @Test func anIdleFrontEndIsDisconnectedFromASessionThatHasGone() throws {
    let host = try start(["--idle", "1"])
    let caller = try begin("a")
    try wait { $0["sessions"] == 0 }
    try FileManager.default.removeItem(atPath: folder(of: caller))
    caller.send(.input(2, "text", "b"))
    #expect(try caller.line() == nil)
    try end(host)
  }
}
