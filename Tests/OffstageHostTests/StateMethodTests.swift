import OffstageJSON
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct SnapshotTests {
  @Test func snapshotEqualsTheFrames() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    let steps = [
      input(1, "text", #""a""#), input(2, "items", "3"), input(3, "push"), input(4, "ask", on: 3),
      input(5, "sheet", on: 3), input(6, "modal", on: 4), input(7, "items", "5", on: 4),
      input(8, "place", #"{"lat":1,"lon":2}"#), input(9, "items", "1"),
      input(10, "finish", "1", on: 4), call(11, "navigation/selectTab", #"{"tab":"b"}"#),
      call(12, "answer", #"{"prompt":"q1","value":{"lat":2}}"#), input(13, "place", #"{"lat":2}"#),
    ]
    for step in steps {
      _ = await talk.send(step)
      await talk.checkReplica()
    }
    #expect(talk.shape == "a 1 3|b* 2")
  }

  @Test func snapshotChangesNothing() async throws {
    let talk = try await Conversation()
    _ = await talk.send(call(1, "state/snapshot"), call(2, "state/snapshot"))
    #expect(talk.replica.revision == 1)
    await talk.check([input(3, "tell", "1")], ["frame 2 by 3 1.told 1", #"3: {"revision":2}"#])
  }
}

@Suite @CoreActor struct SettleTests {
  @Test func idleCoreAnswersAtOnce() async throws {
    let talk = try await Conversation()
    await talk.check([call(1, "state/settle")], [#"1: {"revision":1}"#])
  }

  @Test func settleWaitsForWorkAlone() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    talk.put(
      input(1, "wait", "100"), input(2, "ask"), input(3, "work", "5"), call(4, "state/settle"))
    #expect(
      talk.pull() == [
        #"1: {"revision":1}"#, #"2: {"revision":1}"#, #"3: {"revision":1}"#,
      ])
    await talk.turn()
    #expect(
      talk.pull() == [
        "frame 2 by 2 \(AnswerTests.asked)",
        "frame 3 by 3 " + replaced("/screens/1/output/count", "1"),
        #"4: {"revision":3}"#,
      ])
  }

  @Test func settlesAreAnsweredInOrder() async throws {
    let talk = try await Conversation()
    talk.put(input(1, "work", "3"), call(2, "state/settle"), call(3, "state/settle"))
    await talk.turn()
    #expect(talk.pull().suffix(2) == [#"2: {"revision":2}"#, #"3: {"revision":2}"#])
  }
}

@Suite @CoreActor struct PendingTests {
  @Test func pendingListsWhatHasNotFinished() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    _ = await talk.send(input(1, "ask"), input(2, "queue", "[100,100]"))
    _ = await talk.send(input(3, "search", #""x""#))
    talk.put(input(4, "work", "3"), call(5, "state/settle"))
    _ = talk.pull()
    talk.put(call(6, "state/settle", #"{"pending":true}"#))
    #expect(
      talk.pull() == [
        #"6: {"revision":3,"pending":["#
          + #"{"screen":"1","kind":"effect","name":"ask","busy":false,"cause":1},"#
          + #"{"screen":"1","kind":"effect","name":"queue","busy":false,"cause":2},"#
          + #"{"screen":"1","kind":"effect","name":"queue","busy":false,"cause":2},"#
          + #"{"screen":"1","kind":"effect","name":"work","busy":true,"cause":4},"#
          + #"{"screen":"1","kind":"timer","name":"debounce","busy":false,"cause":3},"#
          + #"{"screen":null,"kind":"request","name":"state/settle","busy":false,"cause":5}]}"#
      ])
    await talk.turn()
    #expect(talk.pull().last == #"5: {"revision":4}"#)
  }

  @Test func schemaListsEveryKind() throws {
    let result = try #require(Method.settle.description.result).schema.json
    let kinds = result["properties"]?["pending"]?["items"]?["properties"]?["kind"]?["enum"]
    #expect(kinds == ["effect", "timer", "navigation", "request"])
  }

  @Test func idsOfRunningWorkAreRejected() async throws {
    let talk = try await Conversation()
    await talk.check(
      [input(1, "wait", "100"), input(1, "text")], [#"1: {"revision":1}"#, "1: error -32600"])
    _ = await talk.send(call(2, "clock/advance", #"{"milliseconds":100}"#))
    await talk.check([input(1, "text")], [#"1: {"revision":2}"#])
  }
}

@Suite @CoreActor struct AdvanceTests {
  @Test func timersHaveTheirOwnFramesAndCauses() async throws {
    let talk = try await Conversation()
    _ = await talk.send(
      input(1, "wait", "200"), input(2, "wait", "100"), input(3, "wait", "200"),
      notification("input", #"{"screen":"1","name":"wait","value":150}"#), input(4, "wait", "201"),
      input(5, "search", #""x""#))
    await talk.check([advance(6, 99)], [#"6: {"revision":1}"#])
    await talk.check(
      [advance(7, 101)],
      [
        "frame 2 by 2 \(counted(1))", "frame 3 \(counted(2))", "frame 4 by 1 \(counted(3))",
        "frame 5 by 3 \(counted(4))", #"7: {"revision":5}"#,
      ])
    await talk.check([advance(8, 1)], ["frame 6 by 4 \(counted(5))", #"8: {"revision":6}"#])
    await talk.check([advance(9, 98)], [#"9: {"revision":6}"#])
    await talk.check(
      [advance(10, 1)],
      [
        "frame 7 by 5 " + replaced("/screens/1/output/found", #""x""#), #"10: {"revision":7}"#,
      ])
  }

  @Test func timersWaitForTheWorkOfEarlierOnes() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "queue", "[100,100,100]"), input(2, "wait", "150"))
    await talk.check(
      [advance(3, 250)],
      [
        "frame 3 by 1 \(counted(2))", "frame 4 by 2 \(counted(3))", "frame 5 by 1 \(counted(4))",
        #"3: {"revision":5}"#,
      ])
  }

  @Test(arguments: [
    ("{}", #""found":"nothing""#),
    (#"{"milliseconds":1.5}"#, #""found":"number","value":1.5"#),
    (#"{"milliseconds":-1}"#, #""found":"number","value":-1"#),
    (#"{"milliseconds":9007199254740993}"#, #""found":"number","value":9007199254740993"#),
  ])
  func invalidTimesAreRejected(params: String, found: String) async throws {
    let talk = try await Conversation()
    let expected = #""path":"/milliseconds","expected":"integer from 0 to 9007199254740992""#
    await talk.check(
      [call(1, "clock/advance", params)], ["1: error -32602 {\(expected),\(found)}"])
  }

  @Test func longestTimeIsAccepted() async throws {
    let talk = try await Conversation()
    await talk.check([advance(1, 1 << 53)], [#"1: {"revision":1}"#])
  }

  /// A ticker would fire for ever; the rest of the time is in the error.
  @Test func advanceFiresSoManyTimers() async throws {
    let talk = try await Conversation()
    talk.session.requests.limits.timers = 3
    _ = await talk.send(input(1, "tick", "1000"))
    let sent = await talk.send(advance(2, 1 << 53), call(3, "state/settle"))
    let rest = (1 << 43) * 1000 - 1_767_225_600_000 - 3000
    #expect(
      sent == [
        "frame 2 \(counted(1))", "frame 3 \(counted(2))", "frame 4 \(counted(3))",
        #"2: error 1004 {"milliseconds":\#(rest)}"#, #"3: {"revision":4}"#,
      ])
    await talk.check([advance(4, 999)], [#"4: {"revision":4}"#])
    await talk.check([advance(5, 1)], ["frame 5 \(counted(4))", #"5: {"revision":5}"#])
  }

  @Test func realClockRefuses() async throws {
    let talk = try await Conversation([])
    await talk.check([advance(1, 1)], [#"1: error 1004 {"milliseconds":1}"#])
  }

  @Test func concurrentAdvanceIsRefused() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "wait", "100"))
    await talk.check(
      ["[\(advance(2, 100)),\(advance(3, 200))]"],
      ["frame 2 by 1 \(counted(1))", #"[3: error 1004 {"milliseconds":200}, 2: {"revision":2}]"#])
  }

  @Test func pendingSettleCanBeCanceled() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "queue", "[100,100]"))
    talk.put(input(2, "work", "50"), advance(3, 500))
    talk.put(notification("$/cancelRequest", #"{"id":3}"#))
    #expect(talk.pull() == [#"2: {"revision":2}"#, "3: error -32800"])
    #expect(talk.session.isReady)
  }

  /// The advance waits for work, a later line cancels a timer ahead of it, and the others wait.
  @Test func cancellationPassesAnAdvanceThatWaits() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "wait", "100"), input(2, "search", #""x""#))
    talk.put(input(3, "work", "50"), advance(4, 500), input(5, "tell", "1"))
    talk.put(notification("$/cancelRequest", #"{"id":1}"#))
    talk.put(notification("$/cancelRequest", #"{"id":2}"#))
    #expect(talk.pull() == [#"3: {"revision":1}"#])
    await talk.turn()
    #expect(talk.pull() == ["frame 2 by 3 \(counted(1))", #"4: {"revision":2}"#])
    talk.put("")
    #expect(talk.pull() == ["frame 3 by 5 1.told 1", #"5: {"revision":3}"#])
  }

  /// The loop asks for lines only once in many turns, and the input's end is among them.
  @Test func linesBehindAnAdvanceTakeNoTurns() throws {
    let session = try Desk.program.makeSession(["--deterministic"])
    let lines = SessionInput(session)
    let sent = [input(1, "work", "50"), advance(2, 500), input(3, "tell"), input(4, "tell")]
    lines.append(Array(sent.joined(separator: "\n").utf8) + [0x0A])
    #expect(lines.handleNext())
    #expect(lines.handleNext())
    #expect(session.requests.isAdvancing)
    #expect(!lines.handleNext())
    #expect(lines.rest.isEmpty)
  }

  /// A core with an observation may settle or not at any moment, as other threads add jobs. In
  /// a process of its own, because those jobs would hold up other tests.
  @Test(.timeLimit(.minutes(10))) func settleIsAnsweredOnceWhileJobsArrive() async throws {
    await #expect(processExitsWith: .success) { try await AdvanceTests.settleWhileJobsArrive() }
  }

  private static func settleWhileJobsArrive() async throws {
    let program = Program("listener", version: "1") { _ in
      App(
        root: .stack(Route(Listener.self)), screens: [ScreenFactory(Listener.self) { _ in .init() }]
      )
    }
    let talk = try await Conversation(in: program, hello: nil)
    let jobs = Task.detached { while !Task.isCancelled { await Task { @CoreActor in }.value } }
    for round in 0..<10 {
      talk.put(input(round * 1_000, "work"))
      for number in 1...500 { talk.put(call(round * 1_000 + number, "state/settle")) }
      // Unlike a yield, this leaves no job behind for which the core would wait.
      repeat {
        await Task.detached {}.value
        talk.session.checkRest()
      } while !talk.session.requests.waiting.isEmpty
    }
    jobs.cancel()
    let answers = talk.pull().filter { !$0.hasPrefix("frame") }
    #expect(answers.count == 10 * 501)
    #expect(Set(answers).count == answers.count)
  }

  private final class Listener: Screen {
    static let kind = "listener"
    struct Input: Ports { let work = In<Trigger>() }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()

    init() {
      effects.observe(AsyncStream<Int> { _ in }) { _ in }
      input.work.observe { [effects] in effects.run { for _ in 0..<3 { await Task.yield() } } }
    }
  }

  /// Requests on lines that wait for an advance are pending, alone and in a batch.
  @Test func requestThatWaitsForAnAdvanceCanBeCanceled() async throws {
    let talk = try await Conversation()
    talk.put(input(1, "work", "50"), advance(2, 500), input(3, "tell", "1"))
    talk.put("[\(input(4, "tell", "2")),\(input(5, "tell", "3"))]", input(6, "tell", "4"))
    for id in [3, 5, 9] { talk.put(notification("$/cancelRequest", #"{"id":\#(id)}"#)) }
    talk.put(input(9, "tell", "5"))
    #expect(talk.pull() == [#"1: {"revision":1}"#])
    await talk.turn()
    for _ in 0..<4 { talk.put("") }
    #expect(
      talk.pull() == [
        "frame 2 by 1 \(counted(1))", #"2: {"revision":2}"#, "3: error -32800",
        "frame 3 by 4 1.told 2", #"[4: {"revision":3}, 5: error -32800]"#,
        "frame 4 by 6 1.told 4", #"6: {"revision":4}"#,
        "frame 5 by 9 1.told 5", #"9: {"revision":5}"#,
      ])
  }

  private func advance(_ id: Int, _ milliseconds: Int) -> String {
    call(id, "clock/advance", #"{"milliseconds":\#(milliseconds)}"#)
  }

  private func counted(_ count: Int) -> String {
    replaced("/screens/1/output/count", "\(count)")
  }
}
