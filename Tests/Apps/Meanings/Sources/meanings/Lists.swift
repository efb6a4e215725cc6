import Offstage

/// Roles of members, of what belongs to lists, and of inputs that act on rows.
final class Lists: Screen {
  static let kind = "lists"

  struct Input: Ports {
    let searchText = Field("", roles: .search(in: \Output.finds))
    let reachedEnd = In<Trigger>(.end(of: \Output.guests))
    let guestTapped = In<Int>()
    let starTapped = In<Int>(.row(of: \Output.guests), .shows(\Guest.isStarred))
    let guestSwiped = In<Int>(.destructive)
    let guestMoved = In<Move>()
    let taskTapped = In<String>()
    let doneSwitched = In<String>(.row(of: \Output.tasks))
    let write = In<Trigger>()
  }

  struct Output: Ports {
    let guests = Rows<Guest>()
    let groups = Rows<Group>(.sections(of: \Output.guests))
    let hasMore = Out(true)
    let tasks = Rows<Job>()
    let finds = Rows<Find>()
    let hasNoFinds = Out(false)
    let lines = Rows<Line>()
    let counters = Children<Counter>()
  }

  /// Members whose names say nothing.
  struct Guest: Identifiable, Codable, Equatable, Sendable, SchemaAnnotated {
    let id: Int
    let a: String
    let b: String
    let c: String
    let d: String
    let e: Int
    let f: Int?
    let g: String
    let h: Double
    var isNew = true
    var isStarred = false
    var isAway = false
    let note: String?
    let z: String

    static var meanings: [PartialKeyPath<Self>: Meaning] {
      [
        \.b: .title, \.a: .subtitle, \.c: .picture(.avatar), \.d: .alt, \.e: .badge,
        \.f: [.money("KRW"), .accessory], \.g: .section, \.h: .progress,
        \.isNew: .state(.unread), \.isAway: .state(.disabled), \.z: .hidden,
        \.note: .markdown,
      ]
    }
  }

  struct Group: Identifiable, Codable, Equatable, Sendable {
    let id: String
    let title: String
  }

  /// Members whose names say everything.
  struct Job: Identifiable, Codable, Equatable, Sendable {
    let id: String
    let name: String
    let subtitle: String
    var isDone = false
    var isSelected = false
    let unreadCount: Int
    let progress: Double?
  }

  struct Find: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let word: String
  }

  struct Line: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
    var pieces: [String]
  }

  struct Move: Codable, Sendable {
    let id: Int
    let before: Int?
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    output.groups.reset(to: [Group(id: "x1", title: "Family"), Group(id: "x2", title: "Friends")])
    output.guests.reset(to: (1...3).map(guest))
    output.tasks.reset(to: [
      Job(
        id: "cake", name: "Bake a cake", subtitle: "With cherries", unreadCount: 7, progress: 0.5),
      Job(id: "hall", name: "Book the hall", subtitle: "For sixty", unreadCount: 0, progress: nil),
    ])
    output.lines.reset(to: [Line(id: 1, name: "Kim", pieces: ["Once ", "upon ", "a time"])])
    output.counters.append { Counter(1) }
    input.write.observe { [output] in output.lines.update(1) { $0.pieces.append(" in Seoul") } }
    output.hasNoFinds.derive { [input, output] in
      !input.searchText.value.isEmpty && output.finds.isEmpty
    }
    input.searchText.edits.observe { [output] text in
      let words = ["apple", "apricot", "pear"].enumerated().map { Find(id: $0, word: $1) }
      output.finds.reset(to: words.filter { !text.isEmpty && $0.word.hasPrefix(text) })
    }
    input.reachedEnd.observe { [self] in
      guard output.hasMore.value else { return }
      output.hasMore.value = false
      output.guests.append(guest(4))
    }
    input.guestTapped.observe { [output] in output.guests.update($0) { $0.isNew = false } }
    input.starTapped.observe { [output] in output.guests.update($0) { $0.isStarred.toggle() } }
    input.guestSwiped.observe { [output] in output.guests.remove($0) }
    input.guestMoved.observe { [output] move in
      let others = output.guests.values.map(\.id).filter { $0 != move.id }
      let place = move.before.flatMap { others.firstIndex(of: $0) } ?? others.count
      output.guests.move(move.id, to: place)
    }
    input.taskTapped.observe { [output] in output.tasks.update($0) { $0.isSelected.toggle() } }
    input.doneSwitched.observe { [output] in output.tasks.update($0) { $0.isDone.toggle() } }
  }

  private func guest(_ number: Int) -> Guest {
    Guest(
      id: number, a: "Table \(number)", b: "Guest \(number)", c: "resource:face/\(number).svg",
      d: "The face of guest \(number)", e: 10 + number, f: number == 2 ? nil : number * 12_000,
      g: number == 1 ? "x1" : "x2", h: Double(number) / 4, isAway: number == 3,
      note: number == 1 ? "No **nuts**, see [the list](https://example.com/nuts)" : nil,
      z: "ref-\(number)-9f3a")
  }
}

/// A row with ports of its own.
final class Counter: Part, Identifiable {
  struct Input: Ports {
    let more = In<Trigger>()
    let remove = In<Trigger>()
  }
  struct Output: Ports {
    let name = Out("")
    let count = Out(0, .badge)
    let isDone = Out(false)
  }
  let input = Input(), output = Output(), effects = Effects()
  let id: Int

  init(_ id: Int) {
    self.id = id
    output.name.value = "Counter \(id)"
    output.isDone.derive { [output] in output.count.value >= 3 }
    input.more.observe { [output] in output.count.value += 1 }
    input.remove.observe { [output] in output.count.value = 0 }
  }
}
