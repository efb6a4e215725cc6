import Foundation
import Offstage
import OffstageHost
import OffstageLive

@main enum TrackerApp {
  static let program = Program("tracker", version: "1.0") { environment in
    let folder = environment.keepsData ? URL(filePath: try environment.dataDirectory) : nil
    return app {
      try Store(
        JSONStore(
          folder?.appending(path: "tracker.json"),
          initial: environment.isDeterministic ? sample : Store.Content()),
        SecretStore(service: "tracker", directory: folder?.appending(path: "secrets")))
    }
  }

  static func main() { program.run() }

  /// 45 issues on two days and some day.
  static var sample: Store.Content {
    let issues = (1...45).map { number in
      Issue(
        id: number,
        content: Issue.Content(
          title: "Issue \(number)", due: ["", "2026-01-02", "2026-01-05"][number % 3],
          tags: number % 2 == 0 ? ["home"] : ["work"]),
        isDone: number % 5 == 0, position: Double(number), updatedAt: 1_767_225_600 - number * 60)
    }
    return Store.Content(issues: Dictionary(uniqueKeysWithValues: issues.map { ($0.id, $0) }))
  }

  /// The texts that no name implies.
  private static let words: [String: Label] = [
    "issueList": "Issues", "issueList.rows": "Issues", "issueList.rowToggled": "Done",
    "issueList.rowSwiped": "Delete", "issueEditor": "Issue", "tagPicker": "Tags",
    "tagPicker.selectedCount": "Selected",
    "signIn.canSignIn": Label("Can sign in", description: "You are being signed in."),
    "issueEditor.canSave": Label("Can save", description: "Nothing has changed yet."),
  ]

  @CoreActor
  static func app(_ store: @escaping @CoreActor @Sendable () throws -> Store) -> App {
    App(
      root: .stack(Route(Launch.self)),
      scope: ScreenFactory(AppScope.self) {
        let scope = AppScope(store: try store())
        $0.set(.scope, to: scope)
        return scope
      },
      links: [
        Link("tracker://issue/:id", tab: "issues", to: IssueEditor.self, isPrivate: true)
      ],
      prompts: [
        PromptDescription("file.pick", params: FileTypes.self, answer: PickedFile.self),
        PromptDescription("camera.permission", answer: Bool.self),
        PromptDescription("camera.capture", answer: PickedFile.self),
      ],
      labels: { key, _ in words[key] },
      screens: [
        ScreenFactory(Launch.self) { Launch(try $0[.scope]) },
        ScreenFactory(SignIn.self) { SignIn(try $0[.scope]) },
        ScreenFactory(IssueList.self) { IssueList(try $0[.scope]) },
        ScreenFactory(IssueEditor.self) { IssueEditor($0, try $1[.scope]) },
        ScreenFactory(TagPicker.self) { TagPicker($0, try $1[.scope]) },
        ScreenFactory(Settings.self) { Settings(try $0[.scope]) },
        ScreenFactory(Sync.self) { Sync(try $0[.scope]) },
      ])
  }
}

extension Dependencies.Key<AppScope> { static let scope = Self("scope") }
