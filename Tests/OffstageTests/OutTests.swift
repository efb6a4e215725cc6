import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// An output is written if it differs from the value in the document.
@Suite @CoreActor struct OutTests {
  struct Form: Codable, Equatable, Sendable {
    var name = "", tags: [String] = []
    var place: [String: Double] = [:]
  }

  final class Page: Screen {
    static let kind = "page"
    struct Input: Ports {}
    struct Output: Ports {
      let text = Out("")
      let maybe = Out<String?>(nil)
      let number = Out(0)
      let form = Out(Form())
      let ratio = Out(0.5)
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  /// Even a change that it makes while it receives the replayed value.
  @Test func observerReceivesItsOwnChanges() {
    let out = Out(0)
    let number = Field(0)
    out.observe { if $0 < 3 { out.value += 1 } }
    number.observe { if $0 < 3 { number.send($0 + 1) } }
    #expect(out.value == 3)
    #expect(number.value == 3)
  }

  @Test func writesWhatChanged() async throws {
    try await check(#"[{"op":"replace","path":"/screens/1/output/number","value":3}]"#) {
      $0.number.value = 3
    }
    try await check(#"[{"op":"replace","path":"/screens/1/output/text","value":"a\"b"}]"#) {
      $0.text.value = "a\"b"
    }
    try await check(#"[{"op":"replace","path":"/screens/1/output/maybe","value":"a"}]"#) {
      $0.maybe.value = "a"
    }
    try await check(#"[{"op":"replace","path":"/screens/1/output/form/name","value":"Kim"}]"#) {
      $0.form.value.name = "Kim"
    }
  }

  @Test func changesOfOneTurnAreOneOperation() async throws {
    try await check(#"[{"op":"replace","path":"/screens/1/output/number","value":3}]"#) {
      for number in 1...3 { $0.number.value = number }
    }
  }

  @Test func equalValueIsNoChange() async throws {
    try await check(nil) { $0.number.value = 0 }
    try await check(nil) { $0.form.value = Form() }
  }

  @Test func valueChangedAndChangedBackIsNotWritten() async throws {
    try await check("[]") {
      $0.number.value = 1
      $0.number.value = 0
    }
    try await check("[]") {
      $0.form.value.tags = ["a"]
      $0.form.value.tags = []
    }
  }

  /// Swift considers them equal, but their JSON differs.
  @Test func textsAreComparedByScalars() async throws {
    try await check(#"[{"op":"replace","path":"/screens/1/output/text","value":"é"}]"#) {
      $0.text.value = "e\u{301}"
      $0.text.value = "\u{E9}"
    }
    let core = TestCore()
    let screen = core.show { Page() }
    let received = Recorder<Int>()
    screen.output.text.map { $0.unicodeScalars.count }.observe { received.append($0) }
    screen.output.maybe.map { $0?.unicodeScalars.count ?? 0 }.observe { received.append($0) }
    for text in ["\u{E9}", "e\u{301}", "e\u{301}"] {
      screen.output.text.value = text
      screen.output.maybe.value = text
    }
    #expect(received.values == [0, 0, 1, 1, 2, 2])
  }

  @Test func nanEqualsNaN() {
    let number = Out(1.0)
    var received = 0
    number.observe { _ in received += 1 }
    number.value = .nan
    number.value = .nan
    #expect(received == 2)
    number.value = 0
    #expect(received == 3)
  }

  @Test func valueWithoutJSONIsNull() async throws {
    try await check(#"[{"op":"replace","path":"/screens/1/output/ratio","value":null}]"#) {
      $0.ratio.value = .infinity
    }
    try await check(#"[{"op":"replace","path":"/screens/1/output/form","value":null}]"#) {
      $0.form.value.place = ["a": 1, "b": .infinity]
    }
  }

  @Test func notifiesObserversAtOnce() {
    let out = Out(1)
    let received = Recorder<Int>()
    out.observe { received.append($0) }
    for value in [1, 2, 2, 3] { out.value = value }
    #expect(received.values == [1, 2, 3])
  }

  @Test func followsASource() {
    let out = Out(0)
    let relay = Relay<Int>()
    out.bind(relay.map { $0 * 2 })
    relay.send(4)
    #expect(out.value == 8)
  }

  /// The output that was read may outlive the one that was computed.
  @Test func observerOfAStaleDerivedOutputReceivesItsValueOnce() {
    let (number, double) = (Out(2), Out(0))
    let received = Recorder<Int>()
    _ = TestCore().show {
      Probe { _ in
        double.derive { number.value * 2 }
        number.value = 3
        double.observe { received.append($0) }
      }
    }
    #expect(received.values == [6])
  }

  @Test func derivedOutputThatIsReleasedNoLongerFollows() {
    let number = Out(1)
    func deriveAndRelease() -> Int {
      let double = Out(0)
      double.derive { number.value * 2 }
      number.value = 2
      return double.value
    }
    #expect(deriveAndRelease() == 4)
    number.value = 3
    let rows = Rows<Probe.Item>()
    func deriveRowsAndRelease() -> Int {
      let copy = Rows<Probe.Item>()
      copy.derive(from: rows) { $0 }
      rows.append(Probe.Item(id: "a"))
      return copy.count
    }
    #expect(deriveRowsAndRelease() == 1)
    rows.append(Probe.Item(id: "b"))
    #expect(rows.count == 2)
  }

  @Test func closedScreenWritesNothing() async throws {
    let core = TestCore()
    let document = Document(core)
    let screen = core.show { Page() }
    await document.check()
    core.closeAll()
    await document.check()
    screen.output.number.value = 1
    await Task.yield()
    #expect(!core.core.hasChanges)
    #expect(document.value == ["screens": [:]])
  }

  /// The closure runs once per turn, however many of the ports that it reads have changed.
  @Test func derivedOutputFollowsThePortsItReads() async throws {
    let core = TestCore()
    let document = Document(core)
    var runs = 0
    let screen = core.show {
      Probe { screen in
        screen.output.number.derive {
          runs += 1
          if screen.input.text.value == nil { return -1 }
          return screen.input.number.value + screen.output.items.count
        }
      }
    }
    await document.check()
    #expect(screen.output.number.value == -1)
    #expect(runs == 1)
    screen.input.number.send(1)
    #expect(screen.output.number.value == -1, "the number was not read")
    #expect(runs == 1, "the number was not read")
    screen.input.text.send("a")
    screen.input.number.send(2)
    screen.input.number.send(3)
    screen.output.items.append(.init(id: "r"))
    await document.check()
    #expect(runs == 2)
    #expect(screen.output.number.value == 4)
    screen.output.items.remove("r")
    #expect(screen.output.number.value == 3, "reading the value evaluates the closure")
    await document.check()
  }

  @Test func derivedOutputsFollowEachOther() async throws {
    let core = TestCore()
    let document = Document(core)
    let received = Recorder<String>()
    let screen = core.show {
      Probe { screen in
        screen.output.number.derive { screen.input.number.value * 2 }
        screen.output.text.derive {
          "\(screen.output.number.value) of \(screen.input.number.value)"
        }
        screen.output.text.observe { received.append($0) }
      }
    }
    screen.input.number.send(1)
    #expect(screen.output.text.value == "2 of 1")
    screen.input.number.send(2)
    await document.check()
    #expect(received.values == ["0 of 0", "2 of 1", "4 of 2"])
  }

  /// Whatever lies between the two.
  @Test func boundOutputIsNeverReadStale() async throws {
    let core = TestCore()
    let document = Document(core)
    let number = Out(0)
    let (tens, sum, label, even) = (Out(0), Out(0), Out(""), Out(0))
    let rows = Rows<Probe.Item>()
    let received = Recorder<Int>()
    let screen = core.show {
      Probe { screen in
        // Bound before it is derived.
        screen.output.number.bind(tens)
        tens.derive { number.value * 10 }
        sum.bind(combineLatest(number, screen.output.number).map { $0 + $1 })
        label.derive { "\(screen.output.number.value)" }
        screen.output.text.bind(label.merge(label).removeDuplicates())
        even.bind(tens.filter { $0 % 20 == 0 }.compactMap { $0 })
        rows.derive { [Probe.Item(id: "\(tens.value)")] }
        screen.output.number.observe { received.append($0) }
      }
    }
    number.value = 1
    #expect(screen.output.text.value == "10")
    number.value = 2
    #expect(sum.value == 22)
    #expect(even.value == 20)
    #expect(rows.values.map(\.id) == ["20"])
    number.value = 3
    #expect(rows.count == 1 && rows["30"] != nil)
    #expect(even.value == 20)
    await document.check()
    #expect(screen.output.number.value == 30)
    #expect(received.values == [0, 10, 20, 30])
  }

  @Test func boundOutputOutlivesTheOneThatItIsBoundTo() {
    let copy = Out(0)
    func bindCopy() { copy.bind(Out(7)) }
    bindCopy()
    #expect(copy.value == 7)
  }

  /// State of a screen that is not shown.
  @Test func derivedValueThatIsNotAPortReachesItsObservers() async throws {
    let core = TestCore()
    let shared = Out(0)
    let received = Recorder<Int>()
    _ = core.show {
      Probe { screen in
        let doubled = Out(0)
        doubled.derive { shared.value * 2 }
        doubled.observe { received.append($0) }
        shared.value = 1
      }
    }
    await core.turn()
    shared.value = 2
    shared.value = 3
    await core.turn()
    #expect(received.values == [0, 2, 6])
    core.closeAll()
    shared.value = 4
    await core.turn()
    #expect(received.values == [0, 2, 6])
  }

  @Test func derivedOutputDoesNotKeepItsScreenAlive() async throws {
    let core = TestCore()
    weak var closed: Probe?
    do {
      let screen = core.show {
        Probe { screen in screen.output.number.derive { screen.input.number.value } }
      }
      closed = screen
    }
    core.closeAll()
    await core.turn()
    #expect(closed == nil)
  }

  @Test func derivedOutputEndsBeforeThePortThatItReads() async throws {
    let core = TestCore()
    let unread = Out(0)
    _ = core.show { Probe { $0.output.number.derive { unread.value } } }
    core.closeAll()
    await core.turn()
    unread.value = 1
  }

  /// Screens come and go; a port that outlives them keeps none of their outputs.
  @Test func portDropsTheDependentsThatHaveEnded() async {
    let core = TestCore()
    let shared = Out(0)
    for _ in 1...1_000 {
      _ = core.show { Probe { $0.output.number.derive { shared.value } } }
      core.closeAll()
    }
    #expect(shared.dependents.entries.count < 20)
  }

  /// A derived output that reads one port and then another leaves nothing behind in the first one.
  @Test func portDropsTheDependentsThatReadItNoLonger() async {
    let core = TestCore()
    let shared = Out(0)
    let page = Out(0)
    let ports = (0..<1_000).map { Out($0) }
    var runs = 0
    let screen = core.show {
      Probe {
        $0.output.number.derive {
          runs += 1
          return shared.value + ports[page.value].value
        }
      }
    }
    for number in ports.indices {
      page.value = number
      #expect(screen.output.number.value == number)
    }
    #expect(shared.dependents.entries.count == 1)
    runs = 0
    ports[5].value = 7
    await core.turn()
    #expect(runs == 0)
    ports[999].value = 7
    await core.turn()
    #expect(runs == 1)
  }

  @Test func manyDependentsAreNotifiedOnce() async {
    let core = TestCore()
    let shared = Out(0)
    let order = Recorder<Int>()
    let pages = (0..<100).map { Out($0) }
    for (number, page) in pages.enumerated() {
      _ = core.core.mount(Probe.kind) {
        Probe { screen in
          screen.output.number.derive { shared.value + page.value }
          screen.output.number.observe { _ in order.append(number) }
        }
      }
    }
    for page in pages.reversed() { page.value += 1 }
    await core.turn()
    let start = order.values.count
    shared.value = 5
    await core.turn()
    #expect(order.values[start...].sorted() == Array(0..<100))
    #expect(shared.dependents.entries.count == 100)
  }

  /// - Parameter expected: The patch; nil if nothing is published.
  private func check(
    _ expected: String?, _ change: (Page.Output) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let core = TestCore()
    let document = Document(core)
    let screen = core.show { Page() }
    await document.check(nil, location)
    let opening = document.patch
    change(screen.output)
    await Task.yield()
    #expect(document.patch == expected ?? opening, sourceLocation: location)
    await document.check(nil, location)
  }
}

@Suite @CoreActor struct EventTests {
  @Test func sendsEqualValuesInOrder() async throws {
    let core = TestCore()
    let sent = Recorder<String>()
    core.watch { changes in
      for event in changes.events {
        sent.append("\(event.screen).\(event.name) \(String(decoding: event.value, as: UTF8.self))")
      }
    }
    let screen = core.show { Probe() }
    for number in [1, 2, 2] { screen.output.sent.send(number) }
    await Task.yield()
    #expect(sent.values == ["1.sent 1", "1.sent 2", "1.sent 2"])
  }

  @Test func closedScreenSendsNothing() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let received = Recorder<Int>()
    screen.output.sent.observe { received.append($0) }
    core.closeAll()
    await core.turn()
    screen.output.sent.send(1)
    #expect(!core.core.hasChanges)
    #expect(received.values == [])
  }
}
