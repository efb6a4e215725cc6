import Offstage

/// A long list that is read from its end: what is added comes below.
final class Diary: Screen {
  static let kind = "diary"

  struct Input: Ports { let addEntry = In<Trigger>() }
  struct Output: Ports { let entries = Rows<Entry>.windowed(fromEnd: true) }

  struct Entry: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    let entries = Entries()
    output.entries.load(from: entries)
    input.addEntry.observe { entries.add() }
  }
}

@CoreActor
private final class Entries: RowProvider {
  private var total = 10_000
  private let changed = Relay<RowChange>()

  var changes: Signal<RowChange> { changed.signal }

  func count() async throws -> Int { total }

  func rows(in range: Range<Int>) async throws -> [Diary.Entry] {
    range.map { Diary.Entry(id: $0 + 1, name: "Day \($0 + 1)") }
  }

  func add() {
    total += 1
    changed.send(.inserted(total - 1..<total))
  }
}
