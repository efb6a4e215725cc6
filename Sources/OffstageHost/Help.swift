internal import Offstage

/// The options of every program, and the texts that `--help` prints.
extension Program {
  static let standardOptions = [
    Option(
      "root", .text("KIND"), isAllowedInTranscripts: true,
      help: "start with this screen alone; \"KIND {…}\" gives its argument"),
    Option(
      "deterministic", isAllowedInTranscripts: true,
      help: "the same run each time: virtual clock from 2026-01-01, built-in data"),
    Option(
      "data", .directory, isAllowedInTranscripts: true,
      help: "the data directory (default: the platform's; none if deterministic)"),
    Option(
      "log", .optional("LEVEL", oneOf: LogLevel.allCases.map(\.rawValue), default: "info"),
      help: "print the log as JSON lines on standard error, from debug, info (default), …"),
    Option("record", .text("FILE"), help: "record this run as a transcript"),
    Option("watch", help: "rebuild the app when its sources change, and repeat the session"),
    Option("package", .directory, help: "with --watch: the package to build (default: its own)"),
    Option(
      "max-line", .text("BYTES"), isAllowedInTranscripts: true,
      help: "the longest line to accept (default: 16777216)"),
    Option(
      "max-depth", .text("LEVELS"), isAllowedInTranscripts: true,
      help: "the deepest nesting to accept (default: 512)"),
    Option(
      "drain", .text("SECONDS"), isAllowedInTranscripts: true,
      help: "the longest wait for work after the input has ended (default: 5)"),
    Option("update", for: "replay", help: "rewrite the transcripts that differ"),
    Option(
      "serve", for: "replay", help: "play the core's side of one transcript to a front end"),
    Option("help", help: "print this help, or that of a command: replay --help"),
    Option("version", help: "print the version"),
  ]

  /// - Parameter command: The name of a command; nil for the program.
  func help(of command: String?) -> String {
    switch command {
    case nil: help
    case "replay": replayHelp
    case "describe": describeHelp
    case let name?: commands.first { $0.name == name }.map(ownHelp) ?? help
    }
  }

  private var help: String {
    """
    \(info.name) \(info.version): an app without a user interface. It speaks JSON-RPC, one message per line,
    on standard input and output.

    \(info.name) [options]              serve
    \(info.name) describe [options]     print the OpenRPC description of the app
    \(info.name) replay PATH…           check transcripts against this program [--update]\(ownCommands)

    \(Self.lines(Self.standardOptions))
    \(Self.lines(options))

    Exit status: 0 at the end of the input, after shutdown and after the first SIGTERM, SIGINT or
    SIGHUP (a second one ends it at once); 1 for a failure; 2 for an invalid command line.
    """
  }

  private var replayHelp: String {
    """
    usage: \(info.name) replay [--update] PATH…
           \(info.name) replay --serve FILE

    Plays transcripts to this program and prints what differs. A folder stands for every file in it
    and below it whose name ends in .transcript.

      --update   rewrite the output of the transcripts that differ; their comments stay
      --serve    play the core's side of one transcript to a front end, and check its lines

    To record a transcript, serve with --record FILE. Or write its "$" and ">" lines by hand, and let
    --update fill in the output.

    Exit status: 0 if all transcripts pass; 1 if one differs or was rewritten; 2 for an invalid
    command line.
    """
  }

  private var describeHelp: String {
    """
    usage: \(info.name) describe [options]

    Prints the OpenRPC description of the app as one line of JSON: the methods, the inputs, outputs,
    and events of each screen, and the schemas of their types. It opens no data.

    \(info.name) --help lists the options.
    """
  }

  private func ownHelp(_ command: Command) -> String {
    """
    usage: \(info.name) \(command.usage) [options]

    \(command.help)
    \(ownOptions(of: command))
    \(info.name) --help lists the options.
    """
  }

  private func ownOptions(of command: Command) -> String {
    let own = options.filter { $0.command == command.name }
    return own.isEmpty ? "" : "\n\(Self.lines(own, inCommand: true))\n"
  }

  /// Two lines for each: the help may not fit beside a long name.
  private var ownCommands: String {
    commands.map { "\n\(info.name) \($0.usage) [options]\n    \($0.help)" }.joined()
  }

  private static func lines(_ options: [Option], inCommand: Bool = false) -> String {
    options.map { option in
      let head = "  --\(option.name) \(option.value.placeholder)"
      let command = inCommand ? nil : option.command.map { "with \($0): " }
      return head + String(repeating: " ", count: max(1, 24 - head.count)) + (command ?? "")
        + option.help
    }.joined(separator: "\n")
  }
}
