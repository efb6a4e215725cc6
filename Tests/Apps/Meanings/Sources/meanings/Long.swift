import Offstage

/// A list that is longer than anybody looks at: a million rows, and what happens to them.
final class Long: Screen {
  static let kind = "long"

  struct Input: Ports {
    let numberTapped = In<Int>()
    let addTwo = In<Trigger>()
    let breakDown = In<Trigger>()
  }

  struct Output: Ports {
    let numbers = Rows<Number>.windowed()
    let opened = Out<Int?>(nil)
  }

  struct Number: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
    let square: Int
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    let numbers = Numbers()
    output.numbers.load(from: numbers)
    input.numberTapped.observe { [output] in output.opened.value = $0 }
    input.addTwo.observe { numbers.addTwo() }
    input.breakDown.observe { numbers.failures = 1 }
  }
}

/// Numbers from 0 on, and new ones before them.
@CoreActor
private final class Numbers: RowProvider {
  /// The first of the numbers, which is negative once new ones were added.
  private var lowest = 0
  /// The number of queries that will fail.
  var failures = 0
  private let changed = Relay<RowChange>()

  var changes: Signal<RowChange> { changed.signal }

  func count() async throws -> Int { 1_000_000 - lowest }

  func rows(in range: Range<Int>) async throws -> [Long.Number] {
    if failures > 0 {
      failures -= 1
      throw Broken()
    }
    return range.map { position in
      let number = lowest + position
      return Long.Number(id: number, name: "Number \(number)", square: number * number)
    }
  }

  func addTwo() {
    lowest -= 2
    changed.send(.inserted(0..<2))
  }

  private struct Broken: Error, CustomStringConvertible {
    let description = "The numbers are out."
  }
}
