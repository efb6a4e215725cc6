import Foundation
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

  /// - Parameter folder: Where the store keeps its data over a restart; nil to begin with the sample
  ///   again.
  init(_ error: IssueError? = nil, in folder: Folder? = nil) async throws {
    let core = TestCore(
      TrackerApp.app { try FailingStore(error, folder?.url) },
      capabilities: ["file.pick", "camera.permission"])
    try core.start()
    try await self.init(core)
  }

  private init(_ core: TestCore) async throws {
    self.core = core
    store = try #require(core.scope(AppScope.self)).store
    await core.advance(by: .milliseconds(300))
    list = try #require(core.screen(IssueList.self))
  }

  /// Kills the app, and starts it where it was.
  func restarted() async throws -> Stage {
    let restarted = core.restarted()
    await restarted.settle()
    return try await Stage(restarted)
  }

  static func signedOutStore() throws -> Store {
    try Store(
      JSONStore(nil, initial: TrackerApp.sample), SecretStore(service: "tracker", directory: nil))
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

  init(_ error: IssueError?, _ folder: URL?) throws {
    self.error = error
    let secrets = SecretStore(service: "tracker", directory: folder)
    let file = folder?.appending(path: "tracker.json")
    if folder.map({ !FileManager.default.fileExists(atPath: $0.path) }) != false {
      try secrets.set("email", to: "kim@example.com")
    }
    try super.init(JSONStore(file, initial: TrackerApp.sample), secrets)
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

/// A folder that is removed with this object.
final class Folder {
  /// Does not exist yet.
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  deinit { try? FileManager.default.removeItem(at: url) }
}
