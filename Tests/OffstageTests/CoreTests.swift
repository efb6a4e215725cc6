import OffstageTesting
import Testing

@testable import Offstage

/// Settling, and the changes of a turn.
@Suite @CoreActor struct CoreTests {
  /// An effect that waits for the user, the clock, or another screen is settled.
  @Test(arguments: [
    ("sleeps", true), ("asks", true), ("works", false),
  ])
  func onlyWaitingEffectsCountAsSettled(what: String, isSettled: Bool) async throws {
    let core = Probe.core(capabilities: ["quiz"])
    let gate = Gate()
    let screen = core.show { Probe() }
    screen.effects.run("work") {
      switch what {
      case "sleeps": try await screen.effects.sleep(for: .seconds(1))
      case "asks": _ = try await screen.effects.ask(Prompt<Int>("quiz"))
      default: try await gate.pass()
      }
      try await gate.pass()
    }
    #expect(!core.core.isSettled)
    for _ in 1...5 { await Task.yield() }
    #expect(core.core.isSettled == isSettled)
    switch what {
    case "sleeps": _ = core.core.clock.fireNext(dueBy: core.core.clock.now + .seconds(1))
    case "asks": try core.answer("q1", "1")
    default: gate.open()
    }
    #expect(!core.core.isSettled, "what was waited for is there, and work goes on at once")
    while !gate.isWaitedAt { await Task.yield() }
    #expect(!core.core.isSettled)
    gate.open()
    await core.settle()
    #expect(core.liveCounts.effects == 0)
  }

  @Test func changesOfOneTurnArePublishedTogether() async throws {
    let core = TestCore()
    let turns = Recorder<Int>()
    core.watch { turns.append($0.events.count) }
    let screen = core.show { Probe() }
    await Task.yield()
    for number in 1...3 { screen.output.sent.send(number) }
    await Task.yield()
    screen.output.sent.send(4)
    await Task.yield()
    await Task.yield()
    #expect(turns.values == [0, 3, 1])
  }

  /// A frame that is delayed for a slow reader names the newest request.
  @Test func changeWithoutARequestKeepsTheCause() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    core.core.publish { for node in $0.opened { node.isPublished = true } }
    core.core.onTurnEnd = {}
    for (cause, number) in [("1", 1), ("2", 2), (nil, 3)] {
      core.core.during(cause.map { Cause(id: $0) }) { screen.output.number.value = number }
      core.core.endTurn()
    }
    core.core.publish { #expect($0.cause == "2") }
  }

  @Test func derivedOutputHasTheCauseOfTheEffect() async throws {
    let core = TestCore()
    let source = Out(0)
    let screen = core.show {
      Probe { screen in screen.output.number.derive { source.value } }
    }
    core.core.publish { for node in $0.opened { node.isPublished = true } }
    core.core.onTurnEnd = {}
    core.core.during(Cause(id: "1")) {
      screen.effects.run("work") { source.value = 1 }
    }
    for _ in 1...5 { await Task.yield() }
    core.core.publish {
      #expect($0.ports.count == 1)
      #expect($0.cause == "1")
    }
  }

  @Test func derivedOutputHasTheCauseOfARequestThatStartsWork() async throws {
    let core = TestCore()
    let source = Out(0)
    let screen = core.show {
      Probe { screen in screen.output.number.derive { source.value } }
    }
    core.core.publish { for node in $0.opened { node.isPublished = true } }
    core.core.onTurnEnd = {}
    core.core.turn(of: "1") {
      source.value = 1
      screen.effects.run("work") {}
    }
    for _ in 1...5 { await Task.yield() }
    core.core.publish {
      #expect($0.ports.count == 1)
      #expect($0.cause == "1")
    }
  }

  @Test func changeByAPlainTaskIsAFaultOfADeterministicRun() async throws {
    let core = Probe.core()
    let document = Document(core)
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let screen = core.show {
      Probe { screen in
        screen.effects.observe(stream) { screen.output.number.value = $0 }
        screen.effects.every(.seconds(1)) { screen.output.number.value += 1 }
        screen.input.digit.debounce(.seconds(1)).observe { screen.output.number.value = $0 }
        screen.output.text.derive { "\(screen.output.number.value)" }
      }
    }
    await document.check()
    core.core.isDeterministic = true
    continuation.yield(7)
    await core.turn()
    core.core.during(Cause(id: "1")) { screen.input.digit.send(5) }
    await core.advance(by: .seconds(2))
    #expect(screen.output.text.value == "6")
    #expect(core.faults == [])
    await Task { @CoreActor in screen.output.number.value = 0 }.value
    #expect(core.faults.count == 1)
    #expect(
      core.faults.first?.hasPrefix(
        #""number" of screen 1 was changed outside of any request, effect, or timer"#) == true)
    await Task { @CoreActor in screen.output.sent.send(1) }.value
    #expect(
      core.faults.last?.hasPrefix(
        #"the event "sent" of screen 1 was sent outside of any request, effect, or timer"#) == true)
    await Task { @CoreActor in core.core.closeAll() }.value
    #expect(
      core.faults.last?.hasPrefix(
        "the navigation was changed outside of any request, effect, or timer") == true)
  }

  @Test func countsWhatIsPending() async throws {
    let core = Probe.core()
    let screen = core.show { Probe() }
    core.core.onTurnEnd = {}
    core.core.publish { _ in }
    for _ in 1...3 {
      screen.output.sent.send(7)
      screen.router.push(Probe.self)
      screen.effects.run("work", .queue) { try await screen.effects.sleep(for: .seconds(1)) }
    }
    #expect(core.core.backlog > 3 * 1024)
    #expect(core.core.queuedEffects == 2)
    core.core.publish { _ in }
    #expect(core.core.backlog == 0)
    screen.effects.cancel("work")
    #expect(core.core.queuedEffects == 0)
  }

  @Test func timersOfOneTimeArePendingInTheOrderOfTheirCreation() throws {
    let core = TestCore()
    _ = core.show { Probe() }
    let node = try #require(core.core.openScreens.first)
    let names = (0..<20).map { "timer \($0)" }
    for name in names { _ = node.schedule(name, after: .seconds(1)) {} }
    _ = node.schedule("first", after: .milliseconds(999)) {}
    #expect(core.core.pendingWork.map(\.name) == ["first"] + names)
  }

  @Test func rejectsARootWithoutTabs() {
    #expect(throws: NavigationError.self) {
      try TestCore(App(root: .tabs([]), screens: [])).start()
    }
  }

  @Test func failedInitLeavesNothing() async throws {
    let core = TestCore()
    var weak: Weak<Probe>?
    #expect(throws: Broken.self) {
      try core.show { () -> Probe in
        let screen = Probe { screen in
          screen.input.text.observe { _ in _ = screen }
          screen.input.number.debounce(.seconds(1)).observe { _ in _ = screen }
          screen.effects.every(.seconds(1)) { _ = screen }
          screen.effects.run("work") { try await screen.effects.sleep(for: .seconds(1)) }
        }
        weak = Weak(screen)
        throw Broken()
      }
    }
    await core.turn()
    #expect(core.liveCounts == (0, 0, 0))
    #expect(weak != nil)
    #expect(weak?.object == nil)
    #expect(!core.core.hasChanges)
  }

  @Test func tabsAreShownAllOrNone() async throws {
    let core = TestCore(
      App(
        root: .tabs([
          Tab("good", title: "Good", icon: "g", Route(Probe.self)),
          Tab("bad", title: "Bad", icon: "b", Route(kind: "nowhere")),
        ]), screens: [ScreenFactory(Probe.self) { _ in Probe() }]))
    #expect(throws: NavigationError.self) { try core.start() }
    await core.turn()
    #expect(core.liveCounts == (0, 0, 0))
    #expect(core.core.navigation == Navigation())
  }

  @Test func coreCanBeReleasedDuringATurn() async throws {
    let gate = Gate()
    do {
      let core = TestCore()
      let screen = core.show { Probe() }
      screen.effects.run("work") { try await gate.pass() }
      screen.output.sent.send(1)
      while !gate.isWaitedAt { await Task.yield() }
    }
    gate.open()
    for _ in 1...5 { await Task.yield() }
  }
}

@Suite @CoreActor struct CauseTests {
  @Test func isFinishedWhenAllItsWorkHasEnded() {
    let cause = Cause(id: "1")
    #expect(cause.isFinished)
    cause.began()
    cause.began()
    cause.ended()
    #expect(!cause.isFinished)
    cause.ended()
    #expect(cause.isFinished)
  }

  @Test(arguments: ["debounce", "effect", "queue", "canceled", "closed"])
  func countsTimersAndEffects(_ what: String) async throws {
    let core = Probe.core()
    let cause = Cause(id: "request")
    let screen = core.show {
      Probe { screen in
        screen.input.digit.debounce(.seconds(2)).observe { _ in }
        screen.input.tap.observe {
          screen.effects.run("work", .queue) { try await screen.effects.sleep(for: .seconds(1)) }
        }
      }
    }
    core.core.during(cause) {
      switch what {
      case "debounce": screen.input.digit.send(1)
      case "effect", "canceled", "closed": screen.input.tap.send()
      default: for _ in 1...2 { screen.input.tap.send() }
      }
    }
    await core.advance(by: .milliseconds(999))
    #expect(!cause.isFinished)
    if what == "canceled" { screen.effects.cancel("work") }
    if what == "closed" { core.closeAll() }
    await core.advance(by: .milliseconds(1))
    #expect(cause.isFinished == ["effect", "canceled", "closed"].contains(what))
    await core.advance(by: .seconds(1))
    #expect(cause.isFinished)
  }
}
