import Foundation
import OffstageClient
import Testing

@testable import ShowcaseUI

/// Answers the prompts of the conformance app, `Tests/Apps/Meanings`, as a person does.
@MainActor
@Suite(.enabled(if: Programs.meanings != nil)) struct PromptTests {
  /// A screen that asks, and what a person sees of it.
  @MainActor
  struct Scene {
    let core: RemoteCore
    let device: FakeDevice
    let asking: Asking
    let screen: RemoteScreen

    init(_ tab: String, device: FakeDevice = FakeDevice()) async throws {
      let path = try #require(Programs.meanings)
      self.device = device
      core = RemoteCore(options: device.options) {
        try ProcessTransport(path, ["--deterministic"])
      }
      asking = Asking(core: core, device: device)
      try await core.start()
      _ = try await core.selectTab(tab)
      screen = try #require(core.document.visible.first)
    }

    /// Sends an input, and returns the question that it leads to.
    func ask(_ input: String, _ value: Value = nil) async throws -> Question {
      screen.send(input, value)
      try await core.until { asking.question != nil }
      return try #require(asking.question)
    }

    func press(_ title: String, _ question: Question) throws {
      asking.press(try #require(question.buttons.first { $0.title == title }), question)
    }

    /// The reply of the app to the last answer.
    func reply() async throws -> String? {
      try await core.until { !screen["reply"].isNull }
      return screen["reply"].string
    }

    /// Why the last answer was not taken. The question stays.
    func problem(_ question: Question) async -> String {
      while asking.problem(question).isEmpty { await Task.yield() }
      #expect(asking.question?.id == question.id)
      return asking.problem(question)
    }
  }

  /// A device whose answers a test chooses.
  final class FakeDevice: Device {
    var copied: [String] = []
    var opened: [String] = []
    var scheduled: [Reminder] = []
    var opens = true
    var place: (latitude: Double, longitude: Double)? = (37.5, 127.25)
    var permission: Bool?

    func copy(_ text: String) { copied.append(text) }

    func open(_ url: URL) async -> Bool {
      opened.append(url.absoluteString)
      return opens
    }

    func locate() async throws -> (latitude: Double, longitude: Double) {
      guard let place else { throw Mistake("The device does not tell where it is.") }
      return place
    }

    func mayNotify() async -> Bool? { permission }

    func askToNotify() async throws -> Bool {
      permission = true
      return true
    }

    func schedule(_ notifications: [Reminder]) async throws { scheduled = notifications }
  }

  @Test func everyStandardKindHasAHandlerOrAForm() throws {
    let contract = try String(
      contentsOf: RoleTests.root.appending(path: "Protocol/README.md"), encoding: .utf8)
    let rows = contract.split(separator: "| kind | params | answer |").last?
      .split(separator: "\n\n").first
    let kinds = (rows ?? "").matches(of: /\n\| `([\w.]+)` \|/).map { String($0.1) }
    #expect(kinds.count == 11)
    let answered = Set(Question.standard.keys).union(FakeDevice().options.handlers.keys)
    #expect(Set(kinds).subtracting(answered) == [])
    #expect(FakeDevice().options.announces == ["*"])
  }

  // MARK: Standard kinds

  @Test func textIsCopied() async throws {
    let scene = try await Scene("ask")
    scene.screen.send("copyWord")
    #expect(try await scene.reply() == "copied")
    #expect(scene.device.copied == ["Rosebud"])
    await scene.core.close()
  }

  @Test func textIsShared() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("tellFriends")
    guard case .share("We have moved") = question.control else { throw Mistake("no share") }
    try scene.press("Done", question)
    #expect(try await scene.reply() == "shared")
    await scene.core.close()
  }

  @Test func addressIsOpenedOnceThePersonAgrees() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("openMap")
    #expect(question.message == "https://example.com/map")
    #expect(scene.device.opened == [])
    scene.device.opens = false
    try scene.press("Open", question)
    #expect(await scene.problem(question) == "https://example.com/map cannot be opened.")
    scene.device.opens = true
    try scene.press("Open", question)
    #expect(try await scene.reply() == "opened")
    #expect(Set(scene.device.opened) == ["https://example.com/map"])
    await scene.core.close()
  }

  @Test func linkInATextIsAskedFor() async throws {
    let scene = try await Scene("values")
    scene.asking.follow("https://example.com/a")
    let question = try #require(scene.asking.question)
    #expect(question.message == "https://example.com/a")
    scene.asking.dismiss(question)
    #expect(scene.asking.question == nil && scene.device.opened == [])
    scene.asking.follow("https://example.com/a")
    try scene.press("Open", question)
    while scene.asking.question != nil { await Task.yield() }
    #expect(scene.device.opened == ["https://example.com/a"])
    await scene.core.close()
  }

  @Test func fileThatTheAppDoesNotTakeIsRefused() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("addPhoto")
    guard case .file(let rule) = question.control else { throw Mistake("no file") }
    #expect(question.message == "image/png · at most 1 kB")
    let folder = try TemporaryFolder()
    func problem(_ name: String, _ size: Int, _ type: String) async throws -> String {
      scene.asking.take(try folder.file(name, Data(count: size)), type, rule, question)
      return await scene.problem(question)
    }
    #expect(
      try await problem("a.txt", 8, "text/plain")
        == "a.txt is of another type. Choose a file of image/png.")
    #expect(
      try await problem("large.png", 1_001, "image/png")
        == "large.png has 1.1 kB. At most 1 kB are allowed.")
    scene.asking.take(folder.url, "image/png", rule, question)
    #expect(await scene.problem(question) == "\(folder.url.lastPathComponent) is not a file.")
    let photo = try folder.file("photo.png", Data("\u{89}PNG".utf8))
    scene.asking.take(photo, "image/PNG", rule, question)
    // The system opens a picked file to the app only for a moment.
    try FileManager.default.removeItem(at: photo)
    let asking = scene.asking
    while asking.question != nil, asking.problem(question).isEmpty { await Task.yield() }
    try #require(asking.problem(question) == "")
    #expect(try await scene.reply() == "photo.png 5")
    await scene.core.close()
  }

  @Test func fileIsSaved() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("savePlan")
    guard case .save(let file) = question.control else { throw Mistake("no file to save") }
    #expect(file.name == "plan.svg" && file.mimeType == "image/svg+xml")
    let data = try #require(await scene.asking.load(file, question))
    #expect(String(decoding: data, as: UTF8.self).hasPrefix("<svg"))
    scene.asking.saved(question)
    #expect(try await scene.reply() == "saved")
    await scene.core.close()
  }

  @Test func dayIsPicked() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("pickDay")
    guard case .day(let choice) = question.control else { throw Mistake("no day") }
    #expect(Day.text(of: scene.asking.day(choice, question)) == "2026-03-01")
    scene.asking.pick(try #require(Day.date("2026-01-31")), question)
    try scene.press("Done", question)
    #expect(await scene.problem(question) == "2026-01-31 cannot be chosen.")
    scene.asking.pick(try #require(Day.date("2026-02-01")), question)
    try scene.press("Done", question)
    #expect(try await scene.reply() == "2026-02-01")
    await scene.core.close()
  }

  @Test func dayIsReadAndWritten() {
    #expect(Day.date("2026-03-05").map(Day.text) == "2026-03-05")
    #expect(Day.date("2024-02-29").map(Day.text) == "2024-02-29")
    for text in ["2026-02-30", "2026-3-5", "2026", "", "a-b-c"] { #expect(Day.date(text) == nil) }
    let choice = DayChoice(["first": "2026-03-05", "last": "2026-03-01", "selected": "2026-04-01"])
    #expect(Day.text(of: choice.selected) == "2026-03-05")
  }

  @Test func deviceIsLocated() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("locate")
    scene.asking.begin(question)
    #expect(try await scene.reply() == "37.5 127.25")
    await scene.core.close()
  }

  @Test func deviceThatDoesNotTellWhereItIsIsAnError() async throws {
    let scene = try await Scene("ask")
    scene.device.place = nil
    let question = try await scene.ask("locate")
    scene.asking.begin(question)
    let reply = try await scene.reply() ?? ""
    #expect(reply.contains("The device does not tell where it is."))
    await scene.core.close()
  }

  @Test func reasonForALocationIsShownFirst() async throws {
    let path = try #require(Programs.showcase)
    let device = FakeDevice()
    let core = RemoteCore(options: device.options) {
      try ProcessTransport(path, ["--deterministic", "--root", "map"])
    }
    let asking = Asking(core: core, device: device)
    try await core.start()
    try await core.until { asking.question != nil }
    let question = try #require(asking.question)
    #expect(!question.message.isEmpty && !question.isAnsweredAtOnce)
    #expect(question.buttons.map(\.title) == ["Allow"])
    asking.begin(question)
    asking.press(question.buttons[0], question)
    try await core.until { core.document.prompts.isEmpty }
    await core.close()
  }

  @Test func notificationsAreScheduled() async throws {
    let scene = try await Scene("ask")
    scene.screen.send("permit")
    #expect(try await scene.reply() == "granted")
    scene.screen.send("remind")
    try await scene.core.until { scene.screen["reply"] == "scheduled" }
    #expect(scene.device.scheduled.map(\.title) == ["Moving"])
    #expect(scene.device.scheduled.first?.date == Date(timeIntervalSince1970: 4_102_444_800))
    await scene.core.close()
  }

  @Test func pageThatSignsInLeadsBack() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("signInAt", "https://example.com")
    guard case .signIn(let page) = question.control else { throw Mistake("no page") }
    #expect(page.url == question.message && page.url.contains("state=42"))
    scene.asking.signedIn("https://example.com/other", question)
    #expect(
      await scene.problem(question) == "The address must start with https://example.com/done.")
    scene.asking.signedIn("https://example.com/done?state=41", question)
    #expect(await scene.problem(question).contains("another visit"))
    scene.asking.type(" https://example.com/done?state=42&code=1 ", "url", question)
    try scene.press("Done", question)
    #expect(try await scene.reply() == "https://example.com/done?state=42&code=1")
    await scene.core.close()
  }

  // MARK: Kinds of the app's own

  @Test(
    arguments: [
      ("lend", [:], "Yes", "true"), ("pickRoom", [:], "Under the roof", "attic"),
      ("countBoxes", ["": "12"], "Done", "12"), ("listGuests", ["": "Kim, Lee"], "Done", "Kim+Lee"),
      ("nameCat", ["": "Mitzi"], "Done", "Mitzi"), ("ring", [:], "Done", "rung"),
      (
        "describeHome",
        ["street": "Elm", "floors": "2", "hasGarden": "true", "room": "Under the roof"], "Done",
        "Elm 2 true attic"
      ),
    ] as [(String, [String: String], String, String)])
  func questionOfTheAppIsAnswered(
    _ input: String, _ texts: [String: String], _ button: String, _ reply: String
  ) async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask(input)
    for (field, text) in texts { scene.asking.type(text, field, question) }
    try scene.press(button, question)
    #expect(try await scene.reply() == reply)
    await scene.core.close()
  }

  @Test func answerThatTheCoreRefusesCanBeCorrected() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("countBoxes")
    scene.asking.type("a dozen", "", question)
    try scene.press("Done", question)
    #expect(await scene.problem(question).contains("expected integer"))
    scene.asking.type("12", "", question)
    try scene.press("Done", question)
    #expect(try await scene.reply() == "12")
    await scene.core.close()
  }

  @Test func questionIsClosedWithoutAnAnswer() async throws {
    let scene = try await Scene("ask")
    let question = try await scene.ask("nameCat")
    #expect(question.canDismiss)
    scene.asking.dismiss(question)
    #expect(try await scene.reply()?.hasPrefix("no answer") == true)
    await scene.core.close()
  }

  @Test func alertIsAnswered() async throws {
    let path = try #require(Programs.showcase)
    let core = RemoteCore {
      try ProcessTransport(path, ["--deterministic", "--root", "gallery"])
    }
    try await core.start()
    let asking = Asking(core: core, device: FakeDevice())
    #expect(asking.question == nil)
    let screen = try #require(core.document.visible.first)
    screen.send("alert", "Sure?")
    try await core.until { asking.question != nil }
    let question = try #require(asking.question)
    #expect(question.title == "Sure?" && !question.canDismiss)
    #expect(question.buttons.map(\.title) == ["OK"])
    asking.press(question.buttons[0], question)
    try await core.until { !screen["answer"].isNull }
    #expect(screen["answer"] == ["button": "ok", "fields": [:]])
    await core.close()
  }
}
