import Offstage
import OffstageHost

/// A tiny app for measuring the runtime from outside.
@main
enum BenchApp {
  static func main() {
    Program("bench-app", version: "1.0") { _ in
      App(
        root: .stack(Route(Form.self)),
        screens: [
          ScreenFactory(Form.self) { _ in Form() }, ScreenFactory(List.self) { _ in List() },
          ScreenFactory(Draft.self) { _ in Draft() }, ScreenFactory(Page.self) { _ in Page() },
        ])
    }.run()
  }
}

/// A screen with fields, which are part of the state.
final class Draft: Screen {
  static let kind = "draft"

  struct Input: Ports {
    let nameText = Field("")
    let emailText = Field("")
  }

  struct Output: Ports { let greeting = Out("hello ") }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() { output.greeting.bind(input.nameText.map { "hello " + $0 }) }
}

/// A screen that shows another of its kind on top of it.
final class Page: Screen {
  static let kind = "page"

  struct Input: Ports { let next = In<Trigger>() }
  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()

  init() { input.next.observe { [router] in router.push(Page.self) } }
}

/// A screen with two text inputs and two scalar outputs.
final class Form: Screen {
  static let kind = "form"

  struct Input: Ports {
    let nameText = In<String?>()
    let emailText = In<String?>()
  }

  struct Output: Ports {
    let isConfirmEnabled = Out(false)
    let greeting = Out("hello ")
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    output.isConfirmEnabled.bind(
      combineLatest(input.nameText, input.emailText).map {
        $0?.isEmpty == false && $1?.isEmpty == false
      })
    output.greeting.bind(input.nameText.map { "hello " + ($0 ?? "") })
  }
}

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
  }

  struct Output: Ports {
    let rows = Rows<Row>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  private var nextNumber = 0

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
