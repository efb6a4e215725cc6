import Offstage
import OffstageJSON
import OffstageTesting
import Testing

/// What is shown: said when it differs from what the front end has, and only then.
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

  /// Also a change that an observer makes on hearing the value that is there already.
  @Test func anObserverHearsWhatItChangesItself() {
    let out = Out(0)
    let number = In(0)
    out.observe { if $0 < 3 { out.value += 1 } }
    number.observe { if $0 < 3 { number.send($0 + 1) } }
    #expect(out.value == 3 && number.value == 3)
  }

  @Test func saysWhatChanged() async throws {
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

  @Test func severalChangesOfOneTurnAreOne() async throws {
    try await check(#"[{"op":"replace","path":"/screens/1/output/number","value":3}]"#) {
      for number in 1...3 { $0.number.value = number }
    }
  }

  @Test func saysNothingWithoutAChange() async throws {
    try await check(nil) { $0.number.value = 0 }
    try await check(nil) { $0.form.value = Form() }
  }

  @Test func aChangeAndItsReturnInOneTurnSayNothing() async throws {
    try await check("[]") {
      $0.number.value = 1
      $0.number.value = 0
    }
    try await check("[]") {
      $0.form.value.tags = ["a"]
      $0.form.value.tags = []
    }
  }

  /// Swift takes them for equal, the wire does not.
  @Test func aLetterWithItsAccentIsNotTheAccentedLetter() async throws {
    try await check(#"[{"op":"replace","path":"/screens/1/output/text","value":"é"}]"#) {
      $0.text.value = "e\u{301}"
      $0.text.value = "\u{E9}"
    }
    let core = TestCore()
    let screen = core.show { Page() }
    let heard = Heard<Int>()
    screen.output.text.map { $0.unicodeScalars.count }.observe { heard.append($0) }
    screen.output.maybe.map { $0?.unicodeScalars.count ?? 0 }.observe { heard.append($0) }
    for text in ["\u{E9}", "e\u{301}", "e\u{301}"] {
      screen.output.text.value = text
      screen.output.maybe.value = text
    }
    #expect(heard.values == [0, 0, 1, 1, 2, 2])
  }

  @Test func whatCannotBeWrittenIsNull() async throws {
    try await check(#"[{"op":"replace","path":"/screens/1/output/ratio","value":null}]"#) {
      $0.ratio.value = .infinity
    }
    try await check(#"[{"op":"replace","path":"/screens/1/output/form","value":null}]"#) {
      $0.form.value.place = ["a": 1, "b": .infinity]
    }
  }

  @Test func observersHearEachChangeAtOnce() {
    let out = Out(1)
    let heard = Heard<Int>()
    out.observe { heard.append($0) }
    for value in [1, 2, 2, 3] { out.value = value }
    #expect(heard.values == [1, 2, 3])
  }

  @Test func followsASource() {
    let out = Out(0)
    let relay = Relay<Int>()
    out.bind(relay.map { $0 * 2 })
    relay.send(4)
    #expect(out.value == 8)
  }

  @Test func aClosedScreenSaysNothing() async throws {
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

  /// - Parameter expected: the patch; nil where not even a turn ends.
  private func check(_ expected: String?, _ change: (Page.Output) -> Void) async throws {
    let core = TestCore()
    let document = Document(core)
    let screen = core.show { Page() }
    await document.check()
    let opening = document.patch
    change(screen.output)
    await Task.yield()
    #expect(document.patch == expected ?? opening)
    await document.check()
  }
}
