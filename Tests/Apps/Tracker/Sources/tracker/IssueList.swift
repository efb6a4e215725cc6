import Offstage
import OffstageWords

/// The issues that match a filter and a search, by day.
final class IssueList: Screen {
  static let kind = "issueList"

  struct Input: Ports {
    let filterPicked = Field(IssueQuery.Filter.active)
    let searchText = Field("")
    let reachedEnd = In<Trigger>(.end(of: \Output.rows))
    let refresh = In<Trigger>()
    let retry = In<Trigger>()
    let rowTapped = In<Int>()
    let rowToggled = In<Int>()
    let rowSwiped = In<Int>(.destructive)
    let rowMoved = In<Move>()
    let undo = In<Trigger>()
    let add = In<Trigger>()
    let syncTapped = In<Trigger>()
  }

  struct Output: Ports {
    let sections = Rows<Section>()
    let rows = Rows<Row>()
    let isLoading = Out(false)
    let isRefreshing = Out(false)
    let hasMore = Out(true)
    let emptyText = Out<String?>(nil, .empty(of: \Output.rows))
    let undoText = Out<String?>(nil, .notice(actions: \Input.undo))
    let failure = Event<String>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let scope: AppScope
  private let router = Router()
  private let pager: Pager<IssueQuery, Issue>
  /// The loaded issues.
  private let issues = Rows<Issue>()
  /// The issue whose deletion can be undone.
  private let swiped = Kept<Swiped?>(nil)
  private let minute = Out(0)
  private let display = Display()
  private lazy var saving = effects.task()
  private lazy var undoPeriod = effects.task()

  init(_ scope: AppScope) {
    self.scope = scope
    pager = Pager(for: IssueQuery(), effects, limit: 20) { try await scope.store.page($0) }
    bindPages()
    bindRows()
    scope.store.changes.observe { [self] in apply($1, to: $0) }
    effects.onClose { [self] in deleteSwiped() }
  }

  // MARK: The list

  private func bindPages() {
    output.isLoading.bind(pager.isLoading)
    combineLatest(
      input.filterPicked.removeDuplicates(),
      input.searchText.debounce(.milliseconds(300)).removeDuplicates()
    ).observe { [pager] in
      let query = IssueQuery(filter: $0, text: $1)
      // After a restart, the pager loads by itself what it had loaded.
      if query != pager.query || !pager.isLoaded { pager.reload(with: query) }
    }
    pager.values.observe { [self] page in
      output.isRefreshing.value = false
      output.hasMore.value = pager.hasMore
      if page.isFirst { issues.removeAll() }
      issues.append(contentsOf: page.items)
    }
    pager.failures.observe { [output] in
      output.isRefreshing.value = false
      output.failure.send("\($0)")
    }
    input.reachedEnd.observe { [self] in pager.loadNext() }
    input.retry.observe { [self] in pager.retry() }
    input.refresh.observe { [self] in
      output.isRefreshing.value = true
      pager.reload()
    }
  }

  /// Shows a change from any screen.
  private func apply(_ issue: Issue?, to id: Int) {
    if issue == nil { issues.remove(id) }
    guard let issue, issues[id] != nil || pager.query.matches(issue) else { return }
    // Issues after the last one come with the next page.
    let isLoaded = !pager.hasMore || pager.items.last.map { issue.isBefore($0) } == true
    if isLoaded || issues[id] != nil { issues.append(issue) }
  }

  // MARK: Rows

  private func bindRows() {
    output.rows.derive(
      from: issues, where: { [swiped] in $0.id != swiped.value?.issue.id },
      sortedBy: { $0.isBefore($1) },
      map: { [minute, display] in
        Row(
          id: $0.id, title: $0.content.title, isDone: $0.isDone, section: $0.section,
          tags: $0.content.tags,
          updated: Times(display.locale).past($0.updatedAt, now: minute.value * 60))
      })
    output.sections.derive { [output] in Section.all(of: output.rows.values) }
    output.emptyText.derive { [output] in
      output.rows.isEmpty && !output.hasMore.value ? "Nothing to do!" : nil
    }
    minute.value = scope.now / 60
    effects.every(.seconds(1)) { [self] in minute.value = scope.now / 60 }
    output.undoText.derive { [swiped] in swiped.value.map { "Deleted \($0.issue.content.title)" } }
    input.add.observe { [router] in router.push(IssueEditor.self, .init(id: nil)) }
    input.rowTapped.observe { [router] in router.push(IssueEditor.self, .init(id: $0)) }
    input.syncTapped.observe { [router] in router.present(Sync.self, as: .sheet([.medium])) }
    input.rowToggled.observe { [self] in save($0) { $0.isDone.toggle() } }
    input.rowMoved.observe { [self] in move($0) }
    input.rowSwiped.observe { [self] in swipe($0) }
    input.undo.observe { [swiped] in swiped.value = nil }
    undoPeriod.onRestart("undo") { [self] in
      // The end of the app deletes the issue, but a kill does not.
      if let id = swiped.value?.issue.id, scope.store.content.issues[id] == nil {
        swiped.value = nil
      }
      awaitDeletion()
    }
  }

  /// Shows a change at once, and rolls it back if it cannot be saved.
  private func save(_ id: Int, _ change: (inout Issue) -> Void) {
    guard let issue = issues[id] else { return }
    var changed = issue
    change(&changed)
    changed.updatedAt = scope.now
    saving[id].optimistic(
      from: issue, to: changed,
      show: { [issues] issue in issues.update(id) { $0 = issue } },
      save: { [scope] in try await scope.store.save($0) }, catch: { [scope] in scope.show($0) })
  }

  private func move(_ move: Move) {
    let others = output.rows.values.filter { $0.id != move.id }.compactMap { issues[$0.id] }
    let index = others.firstIndex { $0.id == move.before } ?? others.count
    let below = index < others.count ? others[index] : nil
    guard let day = (below ?? others.last)?.content.due else { return }
    let above = others[..<index].last.flatMap { $0.content.due == day ? $0 : nil }
    save(move.id) {
      $0.content.due = day
      let low = above?.position ?? (below?.position ?? 1) - 2
      $0.position = (low + (below?.position ?? low + 2)) / 2
    }
  }

  // MARK: Undo

  private func swipe(_ id: Int) {
    deleteSwiped()
    guard let issue = issues[id] else { return }
    swiped.value = Swiped(issue: issue, until: effects.now + .seconds(5))
    awaitDeletion()
  }

  private func awaitDeletion() {
    guard let swiped = swiped.value else { return }
    undoPeriod.run { [self] in
      try await effects.sleep(for: swiped.until - effects.now)
      deleteSwiped()
    }
  }

  /// Deletes the issue for good, even if the list closes before the undo period ends.
  private func deleteSwiped() {
    guard let issue = swiped.value?.issue else { return }
    issues.remove(issue.id)
    swiped.value = nil
    effects.run(outlivesScreen: true) { [scope] in
      try await scope.store.delete(issue.id)
    } catch: { [issues, scope] in
      issues.append(issue)
      scope.show($0)
    }
  }
}

extension IssueList {
  struct Row: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    let title: String
    let isDone: Bool
    /// The id of the row's section.
    let section: String
    let tags: [String]
    /// When it was changed.
    let updated: String
  }

  struct Section: Identifiable, Codable, Hashable, Sendable {
    let id: String
    let title: String
    let count: Int

    static func all(of rows: [Row]) -> [Self] {
      Dictionary(grouping: rows, by: \.section).sorted { $0.key < $1.key }.map {
        Self(id: $0, title: $0 == Issue.someDay ? "Some day" : $0, count: $1.count)
      }
    }
  }

  private struct Swiped: Codable, Sendable {
    let issue: Issue
    /// When the deletion becomes final.
    let until: Duration
  }

  struct Move: Codable, Sendable {
    let id: Int
    /// The row below the new place; nil for the end.
    let before: Int?
  }
}
