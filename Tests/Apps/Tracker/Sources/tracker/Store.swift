import Foundation
import Offstage

/// The issues and the account, in a JSON file or only in memory. Tests override methods that should
/// fail.
@CoreActor
class Store {
  struct Content: Codable {
    var issues: [Int: Issue] = [:]
    var theme = Theme.system
    /// nil while signed out.
    var email: String?
  }

  enum Theme: String, Codable, CaseIterable, Sendable { case system, light, dark }

  /// The new state of each changed issue; nil after a deletion.
  let changes = Relay<(id: Int, issue: Issue?)>()
  private(set) var content: Content
  private let file: URL?

  init(file: URL?, _ initial: Content = Content()) throws {
    self.file = file
    let isThere = file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    content =
      isThere ? try JSONDecoder().decode(Content.self, from: Data(contentsOf: file!)) : initial
  }

  private func update(_ change: (inout Content) -> Void) throws {
    var new = content
    change(&new)
    try file.map { try JSONEncoder().encode(new).write(to: $0, options: .atomic) }
    content = new
  }

  // MARK: Issues

  /// - Parameter last: the last issue of the previous page; nil for the first page.
  func page(_ query: IssueQuery, after last: Issue?, limit: Int) async throws -> Page<Issue> {
    let rest = content.issues.values.filter { issue in
      query.matches(issue) && last.map { $0.isBefore(issue) } != false
    }
    return Page(Array(rest.sorted { $0.isBefore($1) }.prefix(limit)), hasMore: rest.count > limit)
  }

  func issue(_ id: Int) async throws -> Issue {
    guard let issue = content.issues[id] else { throw IssueError.notFound }
    return issue
  }

  /// Saves an issue. The id 0 means a new issue.
  func save(_ issue: Issue) async throws {
    var issue = issue
    if issue.id == 0 {
      let id = (content.issues.keys.max() ?? 0) + 1
      issue = Issue(
        id: id, content: issue.content, position: Double(id), updatedAt: issue.updatedAt)
    }
    let others = content.issues.values.filter { $0.id != issue.id }
    guard !others.contains(where: { $0.content.title == issue.content.title }) else {
      throw Rejection([\Issue.Content.title: "Another issue has this title."])
    }
    try update { $0.issues[issue.id] = issue }
    changes.send((issue.id, issue))
  }

  func delete(_ id: Int) async throws {
    _ = try await issue(id)
    try update { $0.issues[id] = nil }
    changes.send((id, nil))
  }

  func tags() async throws -> [String] {
    Set(content.issues.values.flatMap(\.content.tags)).sorted()
  }

  var openCount: Int { content.issues.values.count { !$0.isDone } }

  // MARK: The account

  func set(_ theme: Theme) async throws { try update { $0.theme = theme } }

  func signIn(_ email: String, _ password: String) async throws {
    guard password == "secret" else { throw IssueError.wrongPassword }
    try update { $0.email = email }
  }

  func signOut() throws { try update { $0.email = nil } }

  /// Pulls one of the four parts of the data from a server.
  func pull(_ part: Int) async throws {}
}
