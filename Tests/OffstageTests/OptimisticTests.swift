import OffstageTesting
import Testing

@testable import Offstage

/// Changes that are shown before they are saved, and rolled back if they cannot be.
@Suite @CoreActor struct OptimisticTests {
  private let core = TestCore()
  private let log = Recorder<String>()
  private let gate = Gate()
  private let screen: Probe
  private let change: EffectHandle

  init() {
    screen = core.show { Probe() }
    change = screen.effects.task()
  }

  @Test func showsAtOnceAndSavesOnce() async {
    set(0, 1)
    check("show 1")
    await core.run()
    check("show 1", "save 1")
    await open()
    check("show 1", "save 1", "saved 1")
    #expect(screen.output.number.value == 1)
  }

  @Test func failureRollsBackBeforeTheHandler() async {
    set(0, 1)
    await core.run()
    await open(throwing: Broken())
    check("show 1", "save 1", "show 0", "failed at 0")
    #expect(core.faults.isEmpty)
    set(0, 2)
    await core.run()
    await open()
    #expect(log.values.suffix(3) == ["show 2", "save 2", "saved 2"])
  }

  /// The rollback comes first, so it does not undo a change that an observer makes.
  @Test func changeStartedByAnActivityObserverIsKept() async {
    var begins = 0
    change.activity.observe { isBusy in
      if isBusy { begins += 1 }
      if !isBusy, begins == 1 { set(1, 3) }
    }
    set(0, 1)
    await core.run()
    await open()
    check("show 1", "save 1", "saved 1", "show 3", "save 3")
    await open()
    #expect(screen.output.number.value == 3)
  }

  @Test func uncaughtFailureIsAFault() async {
    change.optimistic(from: 0, to: 1) { _ in
    } save: { _ in
      throw Broken()
    }
    await core.settle()
    #expect(core.faults.count == 1)
  }

  @Test func savesTheNewestValueNext() async {
    set(0, 1)
    await core.run()
    set(1, 2)
    set(2, 3)
    check("show 1", "save 1", "show 2", "show 3")
    await open()
    await open()
    check("show 1", "save 1", "show 2", "show 3", "saved 1", "save 3", "saved 3")
  }

  @Test func changeUndoneBeforeItsSaveIsNotSaved() async {
    set(0, 1)
    set(1, 0)
    await core.settle()
    check("show 1", "show 0")
  }

  @Test func changeUndoneDuringItsSaveIsSaved() async {
    set(0, 1)
    await core.run()
    set(1, 0)
    await open()
    await open()
    check("show 1", "save 1", "show 0", "saved 1", "save 0", "saved 0")
  }

  /// The failed save may have taken effect, so the old value is saved again.
  @Test func changeUndoneDuringAFailingSaveIsSaved() async {
    set(0, 1)
    await core.run()
    set(1, 0)
    await open(throwing: Broken())
    await open()
    check("show 1", "save 1", "show 0", "save 0", "saved 0")
  }

  @Test func laterFailureRollsBackToTheSavedValue() async {
    set(0, 1)
    await core.run()
    set(1, 2)
    await open()
    await open(throwing: Broken())
    check("show 1", "save 1", "show 2", "saved 1", "save 2", "show 1", "failed at 1")
  }

  @Test(arguments: [false, true]) func cancelingRollsBackSilently(begun: Bool) async {
    set(0, 1)
    if begun { await core.run() }
    change.cancel()
    #expect(log.values.last == "show 0")
    await open()
    #expect(screen.output.number.value == 0)
    #expect(!log.values.contains { $0.hasPrefix("failed") })
    set(0, 5)
    await core.run()
    await open()
    #expect(screen.output.number.value == 5)
  }

  @Test func cancelingRollsBackQueuedChanges() async {
    set(0, 1)
    await core.run()
    set(1, 2)
    change.cancel()
    await open()
    check("show 1", "save 1", "show 2", "show 0", "saved 1")
    #expect(screen.output.number.value == 0, "What was canceled counts as not done.")
  }

  @Test(arguments: [false, true]) func cancelingTheNewestRequestSavesTheOneBefore(
    fails: Bool
  ) async {
    let newest = Cause(id: "3")
    set(0, 1)
    await core.run()
    set(1, 2)
    core.core.during(newest) { set(2, 3) }
    core.core.cancelWork(of: newest)
    await open(throwing: fails ? Broken() : nil)
    await open()
    #expect(log.values.suffix(3) == ["show 2", "save 2", "saved 2"])
    #expect(screen.output.number.value == 2)
  }

  @Test func failureBehindACanceledRequestIsReported() async {
    let newest = Cause(id: "2")
    set(0, 1)
    await core.run()
    core.core.during(newest) { set(1, 2) }
    core.core.cancelWork(of: newest)
    await open(throwing: Broken())
    check("show 1", "save 1", "show 2", "show 0", "failed at 0")
  }

  @Test func changesOfManyThingsAreIndependent() async {
    set(0, 1, of: change[1])
    set(0, 2, of: change[2])
    await core.run()
    check("show 1", "show 2", "save 1", "save 2")
    await open(throwing: Broken())
  }

  @Test func causesWaitForTheirSave() async {
    let causes = [Cause(id: "one"), Cause(id: "two")]
    core.core.during(causes[0]) { set(0, 1) }
    await core.run()
    core.core.during(causes[1]) { set(1, 2) }
    #expect(causes.map(\.isFinished) == [false, false])
    await open()
    #expect(causes.map(\.isFinished) == [true, false])
    await open()
    #expect(causes.map(\.isFinished) == [true, true])
  }

  @Test func closingTheScreenEndsIt() async {
    set(0, 1)
    await core.run()
    core.closeAll()
    #expect(core.liveCounts == (0, 0, 0))
    await open(throwing: Broken())
    #expect(!log.values.contains { $0.hasPrefix("failed") })
    #expect(core.faults.isEmpty)
  }

  // MARK: Helpers

  private func set(_ old: Int, _ new: Int, of change: EffectHandle? = nil) {
    let (log, gate, screen) = (log, gate, screen)
    (change ?? self.change).optimistic(from: old, to: new) {
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

  /// Lets the running save continue, and everything after it.
  private func open(throwing error: (any Error)? = nil) async {
    gate.open(throwing: error)
    await core.run()
  }

  private func check(_ expected: String..., at location: SourceLocation = #_sourceLocation) {
    #expect(log.values == expected, sourceLocation: location)
  }
}
