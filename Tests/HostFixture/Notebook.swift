import Foundation
import Offstage
import OffstageLive

/// A screen that keeps its notes in a JSON file.
final class Notebook: Screen {
  static let kind = "notebook"

  struct Argument: Codable, Sendable {
    /// The path of the file.
    let file: String
    /// The time from a change to its write, in milliseconds.
    let delay: Int
  }

  /// A number, and 100,000 characters that follow from it.
  struct Note: Codable, Hashable, Sendable {
    var number = 0
    var text = ""

    init(_ number: Int) {
      self.number = number
      text = String(repeating: "\(number % 10)", count: number == 0 ? 0 : 100_000)
    }
  }

  struct Input: Ports {
    /// Changes the note to this number.
    let number = In<Int>()
    /// Changes and saves it without end.
    let fillTapped = In<Trigger>()
  }

  struct Output: Ports {
    /// The number of the note that was read or saved last.
    let saved = Out(0)
    let failure = Out<String?>(nil)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ argument: Argument) throws {
    let store = try JSONStore(
      URL(fileURLWithPath: argument.file), initial: Note(0), delay: .milliseconds(argument.delay))
    guard store.value == Note(store.value.number) else { fatalError("the file is damaged") }
    output.saved.value = store.value.number
    output.failure.derive { store.failure.value?.description }
    input.number.observe { number in store.update { $0 = Note(number) } }
    input.fillTapped.observe { [effects, output] in
      effects.run {
        while true {
          store.update { $0 = Note($0.number + 1) }
          try await store.save()
          output.saved.value = store.value.number
        }
      }
    }
  }
}
