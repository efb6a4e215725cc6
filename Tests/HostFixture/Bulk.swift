import Offstage

/// A screen that says as much at once as one asks for.
final class Bulk: Screen {
  static let kind = "bulk"

  struct Argument: Codable, Sendable {
    /// How many bytes are said at the start.
    let size: Int
  }

  struct Input: Ports {
    let sizeChosen = In<Int>()
  }

  struct Output: Ports {
    let text = Out("")
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ argument: Argument) {
    output.text.value = Self.text(argument.size)
    input.sizeChosen.observe { [output] size in output.text.value = Self.text(size) }
  }

  private static func text(_ size: Int) -> String { String(repeating: "x", count: max(size, 0)) }
}
