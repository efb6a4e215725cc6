import Foundation
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// Who says after a restart that a screen is on display: the core if the front end goes on showing it,
/// and otherwise the front end.
@Suite @CoreActor struct AppearanceTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let (session, lamp) = try start(resuming: false)
    lamp.input.didAppear.send()
    lamp.output.header.value?.input.didAppear.send()
    lamp.input.open.send()
    lamp.output.footer.value?.input.didAppear.send()
    #expect(lamp.appearances == ["lamp", "header", "footer"])
    end(session)
  }

  @Test func theCoreDoesForAFrontEndThatResumes() throws {
    let (session, lamp) = try start(resuming: true)
    #expect(lamp.appearances == ["lamp", "header"])
    end(session)
  }

  @Test func anotherFrontEndDoesByItself() throws {
    let (session, lamp) = try start(resuming: false)
    #expect(lamp.appearances == [])
    end(session)
  }

  /// The document that the front end got after the restart lacks the part, so it is new to it.
  @Test func theFrontEndDoesForAPartThatComesLater() throws {
    let (session, lamp) = try start(resuming: true)
    lamp.input.open.send()
    #expect(lamp.output.footer.value != nil)
    #expect(lamp.appearances == ["lamp", "header"])
    end(session)
  }

  private func start(resuming resumes: Bool) throws -> (session: Session, lamp: Lamp) {
    let program = Program("lamp", version: "1") { _ in
      App(root: .stack(Route(Lamp.self)), screens: [ScreenFactory(Lamp.self) { _ in Lamp() }])
    }
    let session = try program.makeSession(
      ["--deterministic", "--state", directory.file("place").path])
    try session.initialize(
      FrontEnd(locale: session.core.frontEndLocale),
      resuming: resumes ? Resumption(session: "0", revision: 1) : nil)
    return (session, try #require(session.core.openScreens.first?.part as? Lamp))
  }

  private func end(_ session: Session) {
    session.endApp()
    session.detach()
  }
}

private final class Lamp: Screen {
  static let kind = "lamp"
  struct Input: Ports {
    let didAppear = In<Trigger>()
    let open = In<Trigger>()
  }
  struct Output: Ports {
    let header = Child<Bulb>()
    let footer = Child<Bulb>()
  }
  let input = Input(), output = Output(), effects = Effects()
  private(set) var appearances: [String] = []

  init() {
    input.didAppear.observe { [self] in appearances.append("lamp") }
    input.open.observe { [self] in output.footer.show { bulb("footer") } }
    output.header.show { bulb("header") }
  }

  private func bulb(_ name: String) -> Bulb { Bulb { [self] in appearances.append(name) } }
}

private final class Bulb: Part {
  struct Input: Ports { let didAppear = In<Trigger>() }
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()

  init(_ appeared: @escaping () -> Void) { input.didAppear.observe { appeared() } }
}
