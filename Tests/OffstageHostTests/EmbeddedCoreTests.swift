import OffstageHost
import OffstageJSON
import Synchronization
import TestSupport
import Testing

@testable import Offstage

/// A core without descriptors, as a program that embeds it uses it: from any thread.
@Suite struct EmbeddedCoreTests {
  private let hello = call(0, "initialize", #"{"protocol":1}"#)

  private func start(_ arguments: String...) async throws -> EmbeddedCore {
    try await EmbeddedCore(Desk.program, arguments: arguments)
  }

  /// The lines up to the response to a request.
  private func lines(of core: EmbeddedCore, until id: Int) async throws -> [JSON] {
    var lines: [JSON] = []
    while let line = await core.receive() {
      lines.append(try JSON(parsing: line))
      if lines.last?["id"]?.int == id { break }
    }
    return lines
  }

  @Test func requestIsAnsweredAfterItsFrame() async throws {
    let core = try await start("--deterministic")
    core.send(hello)
    core.send(input(1, "text", #""Kim""#))
    let replica = try Replica(try await lines(of: core, until: 1))
    #expect(replica.output("text") == "Kim")
    #expect(replica.responses.map { $0["id"] } == [0, 1])
  }

  @Test func timersOfARealClockFire() async throws {
    let core = try await start()
    core.send(hello)
    core.send(input(1, "search", #""a""#, settle: true))
    let replica = try Replica(try await lines(of: core, until: 1))
    #expect(replica.output("found") == "a")
  }

  @Test func coresShareAThreadWithoutSharingAnything() async throws {
    let names = (0..<8).map { "core \($0)" }
    let found = try await withThrowingTaskGroup(of: (String, JSON?).self) { group in
      for name in names {
        group.addTask {
          let core = try await start("--deterministic")
          core.send(hello)
          for id in 1...50 { core.send(input(id, "work", "1")) }
          core.send(input(51, "text", "\"\(name)\"", settle: true))
          return (name, try Replica(try await lines(of: core, until: 51)).output("text"))
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for name in names { #expect(found[name] == .string(name)) }
  }

  @Test(.timeLimit(.minutes(10))) func framesMergeWhileLinesAreNotReceived() async throws {
    let core = try await start("--deterministic")
    core.send(hello)
    // Each frame has some 100 KB, and past 1 MiB of output the core waits for the receiver.
    let text = String(repeating: "x", count: 100_000)
    for id in 1...100 { core.send(input(id, "text", "\"\(id) \(text)\"")) }
    core.send(call(101, "state/settle"))
    // The cores take turns line by line, so the first one has handled its lines when this one has.
    let other = try await start("--deterministic")
    for id in 0...200 { other.send(call(id, "state/settle")) }
    _ = try await lines(of: other, until: 200)
    var all = try await lines(of: core, until: 101)
    // The merged frame, which comes without another line or timer.
    all.append(try JSON(parsing: try #require(await core.receive())))
    let replica = try Replica(all)
    #expect(replica.revision < 100)
    #expect(replica.output("text")?.string?.hasPrefix("100 ") == true)
    core.send(call(102, "state/snapshot"))
    let later = try await lines(of: core, until: 102)
    let snapshot = try #require(later.last?["result"]?["state"])
    #expect(try Replica(all + later.dropLast()).document == snapshot)
  }

  @Test func stopAnswersWhatStillWaits() async throws {
    let core = try await start("--deterministic", "--drain", "0")
    core.send(hello)
    core.send(input(1, "hold", settle: true))
    core.stop()
    core.send(call(2, "state/settle"))
    let all = try await lines(of: core, until: 2)
    #expect(all.last?["error"]?["code"] == -32800)
    #expect(await core.receive() == nil)
  }

  @Test func stopAnswersLinesBehindUnreceivedOutput() async throws {
    let core = try await start("--deterministic", "--drain", "0")
    core.send(hello)
    let text = String(repeating: "x", count: 200_000)
    core.send(input(1, "text", "\"\(text)\""))
    // Past 16 MiB of output, the core takes no more lines.
    for id in 2...201 { core.send(call(id, "state/snapshot")) }
    core.stop()
    // The cores take turns line by line, so the first one has met its end when this one is done.
    let other = try await start("--deterministic")
    for id in 0...300 { other.send(call(id, "state/settle")) }
    _ = try await lines(of: other, until: 300)
    var answers = 0
    while let line = await core.receive() {
      if line.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":") { answers += 1 }
    }
    #expect(answers == 202)
  }

  @Test func releasedCoreEndsWithoutAReceiver() async throws {
    weak var kept: Kept?
    do {
      let source = Kept()
      kept = source
      let program = Program("kept", version: "1") { _ in
        App(
          root: .stack(Route(Desk.self)), resources: { source.resource(at: $0) },
          screens: [ScreenFactory(Desk.self) { _ in Desk() }])
      }
      let core = try await EmbeddedCore(program, arguments: ["--deterministic", "--drain", "0"])
      core.send(hello)
      core.send(input(1, "text", "\"\(String(repeating: "x", count: 200_000))\""))
      for id in 2...201 { core.send(call(id, "state/snapshot")) }
    }
    // The cores take turns, so the first one goes on while this one answers.
    let other = try await start("--deterministic")
    for id in 0..<10_000 where kept != nil {
      other.send(call(id, "state/settle"))
      _ = try await lines(of: other, until: id)
    }
    #expect(kept == nil)
  }

  @Test func scopeEndsWithItsCore() async throws {
    let (changes, source) = AsyncStream.makeStream(of: Int.self)
    let ends = Mutex<[String]>([])
    source.onTermination = { _ in ends.withLock { $0.append("the observation") } }
    let program = Program("listener", version: "1") { _ in
      App(
        root: .stack(Route(Desk.self)),
        scope: ScreenFactory(Listener.self) { _ in
          Listener(changes) { ends.withLock { $0.append("the scope") } }
        }, screens: [ScreenFactory(Desk.self) { _ in Desk() }])
    }
    let core = try await EmbeddedCore(program, arguments: ["--deterministic"])
    core.send(hello)
    _ = try await lines(of: core, until: 0)
    core.stop()
    #expect(await core.receive() == nil)
    // The core's thread delivers the end in the same step.
    await Task { @CoreActor in }.value
    #expect(ends.withLock(\.self) == ["the scope", "the observation"])
  }

  @Test(.timeLimit(.minutes(5))) func twoReceiversGetALineEach() async throws {
    let core = try await start("--deterministic")
    core.send(hello)
    _ = try await lines(of: core, until: 0)
    for round in 0..<50 {
      let answers = await withTaskGroup(of: String?.self) { group in
        for _ in 0..<2 { group.addTask { await core.receive() } }
        for _ in 0..<10 { await Task.yield() }
        for id in 1...2 { core.send(call(round * 2 + id, "state/settle")) }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(answers.count == 2)
      #expect(!answers.contains(nil))
    }
  }

  @Test func shutdownEndsTheLines() async throws {
    let core = try await start("--deterministic")
    core.send(call(1, "shutdown"))
    #expect(try await lines(of: core, until: 1).last?["result"] == .null)
    #expect(await core.receive() == nil)
  }

  @Test func cancelingAReceiverKeepsTheLine() async throws {
    let core = try await start("--deterministic")
    let receiver = Task { await core.receive() }
    receiver.cancel()
    #expect(await receiver.value == nil)
    core.send(hello)
    #expect(await core.receive()?.contains("\"revision\":1") == true)
  }

  @Test(arguments: [
    (["describe"], "can only serve"), (["--record", "x"], "--record is not available"),
    (["--package", "."], "--package is not available"),
    (["--nonsense"], "--nonsense"), (["--drain", "never"], "--drain"),
  ])
  func invalidCommandLinesAreRejected(arguments: [String], message: String) async {
    let error = await #expect(throws: UsageError.self) {
      try await EmbeddedCore(Desk.program, arguments: arguments)
    }
    #expect(error?.description.contains(message) == true)
  }
}

/// Resources that live as long as their app.
private final class Kept: Sendable {
  func resource(at path: String) -> Resource? { nil }
}

/// A scope that observes changes for as long as it lives.
private final class Listener: Scope {
  struct Input: Ports {}
  struct Output: Ports { let last = Out(0) }
  let input = Input(), output = Output(), effects = Effects()

  init(_ changes: AsyncStream<Int>, onClose: @escaping () -> Void) {
    effects.observe(changes) { [output] in output.last.value = $0 }
    effects.onClose(onClose)
  }
}
