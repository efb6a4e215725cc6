import OffstageSystem
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// Serves a socket step by step, in place of the loop.
@Suite @CoreActor struct StreamTransportTests {
  /// The loop waits between two steps. If it wrote the last bytes just before it waited, nothing
  /// would wake it for the next step, and the process would never end.
  @Test func theLastBytesEndTheWait() throws {
    let (ours, theirs) = try socketPair()
    for end in [ours, theirs] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    defer { systemClose(theirs) }
    let session = try Desk.program.makeSession(["--deterministic"])
    let transport = StreamTransport(ours, ours, session) { fatalError("the session has ended") }
    let connection = Connection(session, transport)
    for line in [input(1, "text", SlowReaderTests.long), call(2, "shutdown")] {
      connection.input.append(Array((line + "\n").utf8))
    }
    while connection.handleNext() {}
    #expect(connection.phase == .flushing)
    var room = [UInt8](repeating: 0, count: 1 << 20)
    while session.publisher.output.unsentCount > 0 {
      // As much room as the wait could fill.
      while room.withUnsafeMutableBytes({ systemRead(theirs, $0) }) > 0 {}
      var waits = Waits()
      connection.addWaits(to: &waits)
      let unsentCount = session.publisher.output.unsentCount
      #expect(unsentCount > 0, "nothing wakes the loop from this wait")
      waits.end(after: .seconds(10))
      waits.wait {}
    }
    while connection.handleNext() {}
    #expect(connection.phase == .ended)
  }
}
