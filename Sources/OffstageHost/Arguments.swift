internal import Offstage

/// An option of a program's command line.
public struct Option: Sendable {
  /// The name without its dashes: `pokeapi` is given as `--pokeapi URL` or `--pokeapi=URL`.
  public let name: String
  /// The placeholder of its value in the help; nil for a flag.
  public let value: String?
  /// One line of help.
  public let help: String
  /// The only command that takes it; nil for an option of serving and of every command.
  public let command: String?
  let isAllowedInTranscripts: Bool

  /// - Parameters:
  ///   - name: the name without its dashes.
  ///   - value: the placeholder of its value in the help; nil for a flag. The value of a `URL` option
  ///     in a transcript has to be an address of this machine.
  ///   - isAllowedInTranscripts: true if an untrusted transcript may set it. Leave it false for options
  ///     that name files or reveal data.
  ///   - command: the only command that takes it, such as `import places`.
  ///   - help: one line.
  public init(
    _ name: String, _ value: String? = nil, isAllowedInTranscripts: Bool = false,
    for command: String? = nil, help: String
  ) {
    self.name = name
    self.value = value
    self.isAllowedInTranscripts = isAllowedInTranscripts
    self.command = command
    self.help = help
  }
}

/// An invalid command line. A program that throws it exits with 2, and with 1 for any other error.
public struct UsageError: Error, CustomStringConvertible {
  /// The message; the program adds where to find its help.
  public let description: String

  /// - Parameter description: a message such as `unknown option --nonsense`, without a final period.
  public init(_ description: String) { self.description = description }
}

/// A parsed command line.
struct Arguments {
  enum Action: Equatable {
    case serve, describe, version
    /// The help of a command; nil for that of the program.
    case help(String?)
    /// Paths of transcripts, and of folders that contain them.
    case replay([String], update: Bool)
    /// Plays the core's side of a transcript to a front end.
    case serveTranscript(String)
    /// A command of the program's own, and its arguments.
    case command(String, [String])
  }

  private(set) var action = Action.serve
  /// The values of the options; an empty text for a flag.
  private(set) var values: [String: String] = [:]

  /// - Parameter words: the command line without the program's name.
  init(
    _ words: [String], options: [Option], commands: [Command] = []
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
      let name = String(parts[0])
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError("unknown option --\(name)")
      }
      guard values[name] == nil else { throw UsageError("--\(name) is given twice") }
      guard let placeholder = option.value else {
        guard parts.count == 1 else { throw UsageError("--\(name) takes no value") }
        values[name] = ""
        continue
      }
      // An option whose value may be left out takes the next word only if it is one.
      if placeholder.hasPrefix("["), parts.count == 1 {
        let isLevel = words.first.flatMap(LogLevel.init) != nil
        values[name] = isLevel ? words.removeFirst() : LogLevel.info.rawValue
        if let word = words.first, !isLevel, !word.hasPrefix("-"), !Self.isCommand(word, commands) {
          throw UsageError("--\(name) takes debug, info, warning, or error, not \"\(word)\"")
        }
        continue
      }
      guard let value = parts.dropFirst().first.map(String.init) ?? words.popFirst(), !value.isEmpty
      else { throw UsageError("--\(name) needs a value: --\(name) \(placeholder)") }
      values[name] = value
    }
    if values["help"] != nil || plain.first == "help" {
      if plain.first == "help" { plain.removeFirst() }
      action = .help(try Self.command(plain, commands))
    } else if values["version"] != nil {
      action = .version
    } else {
      action = try Self.action(plain, commands, update: values["update"] != nil)
      if values["serve"] != nil, case .replay(let files, let update) = action {
        guard files.count == 1, !update else {
          throw UsageError("expected one file: replay --serve FILE")
        }
        action = .serveTranscript(files[0])
      }
      let name = try Self.command(plain, commands)
      for option in options where values[option.name] != nil {
        guard let command = option.command, command != name else { continue }
        throw UsageError("--\(option.name) belongs to another command: \(command)")
      }
    }
  }

  private static func isCommand(_ word: String, _ commands: [Command]) -> Bool {
    ["replay", "describe", "help"].contains(word) || commands.contains { $0.words.first == word }
  }

  /// The name of the command that words begin with; nil without words.
  private static func command(
    _ words: [String], _ commands: [Command]
  ) throws(UsageError) -> String? {
    guard let first = words.first else { return nil }
    if ["replay", "describe"].contains(first) { return first }
    if let command = commands.first(where: { words.starts(with: $0.words) }) { return command.name }
    let similar = commands.filter { $0.words.first == first }
    throw UsageError(
      similar.isEmpty
        ? "unknown command \"\(first)\""
        : "expected " + similar.map(\.usage).joined(separator: " or "))
  }

  private static func action(
    _ words: [String], _ commands: [Command], update: Bool
  ) throws(UsageError) -> Action {
    guard let name = try command(words, commands) else { return .serve }
    let rest = Array(words.dropFirst())
    switch name {
    case "replay":
      guard !rest.isEmpty else { throw UsageError("missing transcripts: replay PATH…") }
      return .replay(rest, update: update)
    case "describe":
      if let extra = rest.first { throw UsageError("unexpected argument \"\(extra)\"") }
      return .describe
    default:
      guard let command = commands.first(where: { $0.name == name }) else { return .serve }
      let arguments = Array(words.dropFirst(command.words.count))
      guard arguments.count == command.arguments.count else {
        throw UsageError("expected \(command.usage)")
      }
      return .command(name, arguments)
    }
  }

  /// The same command line with `--deterministic`, to describe the app without opening its data.
  var deterministic: Arguments {
    var arguments = self
    arguments.values["deterministic"] = ""
    arguments.values["data"] = nil
    return arguments
  }

  func int(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "--\(name) takes an integer from \(range.lowerBound) to \(range.upperBound), not \"\(text)\""
      )
    }
    return number
  }
}
