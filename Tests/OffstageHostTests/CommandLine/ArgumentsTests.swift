import Testing

@testable import OffstageHost

@Suite struct ArgumentsTests {
  static let options = Program.standardOptions + [Option("title", "TEXT", help: "a title")]

  @Test(
    arguments: [
      ([], .serve, [:]),
      (["--deterministic"], .serve, ["deterministic": ""]),
      (["--data", "/d", "--root=map"], .serve, ["data": "/d", "root": "map"]),
      (["--root", #"pokemon {"id":1}"#], .serve, ["root": #"pokemon {"id":1}"#]),
      (["-h"], .help, ["help": ""]),
      (["--title=a=b"], .serve, ["title": "a=b"]),
      (["--title", "--deterministic"], .serve, ["title": "--deterministic"]),
      (["describe"], .describe, [:]),
      (["describe", "--root", "map"], .describe, ["root": "map"]),
      (["--help"], .help, ["help": ""]),
      (["help"], .help, [:]),
      (["--version"], .version, ["version": ""]),
      (["--version", "--help", "describe"], .help, ["version": "", "help": ""]),
      (["replay", "a"], .replay(["a"], update: false), [:]),
      (
        ["replay", "a", "replay", "--update"], .replay(["a", "replay"], update: true),
        ["update": ""]
      ),
      (["--update", "replay", "a"], .replay(["a"], update: true), ["update": ""]),
    ] as [([String], Arguments.Command, [String: String])])
  func takesApart(words: [String], command: Arguments.Command, values: [String: String]) throws {
    let arguments = try Arguments(words, options: Self.options)
    #expect(arguments.command == command)
    #expect(arguments.values == values)
  }

  @Test(arguments: [
    (["--nothing"], "--nothing"), (["--"], "--"), (["--title="], "needs a value"),
    (["--title", ""], "needs a value"), (["--title", "a", "--title", "b"], "twice"),
    (["serve"], "serve"),
    (["--data"], "--data DIR"), (["describe", "more"], "more"), (["replay"], "replay FILE"),
    (["--deterministic=false"], "deterministic"), (["Describe"], "Describe"),
  ])
  func refuses(words: [String], complaint: String) {
    let error = #expect(throws: UsageError.self) {
      try Arguments(words, options: Self.options)
    }
    #expect(error?.description.contains(complaint) == true, "\(error as Any)")
  }

  static let commands = [
    Command("import", arguments: ["FILE", "NAME"], help: "") { _, _, _ in },
    Command("clean up", help: "") { _, _, _ in },
  ]

  @Test(
    arguments: [
      (["import", "a", "b"], .own("import", ["a", "b"])),
      (["import", "--data", "d", "a", "--deterministic", "b"], .own("import", ["a", "b"])),
      (["clean", "up"], .own("clean up", [])), (["clean", "up", "--help"], .help),
      (["replay", "import"], .replay(["import"], update: false)),
    ] as [([String], Arguments.Command)])
  func ownCommands(words: [String], command: Arguments.Command) throws {
    let arguments = try Arguments(words, options: Self.options, commands: Self.commands)
    #expect(arguments.command == command)
  }

  @Test(arguments: [
    (["import"], "import FILE NAME"), (["import", "a"], "import FILE NAME"),
    (["import", "a", "b", "c"], "import FILE NAME"), (["clean"], "\"clean\" is no command"),
    (["clean", "up", "now"], "clean up."), (["describe", "import"], "\"import\" is no command"),
  ])
  func refusesOwnCommands(words: [String], complaint: String) {
    let error = #expect(throws: UsageError.self) {
      try Arguments(words, options: Self.options, commands: Self.commands)
    }
    #expect(error?.description.contains(complaint) == true, "\(error as Any)")
  }

  @Test(arguments: [("3", 3), ("0", 0), ("007", 7), ("9", 9)])
  func numbers(text: String, expected: Int) throws {
    let arguments = try Arguments(["--drain", text], options: Self.options)
    #expect(try arguments.int("drain", 0...9) == expected)
    #expect(try arguments.int("max-line", 0...9) == nil)
  }

  @Test(arguments: ["-1", "10", "1.5", "x", "1e3", " 1"])
  func noNumbers(text: String) throws {
    let arguments = try Arguments(["--drain", text], options: Self.options)
    #expect(throws: UsageError.self) { try arguments.int("drain", 0...9) }
  }
}
