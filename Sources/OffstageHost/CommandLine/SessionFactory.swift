internal import Offstage
internal import OffstageJSON

/// Creates the sessions of a process from its command line. What they can share is computed once.
@CoreActor
final class SessionFactory {
  let program: Program
  let arguments: Arguments
  private(set) var limits: Limits
  /// Creates the apps of a host's sessions; nil for a process with one session.
  private var compose: Program.Composer?
  /// True if the app is a library, whose file is another one than the program's.
  private let isEmbedded: Bool
  /// The same for every session.
  private var build: Build?

  init(
    _ program: Program, _ arguments: Arguments, isEmbedded: Bool = false
  ) throws(UsageError) {
    (self.program, self.arguments, self.isEmbedded) = (program, arguments, isEmbedded)
    var limits = Limits()
    if let line = try arguments.int("max-line", 64...(1 << 28)) { limits.line = line }
    if let depth = try arguments.int("max-depth", 4...Limits.deepest) { limits.depth = depth }
    if let screens = try arguments.int("max-screens", 1...(1 << 20)) { limits.screens = screens }
    if let drain = try arguments.int("drain", 0...86_400) { limits.drain = .seconds(drain) }
    self.limits = limits
  }

  /// Creates what the sessions of a host share, and finds mistakes in the command line and in the ports
  /// before the first one begins.
  /// - Parameter data: The data directory of all sessions.
  func prepareForMany(data: String) throws {
    let app = try program.makeApp(arguments.deterministic)
    compose = try program.prepare(
      // A virtual time is that of one session.
      Environment(arguments.with("data", data), program.info, clock: CoreClock()))
    build = try Build(of: app, program.info, startingFrom: nil, keptDocuments: 16)
    // A front end that has missed more gets the whole document, which is smaller.
    limits.frames = 32 << 10
  }

  /// Where the sessions of a host are kept; nil for its folder.
  var store: (any SessionStore)? { compose?.store }

  /// Removes what the visitor of a session has left in what the sessions share.
  func forget(_ visitor: String) async throws { try await compose?.forget(visitor) }

  /// Creates the only session of a process.
  /// - Parameter state: The state to start from, in place of the one that is kept.
  func makeSession(startingFrom state: JSON? = nil) throws -> Session {
    let isFresh = arguments.values["fresh"] != nil
    guard !isFresh || arguments.values["state"] != nil else {
      throw UsageError("--fresh needs --state")
    }
    return try makeSession(arguments, startingFrom: state) {
      arguments.values["state"].flatMap {
        FilePlace(in: $0, app: program.info, isFresh: isFresh && state == nil)
      }
    }
  }

  /// Creates one of many sessions.
  /// - Parameter data: The data directory of its visitor.
  func makeSession(_ key: SessionKey, in place: any Place, data: String) throws -> Session {
    try makeSession(arguments.with("data", data), as: key, place.lease) { place }
  }

  private func makeSession(
    _ arguments: Arguments, as key: SessionKey? = nil, _ lease: SessionLease? = nil,
    startingFrom state: JSON? = nil, in makePlace: () -> (any Place)?
  ) throws -> Session {
    let environment = Environment(
      arguments, program.info, visitor: key?.visitor, lease: lease)
    let app = try program.makeApp(
      arguments, environment, compose ?? program.prepare(environment))
    let place = makePlace()
    let state = state ?? place?.state
    // Before the first line, since this finds mistakes in the ports.
    let build =
      try self.build ?? Build(of: app, program.info, startingFrom: isEmbedded ? nil : state)
    self.build = build
    let core = Core(app: app, clock: environment.clock)
    core.frontEndLocale = environment.locale
    core.isDeterministic = environment.isDeterministic
    #if DEBUG
      core.leaked = LeakedScreens()
    #endif
    if let state { core.frontEndLocale = UserLocale(state: state, orElse: core.frontEndLocale) }
    let session = Session(
      core: core, app: program.info, build: build, limits: limits, as: key?.id,
      startingFrom: state)
    if let place { session.keepState(in: place) }
    session.publisher.log.session = (key?.id).map(Host.shortened)
    session.publisher.log.standardError = arguments.values["log"].flatMap(LogLevel.init)
    return session
  }
}
