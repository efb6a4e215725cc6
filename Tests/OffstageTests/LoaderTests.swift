import OffstageTesting
import Testing

@testable import Offstage

/// The value arrives when the test opens the gate.
@Suite @CoreActor struct LoaderTests {
  private let core = TestCore()
  private let gate = Gate()
  private let log = Recorder<String>()
  private let loader: Loader<Int>
  private let screen: Probe

  init() {
    let (gate, log) = (gate, log)
    var made: Loader<Int>?
    screen = core.show {
      Probe { screen in
        var count = 0
        let loader = Loader(screen.effects) {
          count += 1
          log.append("load \(count)")
          let number = count
          try await gate.pass()
          return number
        }
        loader.values.observe { log.append("value \($0)") }
        loader.failures.observe { log.append("\($0)") }
        screen.output.number.bind(loader.isLoading.map { $0 ? 1 : 0 })
        screen.output.text.bind(loader.failure.map { $0.map { "\($0)" } ?? "" })
        made = loader
      }
    }
    loader = made!
  }

  @Test func loadsOnce() async {
    loader.load()
    loader.load()
    #expect(screen.output.number.value == 1)
    await open()
    #expect(screen.output.number.value == 0)
    loader.load()
    await open()
    #expect(log.values == ["load 1", "value 1"])
  }

  @Test func loadAfterAFailureTriesAgain() async {
    loader.load()
    await open(throwing: Broken())
    #expect(screen.output.text.value == "Broken()")
    #expect(screen.output.number.value == 0)
    loader.load()
    await open()
    #expect(log.values == ["load 1", "Broken()", "load 2", "value 2"])
    #expect(screen.output.text.value == "")
  }

  @Test func lateObserverReceivesTheFailure() async {
    loader.load()
    await open(throwing: Broken())
    let failures = Recorder<String>()
    let subscription = loader.failure.observe { failures.append($0.map { "\($0)" } ?? "none") }
    #expect(failures.values == ["Broken()"])
    loader.load()
    await open()
    #expect(failures.values == ["Broken()", "none"])
    subscription.cancel()
  }

  @Test func cachedValueIsStaleUntilANewerOneArrives() async {
    let ages = Recorder<Duration?>()
    var made: Loader<Int>?
    _ = core.show {
      Probe { [gate, log] screen in
        let loader = Loader(
          screen.effects, cached: { (7, loadedAt: .seconds(1000)) },
          current: {
            try await gate.pass()
            return 8
          })
        loader.values.observe { log.append("value \($0)") }
        loader.staleSince.observe { ages.append($0) }
        made = loader
      }
    }
    made?.load()
    await open(throwing: Broken())
    #expect(log.values == ["value 7"])
    #expect(ages.values == [nil, .seconds(1000)])
    made?.load()
    await open()
    #expect(log.values == ["value 7", "value 8"], "the cache is asked once")
    #expect(ages.values == [nil, .seconds(1000), nil])
    made?.reload()
    await open(throwing: Broken())
    #expect(ages.values.last == core.core.clock.now, "a failure makes the value stale")
  }

  @Test func reloadReplacesARunningLoad() async {
    loader.load()
    await core.run()
    loader.reload()
    await core.run()
    #expect(screen.output.number.value == 1)
    await open()
    #expect(log.values == ["load 1", "load 2", "value 2"])
  }

  @Test func reloadLoadsAgain() async {
    loader.load()
    await open()
    loader.reload()
    await open(throwing: Broken())
    loader.load()
    await open()
    loader.load()
    await open()
    #expect(log.values == ["load 1", "value 1", "load 2", "Broken()", "load 3", "value 3"])
  }

  @Test func canceledLoadCanBeRepeated() async {
    loader.load()
    await core.run()
    screen.effects.cancel("load")
    await open()
    loader.load()
    await open()
    #expect(log.values == ["load 1", "load 2", "value 2"])
  }

  @Test func endsWithItsScreen() async {
    loader.load()
    await core.run()
    core.closeAll()
    loader.reload()
    await open()
    #expect(log.values == ["load 1"])
    #expect(core.liveCounts == (0, 0, 0))
  }

  @Test func doesNotKeepItsScreenAlive() async {
    weak var closed: Probe?
    var loader: Loader<String>?
    do {
      let other = core.show {
        Probe { screen in
          loader = Loader(screen.effects, name: "text") { screen.output.text.value }
        }
      }
      closed = other
    }
    core.closeAll()
    await core.turn()
    #expect(closed == nil)
    withExtendedLifetime(loader) {}
  }

  @Test func loadersNeedDifferentNames() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.nameTwice()
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains("OffstageTests/LoaderTests.swift:"))
    #expect(error.contains("the name \"load\" is taken"))
  }

  private static func nameTwice() {
    _ = TestCore().show {
      Probe { screen in
        _ = Loader(screen.effects) { 1 }
        _ = Pager<Empty, Int>(screen.effects, name: "load") { _ in Offstage.Page([], hasMore: false)
        }
      }
    }
  }

  /// Lets the running load continue.
  private func open(throwing error: (any Error)? = nil) async {
    await core.run()
    gate.open(throwing: error)
    await core.run()
  }
}
