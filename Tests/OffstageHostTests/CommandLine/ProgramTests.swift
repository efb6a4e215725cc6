import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct ProgramTests {
  @Test(arguments: [
    ([], false, "A"), (["--deterministic"], true, "A"),
    (["--title", "Desk", "--deterministic"], true, "Desk"),
  ])
  func composesTheAppOfTheCommandLine(words: [String], isVirtual: Bool, title: String) throws {
    let session = try Desk.program.makeSession(words)
    #expect(session.core.clock.isVirtual == isVirtual)
    #expect(session.core.app.root.tabs.first?.title == title)
  }

  @Test func startsWhereItIsTold() async throws {
    for root in ["desk", "desk {}"] {
      let talk = try await Conversation(["--deterministic", "--root", root])
      #expect(talk.session.core.kinds == ["desk"])
    }
    let session = try Desk.program.makeSession(["--root", #"broken {"id":1}"#])
    #expect(session.core.app.root.route == Route(Broken.self, .init(id: 1)))
  }

  @Test(arguments: [
    (["--root", "nowhere"], "there are broken, desk"), (["--root", ""], "needs a value"),
    (["--root", "desk {"], "no JSON"), (["--max-line", "63"], "--max-line"),
    (["--max-depth", "3"], "--max-depth"), (["--nothing"], "--nothing"),
  ])
  func refuses(words: [String], complaint: String) {
    let error = #expect(throws: UsageError.self) {
      try Desk.program.makeSession(words)
    }
    #expect(error?.description.contains(complaint) == true, "\(error as Any)")
  }

  @Test func theHelpNamesEveryOption() {
    let help = Desk.program.help
    for option in Program.standardOptions + Desk.program.options {
      #expect(help.contains("--\(option.name) ") || help.contains("--\(option.name)\n"))
      #expect(help.contains(option.help))
    }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}

extension Core {
  fileprivate var kinds: [String] { screens.values.map(\.kind) }
}

extension App.Root {
  fileprivate var route: Route? {
    if case .stack(let route) = self { route } else { nil }
  }

  fileprivate var tabs: [Tab] {
    if case .tabs(let tabs) = self { tabs } else { [] }
  }
}
