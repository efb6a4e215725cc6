/// A command line, taken apart.
struct Arguments {
  enum Command: Equatable {
    case serve, describe, help, version
    case replay([String], update: Bool)
    /// One of the program's own, by its name, and what it was given.
    case own(String, [String])
  }

  private(set) var command = Command.serve
  /// What was given for each option; an empty text for one without a value.
  private(set) var values: [String: String] = [:]

  /// - Parameters:
  ///   - words: the command line without the program's name.
  ///   - commands: the program's own.
  /// - Throws: `UsageError`.
  init(
    _ words: [String], options: [Option], commands: [OffstageHost.Command] = []
  ) throws(UsageError) {
    var plain: [String] = []
    var words = words[...]
    while var word = words.popFirst() {
      if word == "-h" { word = "--help" }
      guard word.hasPrefix("--") else {
        plain.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.map(String.init),
        let option = options.first(where: { $0.name == name })
      else { throw UsageError("There is no option \(word).") }
      guard values[name] == nil else {
        throw UsageError("--\(name) is given twice.")
      }
      guard let placeholder = option.value else {
        guard parts.count == 1 else {
          throw UsageError("--\(name) takes no value.")
        }
        values[name] = ""
        continue
      }
      guard let value = parts.dropFirst().first.map(String.init) ?? words.popFirst(), !value.isEmpty
      else {
        throw UsageError("--\(name) needs a value: --\(name) \(placeholder)")
      }
      values[name] = value
    }
    command = try Self.command(plain, commands, update: values["update"] != nil)
    if values["version"] != nil { command = .version }
    if values["help"] != nil { command = .help }
  }

  /// What the words that are no options ask for.
  private static func command(
    _ words: [String], _ commands: [OffstageHost.Command], update: Bool
  ) throws(UsageError) -> Command {
    guard let first = words.first else { return .serve }
    let rest = Array(words.dropFirst())
    switch first {
    case "replay":
      guard !rest.isEmpty else {
        throw UsageError("replay needs the transcripts to check: replay FILE…")
      }
      return .replay(rest, update: update)
    case "describe", "help":
      if let more = rest.first { throw UsageError("\"\(more)\" is no command.") }
      return first == "help" ? .help : .describe
    default:
      return try own(words, commands)
    }
  }

  /// The same for a look at the app that must not open its data.
  var withNothingKept: Arguments {
    var arguments = self
    arguments.values["deterministic"] = ""
    return arguments
  }

  private static func own(
    _ words: [String], _ commands: [OffstageHost.Command]
  ) throws(UsageError) -> Command {
    guard let command = commands.first(where: { words.starts(with: $0.nameWords) }) else {
      throw UsageError("\"\(words[0])\" is no command.")
    }
    let given = Array(words.dropFirst(command.nameWords.count))
    guard given.count == command.arguments.count else {
      throw UsageError("The command is called like this: \(command.usage).")
    }
    return .own(command.name, given)
  }

  /// - Throws: `UsageError` for what is no whole number in `range`.
  func int(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "--\(name) takes a whole number from \(range.lowerBound) to "
          + "\(range.upperBound), not \"\(text)\".")
    }
    return number
  }
}
