import Offstage
import OffstageTesting
import Testing

/// Tests an app as its author would, with public API alone.
@Suite @CoreActor struct TestCoreTests {
  final class Basket: Screen {
    static let kind = "basket"
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class Shop: Screen {
    static let kind = "shop"
    struct Book: Identifiable, Codable, Equatable, Sendable {
      let id: Int
      var title: String
    }
    struct Input: Ports {
      let queryText = In<String>()
      let add = In<Trigger>()
    }
    struct Output: Ports {
      let books = Rows<Book>()
      let language = Out("")
      let added = Event<String>()
    }
    let input = Input(), output = Output(), effects = Effects()
    private let display = Display()
    private let router = Router()

    init() {
      output.language.derive { [display] in display.locale.language.language }
      input.queryText.debounce(.milliseconds(300)).observe { [self] in
        output.books.append(Book(id: output.books.count + 1, title: $0))
      }
      input.add.observe { [self] in
        effects.run { [self] in
          let answer = try await effects.ask(
            .alert(Dialog("Add?", buttons: [.ok, .init("no", "No")])))
          output.added.send(answer.button)
          router.present(Shop.self)
        } catch: { [self] error in
          output.added.send("\(error)")
        }
      }
    }
  }

  private static var tabs: App {
    App(
      root: .tabs([
        Tab("a", title: "A", icon: "a", Route(Shop.self)),
        Tab("b", title: "B", icon: "b", Route(Shop.self)),
      ]),
      links: [Link("shop://basket", tab: "a") { _ in [Route(Basket.self)] }],
      screens: [
        ScreenFactory(Shop.self) { _ in Shop() }, ScreenFactory(Basket.self) { _ in Basket() },
      ])
  }

  final class Clock: Scope {
    struct Input: Ports {}
    struct Output: Ports { let ticks = Out(0) }
    let input = Input(), output = Output(), effects = Effects()
    init() { effects.every(.seconds(1)) { [output] in output.ticks.value += 1 } }
  }

  @Test func closingAllEndsTheScope() async throws {
    let core = TestCore(
      App(
        root: .stack(Route(Shop.self)), scope: ScreenFactory(Clock.self) { _ in Clock() },
        screens: [ScreenFactory(Shop.self) { _ in Shop() }]))
    try core.start()
    #expect(core.liveCounts.timers == 1, "the scope's")
    core.closeAll()
    await core.settle()
    #expect(core.liveCounts == (screens: 0, effects: 0, timers: 0))
  }

  @Test func settlingWaitsForTheCleanupOfCanceledWork() async {
    let core = TestCore()
    let shop = core.show { Shop() }
    var steps: [String] = []
    shop.effects.run {
      do { try await Task.sleep(for: .seconds(3600)) } catch {
        // Not canceled: a cleanup that ignores the cancellation of its task.
        await Task { try? await Task.sleep(for: .milliseconds(20)) }.value
        steps.append("cleaned up")
        throw error
      }
    }
    await core.run()
    core.closeAll()
    #expect(steps == [])
    await core.settle()
    #expect(steps == ["cleaned up"])
  }

  @Test func framesAreThoseOfAFrontEnd() async {
    let core = TestCore()
    let shop = core.show { Shop() }
    let start = core.clock.now
    shop.input.queryText.send("Emma")
    await core.advance(by: .seconds(1))
    #expect(core.clock.now - start == .seconds(1))
    for (number, title) in [(2, "Walden"), (3, "Ulysses")] {
      let frames = await core.frames {
        shop.input.queryText.send(title)
        await core.advance(by: .milliseconds(300))
      }
      #expect(
        frames == [
          #"{"revision":2,"patch":[{"op":"add","path":"/screens/1/output/books/\#(number - 1)","#
            + #""value":{"id":\#(number),"title":"\#(title)"}}]}"#
        ])
    }
  }

  @Test func lookingAtTheDocumentLosesNoFrame() async {
    let core = TestCore()
    let shop = core.show { Shop() }
    let frames = await core.frames {
      shop.output.books.append(.init(id: 1, title: "Emma"))
      #expect(core.document.contains("Emma"))
      shop.output.books.append(.init(id: 2, title: "Walden"))
    }
    #expect(frames.map { $0.contains("Emma") } == [true, false])
    #expect(frames.map { $0.contains("Walden") } == [false, true])
  }

  @Test func differencesNameThePlace() async throws {
    let core = TestCore()
    let shop = core.show { Shop() }
    core.locale.language = "ko"
    shop.output.books.append(.init(id: 1, title: "Emma"))
    await core.run()
    #expect(
      core.document.contains(#""output":{"books":[{"id":1,"title":"Emma"}],"language":"ko"}"#))
    #expect(
      core.differences(
        from: #"[{"id":"$_","title":"Emma"}]"#, at: "/screens/1/output/books") == [])
    #expect(
      core.differences(from: #"{"kind":"shop","output":"$_"}"#, at: "/screens/1") == [])
    #expect(
      core.differences(
        from: #"{"books":[{"id":1,"title":"Emm"}],"language":"ko"}"#, at: "/screens/1/output")
        == [#"at /screens/1/output/books/0/title: expected "Emm", found "Emma""#])
    #expect(
      core.differences(from: "1", at: "/screens/9") == [
        "at /screens/9: expected 1, found nothing"
      ])
    #expect(
      core.differences(from: "1", at: "/screens/1/output/books/00") == [
        "at /screens/1/output/books/00: expected 1, found nothing"
      ])
    #expect(core.differences(from: "1", at: "screens").map { $0.prefix(13) } == ["invalid path:"])
    #expect(
      core.differences(from: "{").map { $0.prefix(37) } == ["invalid JSON in the expected value: e"]
    )
  }

  @Test func promptsAreAnsweredByTheTest() async throws {
    let core = TestCore(Self.tabs)
    let shop = core.show { Shop() }
    var added: [String] = []
    shop.output.added.observe { added.append($0) }
    func ask() async {
      shop.input.add.send()
      await core.settle()
    }
    await ask()
    #expect(core.prompts.map(\.description) == ["q1 alert of 1"])
    #expect(core.prompts[0].params.contains("Add?"))
    #expect(throws: (any Error).self) { try core.answer(Dialog.Answer(button: "maybe")) }
    #expect(throws: (any Error).self) { try core.answer(Dialog.Answer(button: "ok"), to: "q7") }
    try core.answer(Dialog.Answer(button: "no"))
    await core.settle()
    await ask()
    try core.refuse(prompt: "q2")
    await core.settle()
    #expect(throws: (any Error).self) { try core.refuse() }
    #expect(added == ["no", "closed without an answer"])
  }

  @Test func userNavigates() async throws {
    let core = TestCore(Self.tabs)
    try core.start()
    let shop = try #require(core.screens(Shop.self).first)
    #expect(core.selectTab("b"))
    #expect(!core.selectTab("c"))
    try core.open("shop://basket")
    #expect(core.kinds == ["shop", "shop", "basket"])
    #expect(core.back())
    #expect(!core.back())
    shop.input.add.send()
    await core.settle()
    try core.answer(Dialog.Answer(button: "ok"))
    await core.settle()
    let sheet = try #require(core.screen(Shop.self))
    #expect(!core.selectTab("b"), "the sheet covers the tabs")
    #expect(!core.dismiss(shop))
    #expect(core.dismiss(sheet))
    #expect(!core.dismiss(sheet))
    #expect(core.kinds == ["shop", "shop"])
  }

  @Test func runDoesNotWaitForATestDouble() async {
    let core = TestCore()
    let gate = Gate()
    let shop = core.show { Shop() }
    shop.effects.run { try await gate.pass() }
    shop.input.queryText.send("Emma")
    await core.advance(by: .seconds(1), settling: false)
    #expect(gate.isWaitedAt)
    #expect(shop.output.books.count == 1)
    gate.open()
    await core.run()
    #expect(core.liveCounts.effects == 0)
  }

  @Test func canceledSettleNamesWhatItWaitedFor() async {
    let core = TestCore()
    let gate = Gate()
    let shop = core.show { Shop() }
    shop.effects.task(name: "load").run { try await gate.pass() }
    let test = Task { @CoreActor in await core.settle() }
    await core.run()
    test.cancel()
    await test.value
    #expect(
      core.faults == [
        #"settle() was canceled while it waited for the effects "load" of screen 1"#
      ])
    gate.open()
    await core.settle()
  }
}
