import Offstage
import OffstageSystem

/// A screen that saves a text once the user pauses, in a file that has a line for each save.
final class Saver: Screen {
  static let kind = "saver"

  struct Argument: Codable, Sendable {
    /// The path of the file.
    let file: String
  }

  struct Input: Ports {
    /// Saves this text an hour later.
    let text = In<String>()
    /// Saves a line every hour.
    let repeatTapped = In<Trigger>()
    /// Fails to save an hour later.
    let failTapped = In<Trigger>()
    /// Saves a line an hour later, unless the screen closes before.
    let dropTapped = In<Trigger>()
  }

  struct Output: Ports {}

  struct Failure: Error {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let file: String
  private lazy var saving = effects.task(.latest)

  init(_ argument: Argument) {
    file = argument.file
    input.text.observe { [self] text in
      saving.run(outlivesScreen: true) { [self] in
        try await pause()
        save(text)
      }
    }
    input.repeatTapped.observe { [self] in
      effects.run(outlivesScreen: true) { [self] in
        while true {
          try await pause()
          save("again")
        }
      }
    }
    input.failTapped.observe { [self] in
      effects.run(outlivesScreen: true) { [self] in
        try await pause()
        throw Failure()
      }
    }
    input.dropTapped.observe { [self] in
      effects.run { [self] in
        try await pause()
        save("dropped")
      }
    }
    effects.onClose { [self] in save("closed") }
  }

  private func pause() async throws { try await effects.sleep(for: .seconds(3600)) }

  private func save(_ line: String) {
    guard let file = fopen(file, "a") else { return }
    fputs(line + "\n", file)
    fclose(file)
  }
}
