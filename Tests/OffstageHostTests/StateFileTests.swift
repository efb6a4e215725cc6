import Foundation
import OffstageJSON
import OffstageSystem
import OffstageTesting
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// The file in which a core leaves its state for the next start.
@Suite @CoreActor struct StateFileTests {
  private let directory: TemporaryDirectory
  private var file: URL { directory.file("place/state.json") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func theNextRunStartsWhereTheLastOneEnded() throws {
    let first = try started()
    #expect(try #require(first.core.screen(ScreenID(1))?.part as? TextForm).input.text.value == "")
    (first.core.screen(ScreenID(1))?.part as? TextForm)?.input.text.send("Kim")
    end(first)
    let second = try started()
    #expect((second.core.screen(ScreenID(1))?.part as? TextForm)?.input.text.value == "Kim")
    end(second)
  }

  @Test func onlyTheUserCanReadTheFile() throws {
    end(try started())
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test(arguments: ["", "{\"version\":2", "[]", "{\"version\":3}", foreign, "\u{0}\u{FF}"])
  func aFileThatCannotBeUsedIsKeptAside(_ text: String) throws {
    end(try started())
    try Data(text.utf8).write(to: file)
    let session = try started()
    #expect((session.core.screen(ScreenID(1))?.part as? TextForm)?.input.text.value == "")
    #expect(
      try String(contentsOf: directory.file("place/state.json.rejected"), encoding: .utf8) == text)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    end(session)
  }

  private nonisolated static let foreign = #"{"version":2,"app":{"name":"other","version":"1"}}"#

  @Test func aRunThatShowedNothingLeavesTheFileAsItIs() throws {
    let first = try started()
    (first.core.screen(ScreenID(1))?.part as? TextForm)?.input.text.send("Kim")
    end(first)
    let before = try Data(contentsOf: file)
    end(try session())
    #expect(try Data(contentsOf: file) == before)
  }

  /// A child has copies of all descriptors until its program runs.
  @Test func aChildThatIsJustStartingDoesNotKeepTheLock() throws {
    let first = open(directory.url.path, O_RDONLY | O_CLOEXEC)
    #expect(tryLock(first))
    let copyOfChild = dup(first)
    defer { close(copyOfChild) }
    unlockAndClose(first)
    let second = open(directory.url.path, O_RDONLY | O_CLOEXEC)
    #expect(tryLock(second))
    unlockAndClose(second)
  }

  private func session() throws -> Session {
    let program = Program("form", version: "1") { _ in
      App(
        root: .stack(Route(TextForm.self)),
        screens: [ScreenFactory(TextForm.self) { _ in TextForm() }])
    }
    return try program.makeSession(
      ["--deterministic", "--state", directory.file("place").path])
  }

  private func started() throws -> Session {
    let session = try session()
    try session.initialize(FrontEnd(locale: session.core.frontEndLocale))
    return session
  }

  private func end(_ session: Session) {
    session.endApp()
    session.detach()
  }
}

private final class TextForm: Screen {
  static let kind = "form"
  struct Input: Ports { let text = Field("") }
  struct Output: Ports { let isEmpty = Out(true) }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() { output.isEmpty.bind(input.text.map(\.isEmpty)) }
}
