@testable import Offstage

extension Rows {
  /// What the window shows.
  var window: RowWindow? { source?.shown }
}

/// A screen with a long list.
final class Long: Screen {
  static let kind = "long"

  struct Item: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var text = ""
    var pieces: [String] = []
  }

  struct Input: Ports { let rowTapped = In<Int>() }
  struct Output: Ports { let rows = Rows<Item>.windowed() }

  let input = Input(), output = Output(), effects = Effects()
  let table: Table

  init(_ table: Table) {
    self.table = table
    output.rows.load(from: table) { error in
      let text = "\(error)"
      return LocalizedText { $0.language == "ko" ? "ko: \(text)" : text }
    }
  }
}

/// A screen with a long list that is read from its end.
final class Diary: Screen {
  static let kind = "diary"

  struct Input: Ports {}
  struct Output: Ports { let rows = Rows<Long.Item>.windowed(fromEnd: true) }

  let input = Input(), output = Output(), effects = Effects()
  let table: Table

  init(_ table: Table) {
    self.table = table
    output.rows.load(from: table)
  }
}

/// Rows that arrive when the gate opens.
@CoreActor
final class Table: RowProvider {
  var rows: [Long.Item]
  let changed = Relay<RowChange>()
  let gate = Gate()
  private(set) var asked: [String] = []
  private(set) var canceled = 0
  var changesWhileReading = false
  private var newest = 0

  init(_ ids: Range<Int>) { rows = ids.map { Long.Item(id: $0) } }

  var changes: Signal<RowChange> { changed.signal }

  func count() async throws -> Int {
    asked.append("count")
    try await gate.pass()
    return rows.count
  }

  func rows(in range: Range<Int>) async throws -> [Long.Item] {
    asked.append("\(range)")
    if changesWhileReading { changed.send(.updated(range)) }
    try await withTaskCancellationHandler {
      try await gate.pass()
    } onCancel: {
      CoreActor.assumeIsolated { canceled += 1 }
    }
    return Array(rows.dropFirst(range.lowerBound).prefix(range.count))
  }

  private func newItem() -> Long.Item {
    newest -= 1
    return Long.Item(id: newest)
  }

  /// Changes the rows, and says so.
  func make(_ change: RowChange) {
    switch change {
    case .inserted(let range):
      rows.insert(
        contentsOf: range.map { _ in newItem() }.reversed(), at: range.lowerBound)
    case .removed(let range): rows.removeSubrange(range)
    case .updated(let range): for index in range { rows[index].text = "new" }
    case .unknown: break
    }
    changed.send(change)
  }
}
