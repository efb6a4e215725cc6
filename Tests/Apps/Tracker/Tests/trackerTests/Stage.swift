import Offstage
import OffstageLive
import OffstageTesting
import Testing

@testable import tracker

typealias Issue = tracker.Issue

/// The app with a signed-in user who sees the list.
@CoreActor
struct Stage {
  let core: TestCore
  let store: Store
  let list: IssueList

  init(_ error: IssueError? = nil) async throws {
    core = TestCore(
      TrackerApp.app { try FailingStore(error) }, capabilities: ["file.pick", "camera.permission"])
    store = try #require(core.scope(AppScope.self)).store
    try core.start()
    await core.advance(by: .milliseconds(300))
    list = try #require(core.screen(IssueList.self))
  }

  var ids: [Int] { list.output.rows.values.map(\.id) }

  func openEditor(of id: Int) async throws -> IssueEditor {
    list.input.rowTapped.send(id)
    await core.settle()
    return try #require(core.screen(IssueEditor.self))
  }
}

/// A store whose saves and deletions throw an error, if it has one.
@CoreActor
private final class FailingStore: Store {
  private let error: IssueError?

  init(_ error: IssueError?) throws {
    self.error = error
    let secrets = SecretStore(service: "tracker", directory: nil)
    try secrets.set("email", to: "kim@example.com")
    try super.init(JSONStore(nil, initial: TrackerApp.sample), secrets)
  }

  override func save(_ issue: Issue) async throws {
    if let error { throw error }
    try await super.save(issue)
  }

  override func delete(_ id: Int) async throws {
    if let error { throw error }
    try await super.delete(id)
  }
}
