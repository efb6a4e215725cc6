import Offstage
import OffstageLive

/// The issues in a JSON file, and the account as a secret. Tests override methods that should fail.
@CoreActor
class Store {
  struct Content: Codable {
    var issues: [Int: Issue] = [:]
    var theme = Theme.system
  }

  enum Theme: String, Codable, CaseIterable, Sendable {
    case system, light, dark

    /// nil for the appearance of the device.
    var isDark: Bool? { self == .system ? nil : self == .dark }
  }

  /// The new state of each changed issue; nil after a deletion.
  let changes = Relay<(id: Int, issue: Issue?)>()
  /// The address of the user; nil while signed out.
  private(set) var email: String?
  let file: JSONStore<Content>
  private let secrets: SecretStore
  private let effects = Effects()

  /// Create it while the scope is being created.
  init(_ file: JSONStore<Content>, _ secrets: SecretStore) throws {
    self.file = file
    self.secrets = secrets
    email = try secrets.secret("email")
  }

  var content: Content { file.value }

  // MARK: Issues

  /// A page starts after the place of the last issue of the previous page, so that deletions do not
  /// shift it.
  func page(_ request: PageRequest<IssueQuery>) async throws -> Page<Issue> {
    let last = request.cursor.flatMap { Issue.Place($0) }
    let rest = content.issues.values.filter { issue in
      request.query.matches(issue) && last.map { $0 < issue.place } != false
    }
    let page = Array(rest.sorted { $0.isBefore($1) }.prefix(request.limit))
    return Page(page, cursor: rest.count > page.count ? page.last?.place.description : nil)
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
      throw IssueError.titleTaken
    }
    file.update { $0.issues[issue.id] = issue }
    changes.send((issue.id, issue))
  }

  func delete(_ id: Int) async throws {
    _ = try await issue(id)
    file.update { $0.issues[id] = nil }
    changes.send((id, nil))
  }

  func tags() async throws -> [String] {
    Set(content.issues.values.flatMap(\.content.tags)).sorted()
  }

  var openCount: Int { content.issues.values.count { !$0.isDone } }

  // MARK: The account

  func set(_ theme: Theme) async throws { file.update { $0.theme = theme } }

  func signIn(_ email: String, _ password: String) async throws {
    guard password == "secret" else { throw IssueError.wrongPassword }
    try await set(email: email)
  }

  func signOut() async throws { try await set(email: nil) }

  private func set(email: String?) async throws {
    try await effects.offCore { [secrets] in try secrets.set("email", to: email) }
    self.email = email
  }

  /// Pulls one of the four parts of the data from a server.
  func pull(_ part: Int) async throws {}
}
