/// A command line, taken apart.
struct Arguments {
  enum Command: Equatable {
    case serve, describe, help, version
    case replay([String], update: Bool)
  }

  private(set) var command = Command.serve
  /// What was given for each option; an empty text for one without a value.
  private(set) var values: [String: String] = [:]

  /// A command line that makes no sense: what is wrong with it, for a person.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameter words: the command line without the program's name.
  /// - Throws: `UsageError`.
  init(_ words: [String], options: [Option]) throws(UsageError) {
    var files: [String] = []
    var words = words[...]
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else {
        try take(word, &files)
        continue
      }
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.map(String.init),
        let option = options.first(where: { $0.name == name })
      else { throw UsageError(description: "There is no option \(word).") }
      guard let placeholder = option.value else {
        guard parts.count == 1 else {
          throw UsageError(description: "--\(name) takes no value.")
        }
        values[name] = ""
        continue
      }
      guard let value = parts.dropFirst().first.map(String.init) ?? words.popFirst() else {
        throw UsageError(description: "--\(name) needs a value: --\(name) \(placeholder)")
      }
      values[name] = value
    }
    if case .replay = command {
      guard !files.isEmpty else {
        throw UsageError(description: "replay needs the transcripts to check: replay FILE…")
      }
      command = .replay(files, update: values["update"] != nil)
    }
    if values["version"] != nil { command = .version }
    if values["help"] != nil { command = .help }
  }

  private mutating func take(_ word: String, _ files: inout [String]) throws(UsageError) {
    if case .replay = command { return files.append(word) }
    switch (command, word) {
    case (.serve, "replay"): command = .replay([], update: false)
    case (.serve, "describe"): command = .describe
    case (.serve, "help"): command = .help
    default: throw UsageError(description: "\"\(word)\" is no command.")
    }
  }

  /// The same for a look at the app that must not open its data.
  var withNothingKept: Arguments {
    var arguments = self
    arguments.values["deterministic"] = ""
    return arguments
  }

  /// - Throws: `UsageError` for what is no whole number in `range`.
  func int(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        description: "--\(name) takes a whole number from \(range.lowerBound) to "
          + "\(range.upperBound), not \"\(text)\".")
    }
    return number
  }
}
