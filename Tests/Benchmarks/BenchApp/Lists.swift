import Offstage

/// A list of any length, with every kind of list edit.
final class List: Screen {
  static let kind = "rows"

  struct Row: Identifiable, Codable, Hashable, Sendable {
    let id: String
    var title: String
    var subtitle: String
    var isFavorite: Bool

    init(_ number: Int) {
      id = "r\(number)"
      title = "Title \(number)"
      subtitle = "Subtitle of row \(number)"
      isFavorite = number.isMultiple(of: 7)
    }
  }

  struct Input: Ports {
    let fill = In<Int>()
    let touch = In<String>(.row(of: \Output.rows))
    let append = In<Int>()
    let insertFront = In<Trigger>()
    let moveLastToFront = In<Trigger>()
    let removeFirst = In<Trigger>()
    let shuffle = In<Int>()
    let prepare = In<Int>()
    let resetToPrepared = In<Trigger>()
    let appendPrepared = In<Trigger>()
    let removeAll = In<Trigger>()
  }

  struct Output: Ports {
    let rows = Rows<Row>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  private var nextNumber = 0
  /// Rows that are made before the clock starts.
  private var prepared: [Row] = []

  init() {
    let rows = output.rows
    input.fill.observe { [self] count in
      nextNumber = 0
      rows.reset(to: make(count))
    }
    input.touch.observe { id in rows.update(id) { $0.title += "!" } }
    input.append.observe { [self] count in rows.append(contentsOf: make(count)) }
    input.insertFront.observe { [self] in
      for row in make(1) { rows.insert(row, at: 0) }
    }
    input.moveLastToFront.observe {
      if !rows.isEmpty { rows.move(rows.row(at: rows.count - 1).id, to: 0) }
    }
    input.removeFirst.observe {
      if !rows.isEmpty { rows.remove(rows.row(at: 0).id) }
    }
    input.prepare.observe { [self] count in prepared = make(count) }
    input.resetToPrepared.observe { [self] in rows.reset(to: prepared) }
    input.appendPrepared.observe { [self] in rows.append(contentsOf: prepared) }
    input.removeAll.observe { rows.removeAll() }
    input.shuffle.observe { seed in
      var random = Xorshift(seed: seed)
      rows.reset(to: rows.values.shuffled(using: &random))
    }
  }

  /// Creates at most a million rows at once: no benchmark needs more, and memory is limited.
  private func make(_ count: Int) -> [Row] {
    let count = min(max(count, 0), 1_000_000)
    defer { nextNumber += count }
    return (nextNumber..<nextNumber + count).map { Row($0) }
  }
}

/// A generator for the same shuffle in every run with the same seed.
private struct Xorshift: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// A list of pieces, and a text, that grow at their ends.
final class Growing: Screen {
  static let kind = "growing"

  struct Message: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    var pieces: [String] = []
  }

  struct Input: Ports {
    let piece = In<String>()
    let words = In<String>()
  }
  struct Output: Ports {
    let messages = Rows<Message>()
    let text = Out("")
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    let messages = output.messages
    messages.append(Message(id: 1))
    input.piece.observe { messages.append($0, to: \.pieces, of: 1) }
    input.words.observe { [output] in output.text.append($0) }
  }
}

/// Rows that are made when they are asked for.
struct Numbers: RowProvider {
  let total: Int

  func count() -> Int { total }
  func rows(in range: Range<Int>) -> [List.Row] { range.map { List.Row($0) } }
}

/// A window of a list of any length.
final class LongList: Screen {
  static let kind = "window"

  struct Argument: Codable, Sendable { let total: Int }
  struct Input: Ports {}
  struct Output: Ports { let rows = Rows<List.Row>.windowed() }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ argument: Argument) { output.rows.load(from: Numbers(total: argument.total)) }
}
