public import Offstage
internal import OffstageJSON
internal import OffstageSystem

/// A program that serves an app on its standard input and output.
/// ```swift
/// @main enum Hello {
///   static func main() {
///     Program("hello", version: "1.0") { _ in
///       App(root: .stack(Route(Greeter.self)), screens: [ScreenFactory(Greeter.self) { _ in Greeter() }])
///     }.run()
///   }
/// }
/// ```
public struct Program: Sendable {
  package let info: AppInfo
  let options: [Option]
  let commands: [Command]
  private let compose: @CoreActor @Sendable (Environment) throws -> App

  /// - Parameters:
  ///   - options: the app's own, beside those of every program (see `--help`).
  ///   - commands: what the program does beside serving.
  ///   - compose: makes the app for one run; what it throws is shown to the person, and the program
  ///     exits with 1.
  public init(
    _ name: String, version: String, options: [Option] = [], commands: [Command] = [],
    app compose: @escaping @CoreActor @Sendable (Environment) throws -> App
  ) {
    info = AppInfo(name: name, version: version)
    self.options = options
    self.commands = commands
    self.compose = compose
  }

  /// Does what the command line says, and exits.
  public func run() -> Never { exit(run(CommandLine.arguments)) }

  /// - Returns: the exit status: 0, 1 for a failure, 2 for a command line that makes no sense.
  private func run(_ words: [String]) -> Int32 {
    StandardStreams.fillGaps()
    CoreActor.executor.adoptCurrentThread()
    do {
      try Self.checkProcess()
      let arguments = try parse(Array(words.dropFirst()))
      switch arguments.command {
      case .help: StandardStreams.print(help)
      case .version: StandardStreams.print("\(info.name) \(info.version)")
      case .replay(let files, let update):
        return ReplayCommand(files: files, update: update).run()
      case .describe:
        // What composing the app prints is no part of the description, nor of the protocol.
        let streams = StandardStreams()
        streams.print(try CoreActor.assumeIsolated { try describe(arguments) })
      case .own(let name, let words):
        try perform(name, words, Environment(arguments, name: info.name))
      case .serve:
        try CoreActor.assumeIsolated { try serve(arguments, words) }
      }
      return 0
    } catch let error as UsageError {
      StandardStreams.complain("\(info.name): \(error) See \(info.name) --help.")
      return 2
    } catch {
      StandardStreams.complain("\(info.name): \(error)")
      return 1
    }
  }

  /// - Throws: `UsageError` for what would otherwise stop the program later, or be misread.
  private static func checkProcess() throws(UsageError) {
    // Swift replaces invalid bytes, which would name another file.
    for index in 1..<max(1, Int(CommandLine.argc)) {
      if let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil {
        throw UsageError("Argument \(index) is not valid UTF-8.")
      }
    }
    // The system's libraries stop the process when they get no descriptor.
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    if (0..<leastDescriptors).contains(limit) {
      throw UsageError(
        "The limit of \(limit) open files is too low; raise it with ulimit -n \(leastDescriptors).")
    }
  }

  /// Descriptors for the standard streams, the database and a few connections.
  private static let leastDescriptors = 64

  /// Runs one of the program's own commands to its end.
  private func perform(_ name: String, _ words: [String], _ environment: Environment) throws {
    guard let command = commands.first(where: { $0.name == name }) else { return }
    let console = Console()
    defer { console.clear() }
    try CoreActor.executor.runToEnd { try await command.action(environment, words, console) }
  }

  @CoreActor
  private func serve(_ arguments: Arguments, _ words: [String]) throws {
    let streams = StandardStreams()
    let session = try makeSession(arguments)
    let drain = Duration.seconds(try arguments.int("drain", 0...86_400) ?? 5)
    let recording = try arguments.values["record"].map {
      try Recording(path: $0, command: [info.name] + words.dropFirst())
    }
    try Loop(session, streams, drain: drain, recording: recording).run()
  }

  /// The OpenRPC document of the app.
  /// - Throws: what composing throws, or `SchemaError`.
  @CoreActor
  package func describe(_ words: [String] = []) throws -> String { try describe(try parse(words)) }

  @CoreActor
  private func describe(_ arguments: Arguments) throws -> String {
    var writer = JSONWriter()
    writer.json(try OpenRPC.document(of: try makeApp(arguments.withNothingKept).app, info))
    return String(writer.bytes)
  }

  /// A session as the command line wants it, for the loop or for a test.
  @CoreActor
  package func makeSession(_ words: [String]) throws -> Session {
    try makeSession(try parse(words))
  }

  @CoreActor
  private func makeSession(_ arguments: Arguments) throws -> Session {
    var limits = Limits()
    if let line = try arguments.int("max-line", 64...(1 << 28)) { limits.line = line }
    if let depth = try arguments.int("max-depth", 4...4096) { limits.depth = depth }
    let (app, environment) = try makeApp(arguments)
    return Session(core: Core(app: app, clock: environment.clock), app: info, limits: limits)
  }

  @CoreActor
  private func makeApp(_ arguments: Arguments) throws -> (app: App, environment: Environment) {
    let environment = Environment(arguments, name: info.name)
    var app = try compose(environment)
    if let root = arguments.values["root"] { app.root = .stack(try route(root, of: app)) }
    return (app, environment)
  }

  /// The route that `--root` names: `signUp`, or with an argument `pokemonDetail {"id":25}`.
  private func route(_ text: String, of app: App) throws -> Route {
    let parts = text.split(separator: " ", maxSplits: 1)
    let kind = parts.first.map(String.init) ?? ""
    guard app.factories[kind] != nil else {
      let kinds = app.screens.map(\.kind).sorted().joined(separator: ", ")
      throw UsageError("There is no screen \"\(kind)\"; there are \(kinds).")
    }
    guard parts.count > 1 else { return Route(kind: kind) }
    do { return Route(kind: kind, argument: try JSON(parsing: String(parts[1]))) } catch {
      throw UsageError("The argument of --root is no JSON: \(error).")
    }
  }

  private func parse(_ words: [String]) throws(UsageError) -> Arguments {
    try Arguments(words, options: Self.standardOptions + options, commands: commands)
  }
}
