import Offstage
import OffstageTesting
import Testing

/// Shown before it is saved, and taken back when it cannot be.
@Suite @CoreActor struct OptimisticTests {
  private let core = TestCore()
  private let log = Heard<String>()
  private let gate = Gate()
  private let screen: Probe

  init() { screen = core.show { Probe() } }

  @Test func itIsShownAtOnceAndSavedOnce() async {
    set(0, 1)
    check("show 1")
    await turns()
    check("show 1", "save 1")
    await open()
    check("show 1", "save 1", "saved 1")
    #expect(screen.output.number.value == 1)
  }

  @Test func aFailureTakesItBackBeforeItIsTold() async {
    set(0, 1)
    await turns()
    await open(throwing: Broken())
    check("show 1", "save 1", "show 0", "failed at 0")
    #expect(core.faults.isEmpty)
    set(0, 2)
    await turns()
    await open()
    #expect(log.values.suffix(3) == ["show 2", "save 2", "saved 2"])
  }

  /// A change that begins when the work comes to rest is one of its own.
  @Test func whoBeginsAnewOnceItRestsIsNotTakenBack() async {
    var begins = 0
    screen.effects.activity("value").observe { isBusy in
      if isBusy { begins += 1 }
      if !isBusy, begins == 1 { set(1, 3) }
    }
    set(0, 1)
    await turns()
    await open()
    check("show 1", "save 1", "saved 1", "show 3", "save 3")
    await open()
    #expect(screen.output.number.value == 3)
  }

  @Test func nobodyCatchesIt() async {
    screen.effects.optimistic("value", from: 0, to: 1) { _ in
    } save: { _ in
      throw Broken()
    }
    await core.settle()
    #expect(core.faults.count == 1)
  }

  @Test func theNewestIsSavedNext() async {
    set(0, 1)
    await turns()
    set(1, 2)
    set(2, 3)
    check("show 1", "save 1", "show 2", "show 3")
    await open()
    await open()
    check("show 1", "save 1", "show 2", "show 3", "saved 1", "save 3", "saved 3")
  }

  @Test func thereAndBackBeforeAnythingBeganSavesNothing() async {
    set(0, 1)
    set(1, 0)
    await core.settle()
    check("show 1", "show 0")
  }

  @Test func thereAndBackIsSavedWhereTheFirstWasBegun() async {
    set(0, 1)
    await turns()
    set(1, 0)
    await open()
    await open()
    check("show 1", "save 1", "show 0", "saved 1", "save 0", "saved 0")
  }

  /// A failure is no proof that nothing was saved, and it matters to nobody any more.
  @Test func afterAFailureThereAndBackIsSavedAllTheSame() async {
    set(0, 1)
    await turns()
    set(1, 0)
    await open(throwing: Broken())
    await open()
    check("show 1", "save 1", "show 0", "save 0", "saved 0")
  }

  @Test func aLaterFailureTakesItBackToWhatWasSaved() async {
    set(0, 1)
    await turns()
    set(1, 2)
    await open()
    await open(throwing: Broken())
    check("show 1", "save 1", "show 2", "saved 1", "save 2", "show 1", "failed at 1")
  }

  @Test(arguments: [false, true]) func cancellingTakesItBackSilently(begun: Bool) async {
    set(0, 1)
    if begun { await turns() }
    screen.effects.cancel("value")
    #expect(log.values.last == "show 0")
    await open()
    #expect(screen.output.number.value == 0)
    #expect(!log.values.contains { $0.hasPrefix("failed") })
    set(0, 5)
    await turns()
    await open()
    #expect(screen.output.number.value == 5)
  }

  @Test func cancellingTakesBackWhatWaits() async {
    set(0, 1)
    await turns()
    set(1, 2)
    screen.effects.cancel("value")
    await open()
    check("show 1", "save 1", "show 2", "show 0", "saved 1")
    #expect(screen.output.number.value == 0, "What was cancelled counts as not done.")
  }

  @Test func eachNameIsOnItsOwn() async {
    set(0, 1)
    set(0, 2, "other")
    await turns()
    check("show 1", "show 2", "save 1", "save 2")
    await open(throwing: Broken())
  }

  @Test func whoeverAskedWaitsForIt() async {
    let causes = [Cause(id: "one"), Cause(id: "two")]
    core.core.during(causes[0]) { set(0, 1) }
    await turns()
    core.core.during(causes[1]) { set(1, 2) }
    #expect(causes.map(\.isFinished) == [false, false])
    await open()
    #expect(causes.map(\.isFinished) == [true, false])
    await open()
    #expect(causes.map(\.isFinished) == [true, true])
  }

  @Test func closingEndsIt() async {
    set(0, 1)
    await turns()
    core.closeAll()
    #expect(core.liveCounts == (0, 0, 0))
    await open(throwing: Broken())
    #expect(!log.values.contains { $0.hasPrefix("failed") })
    #expect(core.faults.isEmpty)
  }

  // MARK: Helpers

  private func set(_ old: Int, _ new: Int, _ name: String = "value") {
    let (log, gate, screen) = (log, gate, screen)
    screen.effects.optimistic(name, from: old, to: new) {
      log.append("show \($0)")
      screen.output.number.value = $0
    } save: {
      log.append("save \($0)")
      try await gate.pass()
      log.append("saved \($0)")
    } catch: { _ in
      log.append("failed at \(screen.output.number.value)")
    }
  }

  /// Lets the save that runs go on, and all that follows.
  private func open(throwing error: (any Error)? = nil) async {
    gate.open(throwing: error)
    await turns()
  }

  /// Lets everything run that is due, without waiting for what stands at the gate.
  private func turns() async {
    for _ in 0..<10 { await Task.yield() }
  }

  private func check(_ expected: String..., at location: SourceLocation = #_sourceLocation) {
    #expect(log.values == expected, sourceLocation: location)
  }
}
