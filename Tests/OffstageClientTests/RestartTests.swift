import OffstageClient
import OffstageJSON
import Synchronization
import Testing

/// Starts, ends, and restarts that cross each other.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct RestartTests {
  /// A transport whose second closing takes until the gate opens.
  private final class SlowTransport: Transport {
    private let script: Script
    private let closings = Mutex(0)
    private let gate = AsyncStream<Void>.makeStream()

    init(_ script: Script) { self.script = script }

    func open() { gate.continuation.finish() }

    func send(_ line: String) { script.transport.send(line) }
    func receive() async -> String? { await script.transport.receive() }
    func end() async -> CoreEnded { await script.transport.end() }

    func close() async {
      await script.transport.close()
      let count = closings.withLock { count in
        count += 1
        return count
      }
      if count == 2 { for await _ in gate.stream {} }
    }
  }

  @Test func restartDuringTheHandshakeDoesNothing() async throws {
    let script = Script()
    let core = RemoteCore { script.transport }
    async let first = core.restart()
    let initialize = try await script.request()
    try await core.restart()
    script.respond(to: initialize, "{}")
    let discover = try await script.request()
    try #require(discover["method"] == "rpc.discover")
    script.respond(to: discover, "{}")
    #expect(try await first == false)
    #expect(core.ended == nil)
    await core.close()
  }

  @Test func coreThatHasEndedMayBeStarted() async throws {
    let scripts = [Script(), Script()]
    let count = Counter()
    let core = RemoteCore {
      count.add()
      return scripts[count.count - 1].transport
    }
    for script in scripts {
      async let start: Void = core.start()
      try await script.introduce()
      try await start
      #expect(core.ended == nil)
      script.hangUp()
      await #expect(throws: CoreEnded.self) { try await core.until { false } }
    }
  }

  @Test func coreThatIsClosedWhileItConnectsDoesNotStart() async throws {
    let script = Script()
    let connecting = AsyncStream<Void>.makeStream()
    let gate = AsyncStream<Void>.makeStream()
    let core = RemoteCore {
      connecting.continuation.finish()
      for await _ in gate.stream {}
      return script.transport
    }
    let server = Task { try await script.introduce() }
    let start = Task { try await core.start() }
    for await _ in connecting.stream {}
    await core.close()
    gate.continuation.finish()
    await #expect(throws: CoreEnded.self) { try await start.value }
    #expect(core.ended != nil)
    #expect(await script.transport.receive() == nil)
    server.cancel()
  }

  @Test func slowCloseLeavesALaterStartAlone() async throws {
    let (old, new) = (Script(), Script())
    let transport = SlowTransport(old)
    let count = Counter()
    let core = RemoteCore {
      count.add()
      return count.count == 1 ? transport : new.transport
    }
    async let start: Void = core.start()
    try await old.introduce()
    try await start
    async let first: Void = core.close()
    async let second: Void = core.close()
    await first
    async let again: Void = core.start()
    try await new.introduce()
    try await again
    transport.open()
    await second
    async let settled: Void = core.settle()
    let request = try await new.request()
    new.respond(to: request, "{}")
    try await settled
    await core.close()
  }

  @Test func promptOfTheNextRunIsHandled() async throws {
    let scripts = [Script(), Script()]
    let count = Counter()
    var options = Options()
    options.handlers["alert"] = { _ in throw PromptDismissed() }
    let core = RemoteCore(options: options) {
      count.add()
      return scripts[count.count - 1].transport
    }
    for script in scripts {
      async let start = core.restart()
      try await script.introduce(Script.asking)
      _ = try await start
      let settling = Task { try await core.settle() }
      #expect(try await script.request()["method"] == "answer")
      settling.cancel()
    }
    await core.close()
  }
}
