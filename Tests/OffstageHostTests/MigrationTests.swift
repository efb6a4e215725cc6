import Foundation
import OffstageJSON
import OffstageTesting
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// A state that another version of the app has left, with other names and types.
@Suite(.serialized) @CoreActor struct MigrationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    Memo.migration = nil
    Memo.versions = []
  }

  @Test func whatMigrateChangesComesBack() throws {
    try leaveOldState()
    Memo.migration = migrate
    let (session, log) = try start(newApp, version: "2")
    #expect(log == [])
    #expect(Memo.versions == ["1"])
    #expect(session.core.openScreens.map(\.kind) == ["home", "note"])
    let note = try #require(self.note(in: session))
    #expect(note.output.id.value == 7)
    #expect(note.input.titleText.value == "Draft")
    #expect(note.input.titleText.isDirty)
    #expect(note.words.value == ["a", "b"])
    #expect(note.output.lines.values.map(\.input.titleText.value) == ["Milk", ""])
    #expect(note.output.author.value?.input.titleText.value == "Mina")
    end(session)
    // What this build leaves is its own.
    let (again, _) = try start(newApp, version: "2")
    #expect(Memo.versions == ["1"])
    #expect(self.note(in: again)?.input.titleText.value == "Draft")
    end(again)
  }

  /// As while the app is being written, when its version stays.
  @Test func otherPortsOfTheSameVersionAreAnotherBuild() throws {
    try leaveOldState()
    Memo.migration = migrate
    let (session, _) = try start(newApp, version: "1")
    #expect(Memo.versions == ["1"])
    #expect(note(in: session)?.input.titleText.value == "Draft")
    end(session)
  }

  /// As when only a private value has another name.
  @Test func anotherVersionWithTheSamePortsIsAnotherBuild() throws {
    end(try start(newApp, version: "1", opensNote: true).session)
    Memo.migration = { _ in }
    end(try start(newApp, version: "2").session)
    #expect(Memo.versions == ["1"])
  }

  @Test func withoutMigrateTheScreenIsLeftOut() throws {
    try leaveOldState()
    try expectLeftOut("with this argument: expected object")
  }

  @Test func aMigrationThatThrowsLeavesTheScreenOut() throws {
    try leaveOldState()
    Memo.migration = { _ in throw Broken() }
    try expectLeftOut("Broken()")
  }

  @Test func aMigrationOfAnotherTypeLeavesTheScreenOut() throws {
    try leaveOldState()
    Memo.migration = { try $0.changeArgument { (id: Int) in id } }
    try expectLeftOut("expected integer, found string")
  }

  @Test func aMigrationToNonsenseLeavesTheScreenOut() throws {
    try leaveOldState()
    Memo.migration = { try $0.changeArgument { (id: String) in [id] } }
    try expectLeftOut("with this argument: expected object")
  }

  @Test func aValueThatDoesNotDecodeIsLeftOutAlone() throws {
    try leaveOldState()
    Memo.migration = { screen in
      try migrate(&screen)
      try screen.change("words") { (words: [String]) in words.count }
    }
    let (session, log) = try start(newApp, version: "2")
    #expect(log.count == 1)
    #expect(log.first?.contains("a kept value of \"note\" has not come back") == true)
    #expect(note(in: session)?.words.value == [])
    #expect(note(in: session)?.input.titleText.value == "Draft")
    end(session)
  }

  /// A queued screen has an argument, too.
  @Test func queuedScreensAreMigrated() throws {
    try leaveOldState { $0.router.enqueue(Route(OldMemo.self, "8")) }
    let core = try TestCore(newApp, startingFrom: oldState())
    #expect(core.log.count == 2, "the screen and the queued one")
    #expect(core.kinds == ["home"])
    Memo.migration = migrate
    let (session, log) = try start(newApp, version: "2")
    #expect(log == [])
    #expect(session.core.enqueued.map(\.route.argument) == [["id": 8]])
    end(session)
  }

  @Test func theScopeIsMigrated() throws {
    try leaveOldState()
    let (session, log) = try start(newApp, version: "2")
    #expect((session.core.scope?.part as? NewScope)?.token.value == "abc")
    #expect(log.count == 1)
    end(session)
  }

  @Test func aTestStartsFromTheFileOfARelease() throws {
    try leaveOldState()
    Memo.migration = migrate
    let core = try TestCore(newApp, startingFrom: oldState())
    #expect(core.log == [])
    #expect(core.screen(Memo.self)?.input.titleText.value == "Draft")
    for text in ["", "[]", "{}", #"{"state":{}}"#] {
      #expect(throws: (any Error).self) { try TestCore(newApp, startingFrom: text) }
    }
  }

  // MARK: Support

  private struct Broken: Error {}

  private func migrate(_ screen: inout SavedScreen) throws {
    try screen.changeArgument { (id: String) in Memo.Argument(id: try #require(Int(id))) }
    screen.rename("fields/nameText", to: "fields/titleText")
    try screen.change("fields/titleText") { (name: String) in name.capitalized }
    screen.rename("query", to: "words")
    try screen.change("words") { (query: String) in query.split(separator: " ").map(String.init) }
    screen.rename("unknown", to: "other")
    for output in ["output/lines", "output/author", "output/unknown"] {
      screen.changeParts(of: output) { $0.rename("fields/text", to: "fields/titleText") }
    }
  }

  /// The screen is left out with one line in the log, and what it stood on is shown.
  private func expectLeftOut(_ reason: String) throws {
    let (session, log) = try start(newApp, version: "2")
    #expect(log.count == 1)
    #expect(log.first?.hasPrefix("the screen \"note\" has not come back after the restart") == true)
    #expect(log.first?.contains(reason) == true, "\(log)")
    #expect(session.core.openScreens.map(\.kind) == ["home"])
    #expect(session.core.navigation.visibleScreen == ScreenID(1))
    end(session)
  }

  private func leaveOldState(_ action: (OldMemo) throws -> Void = { _ in }) throws {
    let app = App(
      root: .stack(Route(Home.self)), scope: ScreenFactory(OldScope.self) { _ in OldScope() },
      screens: [
        ScreenFactory(Home.self) { _ in Home() }, ScreenFactory(OldMemo.self) { _, _ in OldMemo() },
      ])
    let (session, _) = try start(app, version: "1")
    let home = try #require(session.core.openScreens.first?.part as? Home)
    home.router.push(OldMemo.self, "7")
    let note = try #require(session.core.openScreens.last?.part as? OldMemo)
    note.input.nameText.send("draft")
    note.query.value = "a b"
    note.output.lines[1]?.input.text.send("Milk")
    note.output.author.value?.input.text.send("Mina")
    try action(note)
    end(session)
  }

  private var newApp: App {
    App(
      root: .stack(Route(Home.self)), scope: ScreenFactory(NewScope.self) { _ in NewScope() },
      screens: [
        ScreenFactory(Home.self) { _ in Home() }, ScreenFactory(Memo.self) { a, _ in Memo(a) },
      ])
  }

  private func start(
    _ app: App, version: String, opensNote: Bool = false
  ) throws -> (session: Session, log: [String]) {
    let program = Program("notes", version: version) { _ in app }
    let session = try program.makeSession(["--deterministic", "--state", path])
    var log: [String] = []
    session.core.onLog = { log.append($0.message) }
    try session.initialize(FrontEnd(locale: session.core.frontEndLocale))
    if opensNote {
      (session.core.openScreens.first?.part as? Home)?.router.push(Memo.self, .init(id: 1))
    }
    return (session, log)
  }

  private var path: String { directory.file("place").path }

  private func oldState() throws -> String {
    try String(contentsOf: directory.file("place/state.json"), encoding: .utf8)
  }

  private func note(in session: Session) -> Memo? {
    session.core.openScreens.last?.part as? Memo
  }

  private func end(_ session: Session) {
    session.endApp()
    session.detach()
  }
}

private final class Home: Screen {
  static let kind = "home"
  struct Input: Ports {}
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects(), router = Router()
}

private final class OldMemo: Screen {
  static let kind = "note"
  typealias Argument = String
  struct Input: Ports { let nameText = Field("") }
  struct Output: Ports {
    let lines = Children<OldPart>()
    let author = Child<OldPart>()
  }
  let input = Input(), output = Output(), effects = Effects(), router = Router()
  let query = Kept("")

  init() {
    for id in 1...2 { output.lines.append { OldPart(id) } }
    output.author.show { OldPart(0) }
  }
}

private final class OldPart: Part, Identifiable {
  struct Input: Ports { let text = Field("") }
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
  let id: Int

  init(_ id: Int) { self.id = id }
}

private final class Memo: Screen {
  static let kind = "note"
  struct Argument: Codable, Sendable { var id: Int }
  struct Input: Ports { let titleText = Field("") }
  struct Output: Ports {
    let id = Out(0)
    let lines = Children<NewPart>()
    let author = Child<NewPart>()
  }
  let input = Input(), output = Output(), effects = Effects(), router = Router()
  let words = Kept<[String]>([])

  static var migration: ((inout SavedScreen) throws -> Void)?
  /// The versions from which it has migrated.
  static var versions: [String] = []

  init(_ argument: Argument) {
    output.id.value = argument.id
    for id in 1...2 { output.lines.append { NewPart(id) } }
    output.author.show { NewPart(0) }
  }

  static func migrate(_ screen: inout SavedScreen, from version: String) throws {
    guard let migration else { return }
    versions.append(version)
    try migration(&screen)
  }
}

private final class NewPart: Part, Identifiable {
  struct Input: Ports { let titleText = Field("") }
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
  let id: Int

  init(_ id: Int) { self.id = id }
}

private final class OldScope: Scope {
  struct Input: Ports {}
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
  let session = Kept("")

  init() { session.value = "abc" }
}

private final class NewScope: Scope {
  struct Input: Ports {}
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
  let token = Kept("")

  static func migrate(_ screen: inout SavedScreen, from version: String) {
    screen.rename("session", to: "token")
  }
}
