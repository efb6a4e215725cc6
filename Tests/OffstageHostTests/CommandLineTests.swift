import Testing

@testable import Offstage
@testable import OffstageHost

@Suite struct ArgumentsTests {
  static let options =
    Program.standardOptions + [
      Option("title", .text("TEXT"), help: "a title"),
      Option("cache", .text("[FOLDER]"), help: "a folder"),
    ]

  static func parse(
    _ words: [String], _ commands: [Command] = []
  ) throws(UsageError) -> Arguments {
    try Arguments(words, options: options, commands: Program.standardCommands + commands)
  }

  @Test(
    arguments: [
      ([], .serve, [:]),
      (["--deterministic"], .serve, ["deterministic": ""]),
      (["--data", "/d", "--root=map"], .serve, ["data": "/d", "root": "map"]),
      (["--root", #"pokemon {"id":1}"#], .serve, ["root": #"pokemon {"id":1}"#]),
      (["-h"], .help(nil), ["help": ""]),
      (["--title=a=b"], .serve, ["title": "a=b"]),
      (["--title", "--deterministic"], .serve, ["title": "--deterministic"]),
      (["describe"], .command("describe", []), [:]),
      (["describe", "--root", "map"], .command("describe", []), ["root": "map"]),
      (["--help"], .help(nil), ["help": ""]),
      (["help"], .help(nil), [:]),
      (["help", "replay"], .help("replay"), [:]),
      (["replay", "--help"], .help("replay"), ["help": ""]),
      (["--version"], .version, ["version": ""]),
      (["--log", "describe"], .command("describe", []), ["log": "info"]),
      (["--log", "debug", "describe"], .command("describe", []), ["log": "debug"]),
      (["--cache", "folder"], .serve, ["cache": "folder"]),
      (["--version", "--help", "describe"], .help("describe"), ["version": "", "help": ""]),
      (["replay", "a"], .command("replay", ["a"]), [:]),
      (
        ["replay", "a", "replay", "--update"], .command("replay", ["a", "replay"]),
        ["update": ""]
      ),
      (["--update", "replay", "a"], .command("replay", ["a"]), ["update": ""]),
    ] as [([String], Arguments.Action, [String: String])])
  func commandLineIsParsed(words: [String], action: Arguments.Action, values: [String: String])
    throws
  {
    let arguments = try Self.parse(words)
    #expect(arguments.action == action)
    #expect(arguments.values == values)
  }

  @Test(arguments: [
    (["--nothing"], "--nothing"), (["--"], "--"), (["--title="], "needs a value"),
    (["--title", ""], "needs a value"), (["--title", "a", "--title", "b"], "twice"),
    (["serve"], "serve"),
    (["--data"], "--data DIR"), (["describe", "more"], "expected describe"),
    (["replay"], "replay PATH"),
    (["--deterministic=false"], "deterministic"), (["Describe"], "Describe"),
    (["help", "x"], "unknown command \"x\""),
    (["--update"], "--update is an option of \"replay\""),
    (["describe", "--update"], "--update is an option of \"replay\""),
    (["--log", "loud"], "debug, info, warning, or error, not \"loud\""),
    (["--log=loud"], "debug, info, warning, or error, not \"loud\""),
    (["--cache"], "--cache [FOLDER]"),
  ])
  func invalidCommandLineIsRejected(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) {
      try Self.parse(words)
    }
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  static let commands = [
    Command("import", arguments: ["FILE", "NAME"], help: "") { _, _, _ in },
    Command("clean up", help: "") { _, _, _ in },
    Command("print", arguments: ["[FILE]"], help: "") { _, _, _ in },
  ]

  @Test(
    arguments: [
      (["import", "a", "b"], .command("import", ["a", "b"])),
      (["import", "--data", "d", "a", "--deterministic", "b"], .command("import", ["a", "b"])),
      (["clean", "up"], .command("clean up", [])), (["clean", "up", "--help"], .help("clean up")),
      (["import", "--help"], .help("import")),
      (["print"], .command("print", [])), (["print", "a"], .command("print", ["a"])),
      (["replay", "import"], .command("replay", ["import"])),
    ] as [([String], Arguments.Action)])
  func commandOfTheProgramIsParsed(words: [String], action: Arguments.Action) throws {
    let arguments = try Self.parse(words, Self.commands)
    #expect(arguments.action == action)
  }

  @Test(arguments: [
    (["import"], "import FILE NAME"), (["import", "a"], "import FILE NAME"),
    (["import", "a", "b", "c"], "import FILE NAME"), (["clean"], "expected clean up"),
    (["clean", "up", "now"], "expected clean up"), (["print", "a", "b"], "expected print [FILE]"),
    (["describe", "import"], "expected describe"),
  ])
  func invalidCommandOfTheProgramIsRejected(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) {
      try Self.parse(words, Self.commands)
    }
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  @Test func optionsAreRemovedWithTheirValues() throws {
    let words = [
      "--record", "--title", "--title=--record", "--watch", "--package=p", "--log", "--drain", "1",
    ]
    let arguments = try Self.parse(words)
    #expect(arguments.words(without: []) == words)
    #expect(
      arguments.words(without: ["record", "watch", "package"])
        == ["--title=--record", "--log", "--drain", "1"])
    let title = try Self.parse(["--title", "--watch", "--record", "f"])
    #expect(title.words(without: ["record", "watch"]) == ["--title", "--watch"])
  }

  @Test(arguments: [("3", 3), ("0", 0), ("007", 7), ("9", 9)])
  func numberWithinItsRangeIsParsed(text: String, expected: Int) throws {
    let arguments = try Self.parse(["--drain", text])
    #expect(try arguments.int("drain", 0...9) == expected)
    #expect(try arguments.int("max-line", 0...9) == nil)
  }

  @Test(arguments: ["-1", "10", "1.5", "x", "1e3", " 1"])
  func otherNumbersAreRejected(text: String) throws {
    let arguments = try Self.parse(["--drain", text])
    #expect(throws: UsageError.self) { try arguments.int("drain", 0...9) }
  }
}

@Suite @CoreActor struct ProgramTests {
  @Test(arguments: [
    ([], false, "A"), (["--deterministic"], true, "A"),
    (["--title", "Desk", "--deterministic"], true, "Desk"),
  ])
  func commandLineComposesTheApp(words: [String], isVirtual: Bool, title: String) throws {
    let session = try Desk.program.makeSession(words)
    #expect(session.core.clock.isVirtual == isVirtual)
    #expect(session.core.app.root.tabs.first?.title("en") == title)
  }

  @Test func rootOptionSetsTheRoot() async throws {
    for root in ["desk", "desk {}"] {
      let talk = try await Conversation(["--deterministic", "--root", root])
      #expect(talk.session.core.kinds == ["desk"])
    }
    let session = try Desk.program.makeSession(["--root", #"broken {"id":1}"#])
    #expect(session.core.app.root.route == Route(Broken.self, .init(id: 1)))
  }

  @Test(arguments: [
    (["--root", "nowhere"], "expected one of broken, desk"), (["--root", ""], "needs a value"),
    (["--root", "desk {"], "not valid JSON"), (["--max-line", "63"], "--max-line"),
    (["--max-depth", "3"], "--max-depth"), (["--nothing"], "--nothing"),
  ])
  func invalidValuesAreRejected(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) {
      try Desk.program.makeSession(words)
    }
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  @Test func helpListsEveryOption() {
    let help = Desk.program.help(of: nil)
    for option in Program.standardOptions + Desk.program.options {
      #expect(help.contains("--\(option.name) ") || help.contains("--\(option.name)\n"))
      #expect(help.contains(option.help))
    }
    for command in [nil, "replay", "describe"] {
      let lines = Desk.program.help(of: command).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 100 })
    }
  }
}

extension Core {
  fileprivate var kinds: [String] { openScreens.map(\.kind) }
}

extension App.Root {
  fileprivate var route: Route? {
    if case .stack(let route) = self { route } else { nil }
  }

  fileprivate var tabs: [Tab] {
    if case .tabs(let tabs) = self { tabs } else { [] }
  }
}

@Suite struct ConsoleTests {
  @Test(arguments: [
    ("plain ü 한국어 👩‍👩‍👧", "plain ü 한국어 👩‍👩‍👧"),
    ("\u{1B}[31mred\u{1B}]0;title\u{7}", #"\x1B[31mred\x1B]0;title\x07"#),
    ("a\r\nb\tc\u{7F}\u{85}\u{9B}", #"a\x0D\x0Ab\x09c\x7F\x85\x9B"#),
    (
      "\u{202E}gpj.exe\u{2066}\u{200F}\u{61C}\u{2028}",
      #"\u{202E}gpj.exe\u{2066}\u{200F}\u{61C}\u{2028}"#
    ),
  ])
  func unsafeCharactersAreEscaped(text: String, expected: String) {
    #expect(Console.escaped(text) == expected)
  }
}
