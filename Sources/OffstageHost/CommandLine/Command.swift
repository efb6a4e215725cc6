import Offstage

/// A command that a program adds to the standard ones.
/// ```swift
/// Command("import places", arguments: ["FILE"], help: "import the places of a file") {
///   environment, arguments, console in
///   console.print("Imported \(try await importPlaces(from: arguments[0], environment)) places.")
/// }
/// ```
public struct Command: Sendable {
  /// - Parameter arguments: A value for each of the command's arguments.
  /// - Throws: Any error; its description is printed and the program exits with 1.
  public typealias Action =
    @CoreActor @Sendable (_ environment: Environment, _ arguments: [String], _ console: Console)
    async throws -> Void

  let name: String
  let arguments: [String]
  let help: String
  /// nil for a command that every program has.
  let action: Action?

  /// - Parameters:
  ///   - name: One or several words, such as `import places`.
  ///   - arguments: The placeholders of its arguments in the help.
  ///   - help: One line.
  ///   - action: The work. If it throws an error, the program prints it and exits with 1.
  public init(
    _ name: String, arguments: [String] = [], help: String, action: @escaping Action
  ) {
    (self.name, self.arguments, self.help, self.action) = (name, arguments, help, action)
  }

  package init(_ name: String, arguments: [String] = [], help: String) {
    (self.name, self.arguments, self.help, action) = (name, arguments, help, nil)
  }

  var usage: String { ([name] + arguments).joined(separator: " ") }

  /// Returns true for a number of arguments that fits: `FILE` is one, `[FILE]` one or none, and
  /// `FILE…` one or more.
  func accepts(_ count: Int) -> Bool {
    let required = arguments.count { !$0.hasPrefix("[") }
    return count >= required && (count <= arguments.count || arguments.last?.last == "…")
  }

  var words: [String] { name.split(separator: " ").map(String.init) }
}

/// The options of every program, and the texts that `--help` prints.
extension Program {
  static let standardOptions = servingOptions + HostOptions.all

  private static let servingOptions = [
    Option(
      "root", .text("KIND"), isAllowedInTranscripts: true,
      help: "start with this screen alone; \"KIND {…}\" gives its argument"),
    Option(
      "deterministic", isAllowedInTranscripts: true,
      help: "run the same way each time: virtual clock from 2026-01-01, built-in data"),
    Option(
      "data", .directory, isAllowedInTranscripts: true,
      help: "the data directory (default: the platform's; with --deterministic: none)"),
    Option(
      "state", .directory, isAllowedInTranscripts: true,
      help: "keep where the user is in this directory, and start from there"),
    Option(
      "fresh", isAllowedInTranscripts: true,
      help: "with --state: start afresh, and keep the old state aside"),
    Option(
      "log", .optional("LEVEL", oneOf: LogLevel.allCases.map(\.rawValue), default: "info"),
      help: "log to standard error; LEVEL: debug, info (default), warning, or error"),
    Option("record", .text("FILE"), help: "record this run as a transcript"),
    Option("watch", help: "rebuild the app when its sources change, and go on where it was"),
    Option("package", .directory, help: "with --watch: the package to build (default: its own)"),
    Option(
      "max-line", .text("BYTES"), isAllowedInTranscripts: true,
      help: "the longest line to accept (default: 16777216)"),
    Option(
      "max-depth", .text("LEVELS"), isAllowedInTranscripts: true,
      help: "the deepest nesting to accept (default: 512)"),
    Option(
      "max-screens", .text("COUNT"), isAllowedInTranscripts: true,
      help: "how many screens may be open (default: 8192)"),
    Option(
      "drain", .text("SECONDS"), isAllowedInTranscripts: true,
      help: "how long work may continue after the end of the input (default: 5)"),
    Option("update", for: "replay", help: "rewrite the transcripts that differ"),
    Option("help", help: "print this help; after a command, that of the command"),
    Option("version", help: "print the version"),
  ]

  func help(of command: String?) -> String {
    switch command {
    case nil: return help
    case "replay": return replayHelp
    case "describe":
      return help(
        "describe",
        """
        Prints the OpenRPC description of the app as one line of JSON: the methods, the inputs, outputs,
        and events of each screen, and the schemas of their types. Opens no data.
        """)
    case "host":
      return help(
        "host --listen ADDRESS",
        """
        Serves many sessions in one process, until SIGTERM, SIGINT, or SIGHUP parks all of them. A
        front end connects and speaks the protocol; initialize with resume finds its session. Each
        session has a folder in the data directory, or in that of --state.
        """, HostOptions.all)
    case let name?:
      guard let command = commands.first(where: { $0.name == name }) else { return help }
      return help(command.usage, command.help, options.filter { $0.command == name })
    }
  }

  private var help: String {
    """
    usage: \(info.name) [options] [COMMAND]

    Serves an app without its screen: JSON-RPC on standard input and output, one message per line.

    Commands:
    \(Self.table((Self.standardCommands + commands).map { ($0.usage, $0.help) }))

    Options:
    \(Self.table((Self.standardOptions + options).map { Self.row($0) }))

    Exit status: 0 at the end of the input, after shutdown, and after the first SIGTERM, SIGINT, or
    SIGHUP (a second one kills the process); 1 for a failure; 2 for an invalid command line.
    """
  }

  private var replayHelp: String {
    """
    usage: \(info.name) replay [--update] PATH…

    Plays transcripts to this program and prints what differs. For a folder, plays every file in it
    and below it whose name ends in .transcript.

      --update   rewrite the output of the transcripts that differ, and keep their comments

    To record a transcript, run \(info.name) with --record FILE. Or write its "$" and ">" lines by
    hand, and let --update fill in the output.

    Exit status: 0 if all transcripts pass; 1 if one differs or was rewritten; 2 for an invalid
    command line.
    """
  }

  private func help(_ usage: String, _ text: String, _ own: [Option] = []) -> String {
    """
    usage: \(info.name) \(usage) [options]

    \(text)
    \(own.isEmpty ? "" : "\n\(Self.table(own.map { Self.row($0, inCommand: true) }))\n")
    \(info.name) --help lists the options.
    """
  }

  static let standardCommands = [
    Command("describe", help: "print the OpenRPC description of the app"),
    Command("host", help: "serve many sessions on a socket"),
    Command(
      "replay", arguments: ["PATH…"],
      help: "play transcripts to this program and print what differs"),
  ]

  private static func row(
    _ option: Option, inCommand: Bool = false
  ) -> (head: String, help: String) {
    let command = inCommand ? nil : option.command.map { "with \($0): " }
    return ("--\(option.name) \(option.value.placeholder)", (command ?? "") + option.help)
  }

  private static func table(_ rows: [(head: String, help: String)]) -> String {
    rows.map { head, help in
      "  \(head) " + String(repeating: " ", count: max(0, 22 - head.count)) + help
    }.joined(separator: "\n")
  }
}
