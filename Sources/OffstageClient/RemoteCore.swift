public import Observation

/// A connection to a core, and the copy of its document.
/// ```swift
/// let core = RemoteCore { try ProcessTransport("showcase") }
/// try await core.start()
/// try await core.document.visible[0].input("confirm")
/// ```
/// If the core stops on its own, ``ended`` says why, and the document keeps its last state. Call
/// ``restart()`` to start the core again.
@MainActor
@Observable
public final class RemoteCore {
  /// The options with which this front end introduces itself to the core.
  public let options: Options
  /// The copy of the core's document. ``start()`` replaces it with a new one.
  public private(set) var document: RemoteDocument!
  /// The core's response to the introduction; nil until the core has started.
  public private(set) var handshake: Handshake?
  /// The screens that the app can show; nil until the core has described them.
  public private(set) var description: AppDescription?
  /// Why the core is not running; nil while it is running.
  public private(set) var ended: CoreEnded? = CoreEnded(.closed)
  /// The last problem that was not thrown to a caller, for a log or a banner.
  public private(set) var problem: String?

  @ObservationIgnored let subscriptions = Subscriptions()
  @ObservationIgnored private let connect: @Sendable () async throws -> any Transport
  /// The latest run; nil before the first start and after a close.
  @ObservationIgnored private var run: Run?

  /// Creates a core without starting it.
  /// - Parameters:
  ///   - options: How this front end introduces itself to the core.
  ///   - connect: Opens a transport. ``restart()`` calls it again.
  public init(
    options: Options = Options(), connect: @escaping @Sendable () async throws -> any Transport
  ) {
    self.options = options
    self.connect = connect
    document = RemoteDocument(core: self)
  }

  // MARK: Starting and closing

  /// Connects to the core and introduces the front end.
  /// - Precondition: The core is not running, and no other call is starting it.
  /// - Throws: ``CoreEnded`` if the core cannot be started or ends at once, or the transport's
  ///   error.
  public func start() async throws {
    // A precondition's message would be lost in a release build.
    guard ended != nil, run?.isStarting != true else {
      fatalError("the core has been started already")
    }
    if let run { await close(run) }
    handshake = nil
    do { _ = try await begin(Run(self)) } catch {
      await close()
      throw error
    }
  }

  /// - Returns: True if the core goes on with the session of the earlier run.
  private func begin(_ run: Run) async throws -> Bool {
    self.run = run
    defer { run.isStarting = false }
    let seen = handshake.map { (session: $0.session, revision: document.revision) }
    do {
      let transport = try await connect()
      guard self.run === run else {
        await transport.close()
        throw CoreEnded(.closed)
      }
      if seen == nil { document = RemoteDocument(core: self) }
      ended = nil
      run.serve(transport)
      let introduction = options.introduction(resuming: seen)
      let handshake = Handshake(try await run.request("initialize", introduction))
      describe(try await run.request("rpc.discover"))
      self.handshake = handshake
    } catch {
      await run.close()
      throw error
    }
    let isSame = seen.map { handshake?.goesOn(with: $0.session, at: $0.revision) == true } ?? false
    run.goOn(isSame)
    run.showedFrame(self)
    return isSame
  }

  func describe(_ value: Value) { description = AppDescription(value) }

  /// Shuts the core down and waits for it to end. A core that is still connecting is not started.
  public func close() async {
    if let run { await close(run) }
  }

  private func close(_ run: Run) async {
    await run.close()
    guard self.run === run else { return }
    self.run = nil
    subscriptions.end()
  }

  /// Starts the core again, or connects to it again, and goes on with its session.
  ///
  /// Closes the core first if it is running. A core that has kept the session, as with `--state`,
  /// shows the same screens; fields and streams go on. Does nothing while another call is starting
  /// the core, so a double tap is harmless.
  /// - Returns: False if the core has not kept the session. The document is then that of a new one.
  /// - Throws: As ``start()``.
  @discardableResult
  public func restart() async throws -> Bool {
    if run?.isStarting == true { return true }
    guard let run, handshake != nil else {
      await close()
      if run == nil { try await start() }
      return false
    }
    await run.close()
    guard self.run === run else { return true }
    return try await begin(Run(self, after: run))
  }

  /// Records the end of the run.
  /// - Parameter isExpected: True if this side has ended it.
  func finish(_ end: CoreEnded, isExpected: Bool) {
    ended = end
    if !isExpected { subscriptions.fail(with: end) }
  }

  // MARK: Requests

  /// Sends a request for any method and waits for its result. Canceling the task cancels the
  /// request and the work that it started.
  /// - Throws: ``Refusal`` or ``CoreEnded``, or `CancellationError` if the task is canceled.
  @discardableResult
  public func request(_ method: String, _ params: Value = [:]) async throws -> Value {
    try Task.checkCancellation()
    guard let run else { throw ended ?? CoreEnded(.closed) }
    return try await run.request(method, params)
  }

  /// Sends a request. If the core refuses it, sets ``problem``.
  func send(_ method: String, _ params: Value) {
    post(newID(), method, params) { [weak self] result in
      if case .failure(let error) = result { self?.report(error) }
    }
  }

  func newID() -> Int { run?.newID() ?? 0 }

  func post(_ id: Int, _ method: String, _ params: Value, _ completion: @escaping Run.Completion) {
    guard let run else { return completion(.failure(ended ?? CoreEnded(.closed))) }
    run.post(id, method, params, completion)
  }

  func report(_ problem: Any) { self.problem = "\(problem)" }

  // MARK: Waiting

  /// Returns the frames from now on, until the core is closed.
  public func frames() -> AsyncStream<Frame> { subscriptions.stream { [$0] } }

  /// Returns the events with a name, from now on until the core is closed.
  /// - Parameter screen: The id of the screen; nil for all screens.
  public func events(screen: String? = nil, _ name: String) -> AsyncStream<Value> {
    events(screen, name) { $0 }
  }

  /// Returns the values that `read` creates from events. If it returns nil, the event is left out.
  func events<T: Sendable>(
    _ screen: String?, _ name: String, _ read: @escaping (Value) -> T?
  ) -> AsyncStream<T> {
    subscriptions.stream { frame in
      frame.events.filter { $0.name == name && (screen == nil || $0.screen == screen) }
        .compactMap { read($0.value) }
    }
  }

  /// Waits until a condition on the models holds.
  /// - Throws: ``CoreEnded``, or `CancellationError`.
  public func until(_ condition: @escaping @MainActor () -> Bool) async throws {
    try await subscriptions.until(ended, condition)
  }
}
