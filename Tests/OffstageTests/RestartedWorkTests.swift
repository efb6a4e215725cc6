import OffstageTesting
import Testing

@testable import Offstage

/// Loads, tasks, questions, and unsaved changes that a restart of the core has interrupted.
@Suite @CoreActor struct RestartedWorkTests {
  private let server = Desk.Server()

  @Test func aLoaderLoadsAgainByItself() async throws {
    let core = try started()
    core.screen(Desk.self)?.book.load()
    await core.settle()
    server.log = []
    let restarted = core.restarted()
    await restarted.settle()
    #expect(restarted.screen(Desk.self)?.seen == ["cached book", "book"])
    #expect(server.log == ["book"])
  }

  @Test func whatWasNotLoadedIsNotLoadedAgain() async throws {
    let core = try started()
    let restarted = core.restarted()
    await restarted.settle()
    #expect(server.log == [])
    #expect(restarted.screen(Desk.self)?.seen == [])
  }

  @Test func aLoadThatWasCutBeginsAgain() async throws {
    let core = try started()
    core.screen(Desk.self)?.book.load()
    let restarted = core.restarted()
    await restarted.settle()
    #expect(restarted.screen(Desk.self)?.seen == ["cached book", "book"])
  }

  @Test func allPagesComeBackInOnePiece() async throws {
    let core = try started()
    try await scroll(core, toPage: 5)
    server.log = []
    let restarted = core.restarted()
    await restarted.settle()
    let desk = try #require(restarted.screen(Desk.self))
    #expect(desk.output.rows.value == (0..<10).map { "b\($0)" })
    #expect(desk.arrivals == ["first 10"])
    #expect(server.log == (0..<5).map { "b \($0)" })
    desk.pager.loadNext()
    await restarted.settle()
    #expect(desk.output.rows.value == (0..<12).map { "b\($0)" })
  }

  @Test func theCacheComesFirstAndIsStale() async throws {
    let core = try started()
    try await scroll(core, toPage: 3)
    server.hasCache = true
    let restarted = core.restarted()
    await restarted.settle()
    let desk = try #require(restarted.screen(Desk.self))
    #expect(desk.arrivals == ["first 6", "stale", "first 6"])
  }

  @Test func theCacheStaysIfAPageIsMissing() async throws {
    let core = try started()
    try await scroll(core, toPage: 3)
    server.hasCache = true
    server.missing = 1
    let restarted = core.restarted()
    await restarted.settle()
    let desk = try #require(restarted.screen(Desk.self))
    #expect(desk.arrivals == ["first 6", "stale", "Broken()"])
    #expect(desk.pager.items.count == 6)
    server.missing = nil
    // A second restart still knows how far it had come.
    let again = restarted.restarted()
    await again.settle()
    #expect(again.screen(Desk.self)?.arrivals == ["first 6", "stale", "first 6"])
    desk.pager.retry()
    await restarted.settle()
  }

  @Test func retryBringsTheRestOfThePages() async throws {
    let core = try started()
    try await scroll(core, toPage: 3)
    server.missing = 2
    let restarted = core.restarted()
    await restarted.settle()
    let desk = try #require(restarted.screen(Desk.self))
    #expect(desk.arrivals == ["first 4", "Broken()"])
    server.missing = nil
    desk.pager.retry()
    await restarted.settle()
    #expect(desk.output.rows.value == (0..<6).map { "b\($0)" })
  }

  @Test func anotherQueryForgetsThePages() async throws {
    let core = try started()
    try await scroll(core, toPage: 3)
    let restarted = core.restarted()
    let desk = try #require(restarted.screen(Desk.self))
    desk.pager.reload(with: "c")
    await restarted.settle()
    #expect(desk.output.rows.value == ["c0", "c1"])
  }

  @Test func aTaskBeginsAgainOrSaysThatItWasCut() async throws {
    let core = try started()
    let desk = try #require(core.screen(Desk.self))
    desk.upload("a.txt")
    desk.reply.run { try await desk.effects.sleep(for: .seconds(9)) }
    desk.silent.run { try await desk.effects.sleep(for: .seconds(9)) }
    await core.settle()
    let restarted = core.restarted()
    let again = try #require(restarted.screen(Desk.self))
    #expect(again.upload.isRunning)
    #expect(again.wasUploading)
    #expect(again.output.wasCut.value)
    #expect(!again.silent.isRunning)
    await restarted.advance(by: .seconds(9))
    #expect(again.seen == ["sent a.txt"])
    let third = restarted.restarted()
    await third.settle()
    #expect(third.screen(Desk.self)?.upload.isRunning == false)
    #expect(third.screen(Desk.self)?.output.wasCut.value == false)
  }

  @Test func aQuestionIsAskedAgainUnderItsID() async throws {
    let core = try started()
    core.screen(Desk.self)?.ask()
    await core.settle()
    let before = core.document
    let restarted = core.restarted()
    await restarted.settle()
    #expect(restarted.document == before)
    _ = try restarted.answer("q1", #"{"button":"yes","fields":{}}"#)
    await restarted.settle()
    #expect(restarted.screen(Desk.self)?.seen == ["yes"])
    restarted.screen(Desk.self)?.ask()
    await restarted.settle()
    #expect(restarted.prompts.map(\.id) == ["q2"])
  }

  @Test func questionsKeepTheirOrder() async throws {
    let core = TestCore(
      App(
        root: .tabs(["a", "b"].map { Tab($0, title: $0, icon: $0, Route(Desk.self)) }),
        screens: [ScreenFactory(Desk.self) { [server] _ in Desk(server) }]))
    try core.start()
    for desk in core.screens(Desk.self).reversed() { desk.ask() }
    await core.settle()
    let before = core.prompts
    #expect(before.map(\.screen) == ["2", "1"])
    let restarted = core.restarted()
    await restarted.settle()
    #expect(restarted.prompts == before)
  }

  @Test func aQuestionThatIsNotAskedAgainIsWithdrawn() async throws {
    let core = try started()
    let desk = try #require(core.screen(Desk.self))
    desk.silent.run { _ = try await desk.effects.ask(.alert(Dialog("Sure?"))) }
    await core.settle()
    let restarted = core.restarted()
    await restarted.settle()
    #expect(restarted.prompts.isEmpty)
  }

  /// What is shown comes from the store, so a change is there if it was saved, and gone if not.
  @Test(arguments: [false, true])
  func anUnsavedChangeIsSavedOrRolledBack(isSaved: Bool) async throws {
    let core = try started()
    let desk = try #require(core.screen(Desk.self))
    desk.like()
    if isSaved { await core.settle() }
    #expect(desk.output.isLiked.value)
    let restarted = core.restarted()
    await restarted.settle()
    #expect(restarted.screen(Desk.self)?.output.isLiked.value == isSaved)
    #expect(server.isLiked == isSaved)
  }

  @Test func aDeletionKeepsItsRemainingTime() async throws {
    let core = try started()
    core.screen(Desk.self)?.delete()
    await core.advance(by: .seconds(3))
    let restarted = core.restarted()
    let desk = try #require(restarted.screen(Desk.self))
    await restarted.advance(by: .milliseconds(1999))
    #expect(desk.deletedUntil.value != nil)
    await restarted.advance(by: .milliseconds(1))
    #expect(desk.deletedUntil.value == nil)
  }

  private func started() throws -> TestCore {
    let core = TestCore(
      App(
        root: .stack(Route(Desk.self)),
        screens: [ScreenFactory(Desk.self) { [server] _ in Desk(server) }]))
    try core.start()
    return core
  }

  private func scroll(_ core: TestCore, toPage count: Int) async throws {
    let desk = try #require(core.screen(Desk.self))
    desk.pager.reload(with: "b")
    for _ in 1..<count {
      await core.settle()
      desk.pager.loadNext()
    }
    await core.settle()
    #expect(desk.pager.items.count == count * 2)
  }
}

private final class Desk: Screen {
  static let kind = "desk"
  @CoreActor final class Server {
    var log: [String] = []
    var hasCache = false
    /// The page that fails to load.
    var missing: Int?
    var isLiked = false
  }

  struct Input: Ports {}
  struct Output: Ports {
    let rows = Out<[String]>([])
    let wasCut = Out(false)
    let isLiked = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  let book: Loader<String>
  let pager: Pager<String, String>
  private(set) lazy var upload = effects.task(.keepFirst)
  private(set) lazy var reply = effects.task()
  private lazy var deletion = effects.task()
  private lazy var question = effects.task()
  private(set) lazy var silent = effects.task()
  private lazy var liking = effects.task()
  private let server: Server
  private let file = Kept("")
  let deletedUntil = Kept<Duration?>(nil)
  /// True if the upload was running while the screen was created.
  private(set) var wasUploading = false
  private(set) var seen: [String] = []
  private(set) var arrivals: [String] = []

  init(_ server: Server) {
    self.server = server
    book = Loader(
      effects, cached: { ("cached book", loadedAt: .zero) },
      current: {
        server.log.append("book")
        return "book"
      })
    pager = Pager(
      for: "a", effects, limit: 2,
      cached: { server.hasCache ? (Self.page($0), loadedAt: .zero) : nil },
      current: { request in
        server.log.append("\(request.query) \(request.page)")
        if request.page == server.missing { throw Broken() }
        return Self.page(request)
      })
    upload.onRestart("upload") { [self] in upload(file.value) }
    if upload.isRunning {
      wasUploading = true
      upload("b.txt")
    }
    reply.onRestart("reply") { [output] in output.wasCut.value = true }
    deletion.onRestart("deletion") { [self] in awaitDeletion() }
    question.onRestart("question") { [self] in ask() }
    book.values.observe { [self] in seen.append($0) }
    pager.values.observe { [self] page in
      output.rows.value = pager.items
      arrivals.append("\(page.isFirst ? "first " : "")\(page.items.count)")
    }
    pager.staleSince.observe { [self] in if $0 != nil { arrivals.append("stale") } }
    pager.failures.observe { [self] in arrivals.append("\($0)") }
    output.isLiked.value = server.isLiked
  }

  private static func page(_ request: PageRequest<String>) -> Offstage.Page<String> {
    Offstage.Page(
      (request.offset..<request.offset + 2).map { "\(request.query)\($0)" },
      hasMore: request.page < 9)
  }

  func upload(_ name: String) {
    if !upload.isRunning { file.value = name }
    upload.run { [self] in
      try await effects.sleep(for: .seconds(9))
      seen.append("sent \(name)")
    }
  }

  func ask() {
    question.run { [self] in
      let question = Dialog("Sure?", buttons: [.init("yes", "Yes"), .init("no", "No")])
      seen.append(try await effects.ask(.alert(question)).button)
    }
  }

  func like() {
    liking.optimistic(from: output.isLiked.value, to: true) { [output] in
      output.isLiked.value = $0
    } save: { [server] in
      server.isLiked = $0
    }
  }

  func delete() {
    deletedUntil.value = effects.now + .seconds(5)
    awaitDeletion()
  }

  private func awaitDeletion() {
    deletion.run { [self] in
      try await effects.sleep(for: (deletedUntil.value ?? .zero) - effects.now)
      deletedUntil.value = nil
    }
  }
}
