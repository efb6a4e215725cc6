import FaultInjection
import Foundation
import OffstageClient
import OffstageSystem
import TestSupport
import Testing

/// Transports whose core, receiver, or system misbehaves.
@Suite(.timeLimit(.minutes(5))) struct TransportTests {
  @Test func logContinuesAfterAnOverlongLine() async throws {
    let script =
      "head -c 70000 /dev/zero | tr '\\0' x >&2; printf '\\nnext\\nunfinished' >&2; exit 3"
    let transport = try ProcessTransport("/bin/sh", ["-c", script])
    #expect(await transport.receive() == nil)
    let end = await transport.end()
    #expect(end.reason == .exited(status: 3))
    #expect(end.log == ["next", "unfinished"])
  }

  /// The threads that run tasks block signals.
  @Test func coreDoesNotInheritBlockedSignals() async throws {
    let transport = try ProcessTransport("/bin/sh", ["-c", "kill -TERM $$; echo survived"])
    #expect(await transport.receive() == nil)
    #expect(await transport.end().reason == .killed(signal: SIGTERM))
  }

  @Test func childOfTheCoreDoesNotKeepItOpen() async throws {
    let transport = try ProcessTransport(
      "/bin/sh", ["-c", "sleep 10000 & echo $! >&2; read line; echo got $line"])
    transport.send("hello")
    await transport.close()
    #expect(await transport.receive() == "got hello")
    #expect(await transport.receive() == nil)
    let end = await transport.end()
    #expect(end.reason == .exited(status: 0))
    let child = try #require(end.log.first.flatMap(Int32.init))
    #expect(kill(child, SIGKILL) == 0, "it has ended before")
  }

  @Test func childThatGoesOnWritingDoesNotKeepTheCoreOpen() async throws {
    // Long lines, so that there are few.
    let line = String(repeating: "x", count: 60_000)
    let transport = try ProcessTransport("/bin/sh", ["-c", "yes \(line) >&2 & read line; exit 0"])
    await transport.close()
    let end = await transport.end()
    #expect(end.reason == .exited(status: 0))
    #expect(end.log.count <= 20)
  }

  @Test func twoReceiversGetALineEach() async throws {
    let (near, far) = try pair()
    for round in 0..<50 {
      let lines = await withTaskGroup(of: String?.self) { group in
        for _ in 0..<2 { group.addTask { await far.receive() } }
        for _ in 0..<10 { await Task.yield() }
        for line in 0..<2 { near.send("\(round) \(line)") }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(lines == ["\(round) 0", "\(round) 1"])
    }
  }

  @Test func burstArrivesWhole() async throws {
    let (near, far) = try pair()
    let text = String(repeating: "x", count: 1_000)
    for line in 0..<5_000 { near.send("\(line) \(text)") }
    await near.close()
    for line in 0..<5_000 { #expect(await far.receive() == "\(line) \(text)") }
    #expect(await far.receive() == nil)
  }

  @Test func transportEndsIfThePipeOfItsThreadCannotBeOpened() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      openFileLimit.rlim_cur = 0
      let transport = DescriptorTransport(reading: ends[0], writing: ends[1])
      transport.send("line")
      #expect(await transport.receive() == nil)
    }
  }

  #if os(Linux)
    @Test func missingThreadEndsTheChild() throws {
      fault_arm(FAULT_THREAD, 2, 0)
      let error = #expect(throws: CoreEnded.self) {
        try ProcessTransport("/bin/sh", ["-c", "read line"])
      }
      #expect(fault_disarm() == 1)
      #expect(error?.description.contains("thread: ") == true)
    }

    @Test func childrenInheritNoDescriptors() throws {
      // One that a library has not marked.
      let unmarked = dup(1)
      defer { systemClose(unmarked) }
      let list = try ChildProcess("/bin/ls", ["/proc/self/fd"]).finish().output
      // `ls` opens the directory itself.
      #expect(list.split(separator: "\n") == ["0", "1", "2", "3"])
    }
  #endif

  @Test func statusThatTheSystemHasReapedIsUnknown() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      let transport = try ProcessTransport("/bin/sh", ["-c", "exit 3"])
      #expect(await transport.end().reason == .disconnected)
    }
  }

  @Test func endOfAChildTellsItsStatusOrSignal() throws {
    #expect(try ChildProcess("/bin/sh", ["-c", "exit 3"]).wait() == .exited(3))
    let killed = try ChildProcess("/bin/sh", ["-c", "kill -9 $$"]).wait()
    #expect(killed == .killed(signal: 9))
    #expect(killed.exitStatus == 137)
  }

  @Test func wakingAFullPipeKeepsTheErrorNumber() throws {
    let pipe = try WakePipe()
    for _ in 0..<1 << 17 {
      errno = EINTR
      pipe.wake()
      guard errno == EINTR else { break }
    }
    let error = errno
    #expect(error == EINTR)
  }

  /// Two transports that are connected with each other.
  private func pair() throws -> (near: DescriptorTransport, far: DescriptorTransport) {
    var (there, back): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&there) == 0, pipe(&back) == 0 else { throw CoreEnded(.disconnected) }
    return (
      DescriptorTransport(reading: back[0], writing: there[1]),
      DescriptorTransport(reading: there[0], writing: back[1])
    )
  }
}
