extension Program {
  /// The options that every program has.
  static let standardOptions = [
    Option("root", "KIND", help: "start with this screen alone; \"KIND {…}\" gives its argument"),
    Option(
      "deterministic",
      help: "the same run each time: virtual clock from 2026-01-01, built-in data"),
    Option("data", "DIR", help: "where to keep data (default: the platform's data directory)"),
    Option("record", "FILE", help: "mirror this run as a transcript"),
    Option("max-line", "BYTES", help: "the longest line to accept (default: 16777216)"),
    Option("max-depth", "LEVELS", help: "the deepest nesting to accept (default: 512)"),
    Option("drain", "SECONDS", help: "how long work may go on after the input ends (default: 5)"),
    Option("update", help: "with replay: rewrite the transcripts with what came"),
    Option("help", help: "print this"),
    Option("version", help: "print the version"),
  ]

  var help: String {
    """
    \(info.name) \(info.version): an app without a screen. It speaks JSON-RPC, one line a message,
    on standard input and output.

    \(info.name) [options]              serve
    \(info.name) describe [options]     print the OpenRPC description of the app
    \(info.name) replay FILE…           check transcripts against this program [--update]\(ownCommands)

    \(Self.lines(Self.standardOptions))
    \(Self.lines(options))
    """
  }

  /// A line for each, and one for what it does: it may not fit beside a long name.
  private var ownCommands: String {
    commands.map { "\n\(info.name) \($0.usage) [options]\n    \($0.help)" }.joined()
  }

  private static func lines(_ options: [Option]) -> String {
    options.map { option in
      let head = "  --\(option.name) \(option.value ?? "")"
      return head + String(repeating: " ", count: max(1, 24 - head.count)) + option.help
    }.joined(separator: "\n")
  }
}
