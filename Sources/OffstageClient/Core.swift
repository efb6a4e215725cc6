public import Observation

/// A connection to a core, and the copy of its document.
/// ```swift
/// let core = Core { try ProcessTransport("showcase") }
/// try await core.start()
/// try await core.document.visible[0].input("confirm")
/// ```
/// A core that stops by itself is in ``ended``; the document stays as it was, and ``restart()`` starts
/// the core again.
@MainActor
@Observable
public final class Core {
  /// The introduction of this front end.
  public let options: Options
  /// The copy of the core's document. A restart begins a new one.
  public private(set) var document: Document!
  /// The core's introduction; nil until it has started.
  public private(set) var handshake: Handshake?
  /// The screens that the app can show; nil until the core has described them.
  public private(set) var description: AppDescription?
  /// Why the core is not running; nil while it is.
  public private(set) var ended: CoreEnded? = CoreEnded(.closed)
  /// The last problem that was not thrown at a caller, for a log or a banner.
  public private(set) var problem: String?

  @ObservationIgnored let subscriptions = Subscriptions()
  @ObservationIgnored private let connect: @Sendable () async throws -> any Transport
  /// The newest run; nil before a start, and once it has been closed.
  @ObservationIgnored private var run: Run?

  /// - Parameters:
  ///   - options: The introduction of this front end.
  ///   - connect: Opens a transport. ``restart()`` calls it again.
  public init(
    options: Options = Options(), connect: @escaping @Sendable () async throws -> any Transport
  ) {
    self.options = options
    self.connect = connect
    document = Document(core: self)
  }

  // MARK: From start to end

  /// Connects to the core and introduces the front end.
  /// - Precondition: The core is not running, and no other call is starting it.
  /// - Throws: ``CoreEnded`` if the core cannot be started or ends at once, or the error of the
  ///   transport.
  public func start() async throws {
    // A precondition's message would be lost in a release build.
    guard ended != nil, run?.isStarting != true else {
      fatalError("the core has been started already")
    }
    let run = Run(self)
    self.run = run
    defer { run.isStarting = false }
    do {
      let transport = try await connect()
      guard self.run === run else {
        await transport.close()
        throw CoreEnded(.closed)
      }
      (document, ended) = (Document(core: self), nil)
      run.serve(transport)
      handshake = Handshake(try await run.request("initialize", options.introduction))
      description = AppDescription(try await run.request("rpc.discover"))
    } catch {
      await close(run)
      throw error
    }
    run.showedFrame(self)
  }

  /// Shuts the core down, and waits for its end. A core that is connecting does not start.
  public func close() async {
    if let run { await close(run) }
  }

  private func close(_ run: Run) async {
    await run.close()
    if self.run === run { self.run = nil }
  }

  /// Ends the core if it is still running, and starts it again. While another call is starting it, does
  /// nothing, so that a button may be tapped twice.
  public func restart() async throws {
    if run?.isStarting == true { return }
    await close()
    if run == nil { try await start() }
  }

  /// Notes the end of the run.
  func finish(_ end: CoreEnded) {
    ended = end
    subscriptions.end(with: end)
  }

  // MARK: Requests

  /// Sends a request of any method, and waits for its result. Canceling the task cancels the request
  /// and the work that it has started.
  /// - Throws: ``Refusal`` or ``CoreEnded``, or `CancellationError` if the task is canceled.
  @discardableResult
  public func request(_ method: String, _ params: Value = [:]) async throws -> Value {
    try Task.checkCancellation()
    guard let run else { throw ended ?? CoreEnded(.closed) }
    return try await run.request(method, params)
  }

  /// Sends a request. A refusal is in ``problem``.
  func send(_ method: String, _ params: Value) {
    post(newID(), method, params) { [weak self] result in
      if case .failure(let error) = result { self?.report(error) }
    }
  }

  /// The id for a request; 0 while the core does not run.
  func newID() -> Int { run?.newID() ?? 0 }

  func post(_ id: Int, _ method: String, _ params: Value, _ completion: @escaping Run.Completion) {
    guard let run else { return completion(.failure(ended ?? CoreEnded(.closed))) }
    run.post(id, method, params, completion)
  }

  /// Notes a problem that is not thrown at a caller.
  func report(_ problem: Any) { self.problem = "\(problem)" }

  // MARK: Waiting

  /// The frames, from now on until the core ends.
  public func frames() -> AsyncStream<Frame> { subscriptions.stream { [$0] } }

  /// The one-off notifications of a screen, from now on.
  /// - Parameter screen: The id of the screen; nil for all.
  public func events(screen: String? = nil, _ name: String) -> AsyncStream<Value> {
    events(screen, name) { $0 }
  }

  /// The events that `read` makes a value of.
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
