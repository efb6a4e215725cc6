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
  struct Composer {
    let makeApp: @CoreActor (Environment) throws -> App
    /// Removes what a visitor has left.
    let forget: @CoreActor (String) async throws -> Void
    /// Where the sessions of a host are kept; nil for its folder.
    let store: (any SessionStore)?
  }

  let prepare: @CoreActor @Sendable (Environment) throws -> Composer

  /// - Parameters:
  ///   - options: The app's own options, besides those of every program (see `--help`).
  ///   - commands: The program's own commands, besides those of every program.
  ///   - compose: Creates the app for one run. If it throws an error, the program prints it and
  ///     exits with 1, or with 2 for a ``UsageError``.
  public init(
    _ name: String, version: String, options: [Option] = [], commands: [Command] = [],
    app compose: @escaping @CoreActor @Sendable (Environment) throws -> App
  ) {
    self.init(
      name, version: version, options: options, commands: commands, sharing: { _ in },
      app: { environment, _ in try compose(environment) })
  }

  /// Creates a program whose sessions share something expensive, such as a database.
  /// - Parameters:
  ///   - share: Creates it, once in a process. The data directory of its environment is that of all
  ///     sessions. An error ends the program.
  ///   - forget: Removes what a visitor has left there, whose session a host no longer keeps.
  ///   - store: Returns where the sessions of a host are kept, if several hosts share them.
  ///   - compose: Creates the app for one run, or for one of a host's sessions; see
  ///     ``Environment/visitor``.
  public init<Shared: Sendable>(
    _ name: String, version: String, options: [Option] = [], commands: [Command] = [],
    sharing share: @escaping @CoreActor @Sendable (Environment) throws -> Shared,
    forgetting forget:
      @escaping @CoreActor @Sendable (_ visitor: String, Shared) async throws -> Void = {
        _, _ in
      },
    keepingSessionsIn store: @escaping @CoreActor @Sendable (Shared) throws -> (any SessionStore)? =
      {
        _ in nil
      },
    app compose: @escaping @CoreActor @Sendable (Environment, Shared) throws -> App
  ) {
    info = AppInfo(name: name, version: version)
    self.options = options
    self.commands = commands
    prepare = { environment in
      let shared = try share(environment)
      return Composer(
        makeApp: { try compose($0, shared) }, forget: { try await forget($0, shared) },
        store: try store(shared))
    }
  }

  /// Parses the command line, runs it, and exits.
  ///
  /// Call it before any work on `CoreActor`. Otherwise, the program stops with an error that names
  /// the caller's file and line.
  public func run(fileID: StaticString = #fileID, line: UInt = #line) -> Never {
    Signals.prepare()
    exit(runToStatus(fileID, line))
  }

  private func runToStatus(_ fileID: StaticString, _ line: UInt) -> Int32 {
    let names = (Self.standardOptions + options).map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      fatalError(
        "two options have the name --\(twice); see --help for those of every program",
        file: fileID, line: line)
    }
    do {
      try StandardStreams.prepare()
      CoreActor.executor.adoptCurrentThread(fileID: fileID, line: line)
      let arguments = try parse(
        Arguments.words(Int(CommandLine.argc) - 1) {
          UnsafePointer(CommandLine.unsafeArgv[$0 + 1])
        })
      switch arguments.action {
      case .help(let command): try StandardStreams.print(help(of: command))
      case .version: try StandardStreams.print("\(info.name) \(info.version)")
      case .command("replay", let paths):
        return try replay(paths, update: arguments.values["update"] != nil)
      case .command("describe", _):
        // Keep whatever the app prints while it is composed out of the description.
        let streams = StandardStreams()
        let description = try CoreActor.assumeIsolated {
          try OpenRPC.document(of: makeApp(arguments.deterministic), info).description
        }
        try StandardStreams.print(description, on: streams.output)
      case .command("host", _): try CoreActor.assumeIsolated { try host(arguments) }
      case .command(let name, let words):
        try perform(name, words, Environment(arguments, info))
      case .serve:
        greetTerminal()
        try CoreActor.assumeIsolated { try serve(arguments) }
      }
      return 0
    } catch let error as UsageError {
      StandardStreams.printError("\(info.name): \(error); see \(info.name) --help")
      return 2
    } catch {
      StandardStreams.printError("\(info.name): \(error)")
      return 1
    }
  }

  private func perform(_ name: String, _ words: [String], _ environment: Environment) throws {
    guard let action = commands.first(where: { $0.name == name })?.action else { return }
    let console = Console()
    defer { console.clear() }
    try CoreActor.executor.runToEnd(on: environment.clock) {
      try await action(environment, words, console)
    }
  }

  /// Tells a person who has started the program by hand why it seems to do nothing.
  private func greetTerminal() {
    guard isatty(0) == 1 else { return }
    StandardStreams.printError(
      "\(info.name): reads requests in JSON from this terminal, one on each line; Ctrl+D ends it. "
        + "Protocol/README.md of Offstage explains them, \(info.name) --help lists the options")
  }

  /// Serves until the input has ended and everything is written, the reader is gone, or a signal
  /// arrives.
  @CoreActor
  private func serve(_ arguments: Arguments) throws {
    let package = try watchedPackage(arguments)
    let handover = Handover.take()
    let streams = StandardStreams()
    let session = try SessionFactory(self, arguments).makeSession(startingFrom: handover?.state)
    let recording = try arguments.values["record"].map {
      try Recording(
        path: $0, command: [info.name] + arguments.words(without: ["record"]),
        secrets: session.core.app.secretInputs())
    }
    let transport = StreamTransport(streams.input, streams.output, session)
    Signals.watch()
    streams.stopBlocking()
    Watchdog.start(streams.output, patience: session.limits.drain)
    let executor = CoreActor.executor
    executor.onWait = { $0 ? Watchdog.loopWillWait() : Watchdog.loopDidWait() }
    // On a virtual clock, the log of a run is the same every time.
    if !session.core.clock.isVirtual {
      executor.onSlowTurn = { time in CoreActor.assumeIsolated { session.warnOfSlowTurn(time) } }
    }
    let connection = Connection(session, transport)
    if let handover { connection.input.append(handover.input) }
    let watch = package.map { Watch(info, $0, arguments, connection) }
    recording?.record(connection)
    executor.run { connection.phase == .ended }
    recording?.finish(exit: transport.fault == nil ? 0 : 1)
    streams.restore()
    if let fault = transport.fault ?? recording?.fault { throw fault }
    try watch?.finish(streams)
  }

  /// Returns the package that `--watch` builds; nil without it.
  private func watchedPackage(_ arguments: Arguments) throws(UsageError) -> WatchedPackage? {
    guard arguments.values["watch"] != nil else {
      guard arguments.values["package"] == nil else { throw UsageError("--package needs --watch") }
      return nil
    }
    guard arguments.values["record"] == nil else {
      throw UsageError("--record is not available with --watch")
    }
    return try WatchedPackage(folder: arguments.values["package"])
  }

  @CoreActor
  func embed(_ words: [String]) throws -> Session {
    let arguments = try parse(words)
    guard arguments.action == .serve else {
      throw UsageError(
        "an embedded core can only serve, not run \"\(words.joined(separator: " "))\"")
    }
    for option in ["record", "watch", "package"] where arguments.values[option] != nil {
      throw UsageError("--\(option) is not available in an embedded core")
    }
    return try SessionFactory(self, arguments, isEmbedded: true).makeSession()
  }

  /// Creates a session with the options of a command line, for `TestHost`.
  @CoreActor
  package func makeSession(_ words: [String]) throws -> Session {
    try SessionFactory(self, try parse(words)).makeSession()
  }

  @CoreActor
  func makeApp(_ arguments: Arguments) throws -> App {
    let environment = Environment(arguments, info)
    return try makeApp(arguments, environment, prepare(environment))
  }

  @CoreActor
  func makeApp(
    _ arguments: Arguments, _ environment: Environment, _ compose: Composer
  ) throws -> App {
    var app = try compose.makeApp(environment)
    if let root = arguments.values["root"] { app.root = .stack(try route(root, of: app)) }
    return app
  }

  /// Parses the value of `--root`: `signUp`, or `pokemonDetail {"id":25}` with an argument.
  @CoreActor
  private func route(_ text: String, of app: App) throws(UsageError) -> Route {
    let parts = text.split(separator: " ", maxSplits: 1)
    let kind = parts.first.map(String.init) ?? ""
    guard let factory = app.factory(of: kind) else {
      let kinds = app.screens.map(\.kind).sorted().joined(separator: ", ")
      throw UsageError("--root: unknown screen \"\(kind)\"; expected one of \(kinds)")
    }
    var argument: JSON = [:]
    if parts.count > 1 {
      do { argument = try JSON(parsing: String(parts[1])) } catch {
        throw UsageError("--root: the argument of \"\(kind)\" is not valid JSON: \(error)")
      }
    }
    do throws(JSONMismatch) { return try factory.route(argument) } catch {
      let place = error.path.isEmpty ? "" : " at \(error.path)"
      throw UsageError(
        "--root: the argument of \"\(kind)\" needs \(error.expected)\(place), found \(error.found)")
    }
  }

  func parse(_ words: [String]) throws(UsageError) -> Arguments {
    try Arguments(
      words, options: Self.standardOptions + options, commands: Self.standardCommands + commands)
  }
}
