/// An option of a program's command line.
public struct Option: Sendable {
  /// The value of an option. The texts are placeholders in the help.
  public enum Value: Sendable {
    /// A flag, which has no value.
    case none
    case text(String)
    /// A path. In a transcript, the plain name of a directory that is removed afterward.
    case directory
    /// A URL. In a transcript, its host must be this machine.
    case url
    /// One of several words, or none for the default.
    case optional(String, oneOf: [String], default: String)

    var placeholder: String {
      switch self {
      case .none: ""
      case .text(let placeholder): placeholder
      case .directory: "DIR"
      case .url: "URL"
      case .optional(let placeholder, _, _): "[\(placeholder)]"
      }
    }
  }

  let name: String
  let value: Value
  let help: String
  /// nil if serving and all commands take it.
  let command: String?
  let isAllowedInTranscripts: Bool

  /// - Parameters:
  ///   - name: The name without its dashes: `pokeapi` is given as `--pokeapi URL` or `--pokeapi=URL`.
  ///   - value: The value that follows the name; none for a flag.
  ///   - isAllowedInTranscripts: True if an untrusted transcript may set it. Leave it false for
  ///     options that name files or reveal data.
  ///   - command: The only command that takes it, such as `import places`.
  ///   - help: One line.
  public init(
    _ name: String, _ value: Value = .none, isAllowedInTranscripts: Bool = false,
    for command: String? = nil, help: String
  ) {
    (self.name, self.value, self.command, self.help) = (name, value, command, help)
    self.isAllowedInTranscripts = isAllowedInTranscripts
  }
}

/// An invalid command line. A program that throws it exits with 2; any other error exits with 1.
public struct UsageError: Error, CustomStringConvertible {
  /// The message. The program appends a pointer to `--help`.
  public let description: String

  /// - Parameter description: A message such as `unknown option --nonsense`, without a period.
  public init(_ description: String) { self.description = description }
}

package struct Arguments {
  package enum Action: Equatable {
    case serve, version
    /// Prints the help of a command, or of the program if nil.
    case help(String?)
    /// A command, and its arguments.
    case command(String, [String])
  }

  package private(set) var action = Action.serve
  /// The values of the options; an empty string for a flag.
  private(set) var values: [String: String] = [:]
  /// The words in order, grouped by option.
  private var groups: [(option: String?, words: [String])] = []

  /// - Parameter commands: The first one whose name begins the line is carried out.
  package init(
    _ words: [String], options: [Option], commands: [Command]
  ) throws(UsageError) {
    var plain: [String] = []
    var rest = words[...]
    while var word = rest.popFirst() {
      let start = rest.startIndex - 1
      var group: String?
      defer { groups.append((group, Array(words[start..<rest.startIndex]))) }
      if word == "-h" { word = "--help" }
      guard word.hasPrefix("--") else {
        plain.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      group = name
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError("unknown option --\(name)")
      }
      guard values[name] == nil else { throw UsageError("--\(name) is given twice") }
      let value = parts.dropFirst().first.map(String.init)
      switch option.value {
      case .none:
        guard value == nil else { throw UsageError("--\(name) takes no value") }
        values[name] = ""
      case .optional(_, let choices, let choice):
        // The next word is the value only if it cannot be anything else.
        let next = rest.first.flatMap { word in
          word.hasPrefix("-") || word == "help" || commands.contains { $0.words.first == word }
            ? nil : word
        }
        if value == nil, next != nil { rest.removeFirst() }
        let value = value ?? next ?? choice
        guard choices.contains(value) else {
          throw UsageError(
            "--\(name) takes \(choices.dropLast().joined(separator: ", ")), or \(choices.last ?? ""), "
              + "not \"\(value)\"")
        }
        values[name] = value
      case .text, .directory, .url:
        guard let value = value ?? rest.popFirst(), !value.isEmpty else {
          throw UsageError("--\(name) needs a value: --\(name) \(option.value.placeholder)")
        }
        values[name] = value
      }
    }
    if values["help"] != nil || plain.first == "help" {
      if plain.first == "help" { plain.removeFirst() }
      action = .help(try Self.command(plain, commands)?.name)
    } else if values["version"] != nil {
      action = .version
    } else {
      let command = try Self.command(plain, commands)
      for option in options where values[option.name] != nil {
        guard let owner = option.command, owner != command?.name else { continue }
        throw UsageError("--\(option.name) is an option of \"\(owner)\"")
      }
      guard let command else { return }
      let arguments = Array(plain.dropFirst(command.words.count))
      guard command.accepts(arguments.count) else { throw UsageError("expected \(command.usage)") }
      action = .command(command.name, arguments)
    }
  }

  /// Returns the command that the words begin with; nil if there are no words.
  private static func command(
    _ words: [String], _ commands: [Command]
  ) throws(UsageError) -> Command? {
    guard let first = words.first else { return nil }
    if let command = commands.first(where: { words.starts(with: $0.words) }) { return command }
    let similar = commands.filter { $0.words.first == first }
    throw UsageError(
      similar.isEmpty
        ? "unknown command \"\(first)\""
        : "expected " + similar.map(\.usage).joined(separator: " or "))
  }

  /// Returns the words of a C program. `CommandLine.arguments` replaces invalid bytes, which might
  /// then name another file.
  static func words(
    _ count: Int, _ word: (Int) -> UnsafePointer<CChar>?
  ) throws(UsageError) -> [String] {
    var words: [String] = []
    while words.count < count {
      guard let word = word(words.count).flatMap({ String(validatingCString: $0) }) else {
        throw UsageError("argument \(words.count + 1) is not valid UTF-8")
      }
      words.append(word)
    }
    return words
  }

  func words(without options: Set<String>) -> [String] {
    groups.filter { !($0.option.map(options.contains) ?? false) }.flatMap(\.words)
  }

  /// The same command line with `--deterministic`, to describe the app without opening its data.
  var deterministic: Arguments {
    with("deterministic", "").with("data", nil)
  }

  func with(_ option: String, _ value: String?) -> Arguments {
    var arguments = self
    arguments.values[option] = value
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
