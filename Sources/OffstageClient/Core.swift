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
  /// The reason for which the core does not run; nil while it does.
  public private(set) var ended: CoreEnded? = CoreEnded(.closed)
  /// The last problem that was not thrown at a caller, for a log or a banner.
  public private(set) var problem: String?

  @ObservationIgnored private let connect: @Sendable () async throws -> any Transport
  @ObservationIgnored private var transport: (any Transport)?
  @ObservationIgnored private var receiving: Task<Void, Never>?
  @ObservationIgnored private var isStarting = false
  @ObservationIgnored private var isClosing = false
  @ObservationIgnored private var conversation = Conversation()
  @ObservationIgnored private let subscriptions = Subscriptions()
  @ObservationIgnored private var lifecycle = Lifecycle()
  @ObservationIgnored private var prompter = Prompter()

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

  deinit { receiving?.cancel() }

  // MARK: From start to end

  /// Connects to the core and introduces the front end.
  /// - Precondition: The core is not running, and no other call is starting it.
  /// - Throws: ``CoreEnded`` if the core cannot be started or ends at once, or the error of the
  ///   transport.
  public func start() async throws {
    // A precondition's message would be lost in a release build.
    guard transport == nil, !isStarting else { fatalError("the core has been started already") }
    isStarting = true
    defer { isStarting = false }
    let transport = try await connect()
    self.transport = transport
    document = Document(core: self)
    conversation = Conversation()
    lifecycle = Lifecycle()
    ended = nil
    isClosing = false
    // Detached, so that lines are parsed off the main thread.
    receiving = Task.detached { [weak self] in
      var end: CoreEnded?
      while end == nil, let line = await transport.receive() {
        do throws(CoreEnded) {
          let message = try Message(line)
          await self?.handle(message)
        } catch {
          end = error
          await transport.close()
        }
      }
      if !Task.isCancelled { await self?.finish(end, await transport.end()) }
    }
    do {
      handshake = Handshake(try await request("initialize", options.introduction))
      description = AppDescription(try await request("rpc.discover"))
    } catch {
      await close()
      throw error
    }
    showedFrame()
  }

  /// Shuts the core down, and waits for its end.
  public func close() async {
    guard let transport else { return }
    isClosing = true
    if ended == nil { post("shutdown", [:]) { _ in } }
    await transport.close()
    await receiving?.value
    self.transport = nil
    receiving = nil
  }

  /// Ends the core if it is still running, and starts it again. While another call is starting it, does
  /// nothing, so that a button may be tapped twice.
  public func restart() async throws {
    await close()
    if isStarting { return }
    try await start()
  }

  // MARK: Requests

  /// Sends a request of any method, and waits for its result. Canceling the task cancels the request
  /// and the work that it has started.
  /// - Throws: ``Refusal`` or ``CoreEnded``, or `CancellationError` if the task is canceled.
  @discardableResult
  public func request(_ method: String, _ params: Value = [:]) async throws -> Value {
    try Task.checkCancellation()
    let id = nextID
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          post(method, params) { continuation.resume(with: $0) }
        }
      } onCancel: {
        Task { @MainActor in self.cancel(id) }
      }
    } catch let refusal as Refusal where refusal.code == .canceled && Task.isCancelled {
      throw CancellationError()
    }
  }

  var nextID: Int { conversation.lastID + 1 }

  /// Sends a request.
  /// - Parameter completion: Called with the response before any later message is handled.
  func post(
    _ method: String, _ params: Value, _ completion: @escaping Conversation.Completion
  ) {
    guard let transport, ended == nil else {
      return completion(.failure(ended ?? CoreEnded(.closed)))
    }
    transport.send(Message.request(conversation.add(completion), method, params))
  }

  private func cancel(_ id: Int) {
    guard conversation.isPending(id), ended == nil else { return }
    transport?.send(Message.request(nil, "$/cancelRequest", ["id": .init(integerLiteral: id)]))
  }

  /// Notes a problem that is not thrown at a caller.
  func report(_ problem: String) { self.problem = problem }

  // MARK: Messages

  private func handle(_ message: Message) {
    switch message {
    case .notification("frame", let params):
      if let frame = Frame(params) { receive(frame) }
    case .notification("error", let error): report("\(Refusal(error))")
    case .notification("log", let record): options.onLog?(record)
    // A newer core may send more.
    case .notification: break
    case .fault(let fault): report("\(fault)")
    case .response(let id, let result): conversation.take(id)?(result.mapError { $0 })
    }
    subscriptions.checkConditions()
  }

  private func receive(_ frame: Frame) {
    if conversation.missed == nil {
      do {
        try document.apply(frame)
        return publish(frame)
      } catch {
        report("frame \(frame.revision): \(error); asking for a snapshot")
      }
    }
    if conversation.miss(frame) { askForSnapshot() }
  }

  private func askForSnapshot() {
    post("state/snapshot", [:]) { [weak self] result in
      guard let self else { return }
      guard case .success(let snapshot) = result else { return conversation.giveUp() }
      let frame = conversation.restore(snapshot)
      do { try document.apply(frame) } catch { report("snapshot: \(error)") }
      publish(frame)
    }
  }

  private func publish(_ frame: Frame) {
    if let cause = frame.cause.int {
      for screen in document.screens.values { screen.reconcile(cause) }
    }
    showedFrame()
    subscriptions.publish(frame)
  }

  private func showedFrame() {
    prompter.update(self)
    if options.sendsLifecycle { lifecycle.update(self) }
  }

  /// - Parameters:
  ///   - fault: The reason if this side has ended the connection.
  ///   - end: The reason that the transport knows.
  private func finish(_ fault: CoreEnded?, _ end: CoreEnded) {
    let end = isClosing ? CoreEnded(.closed, log: end.log) : fault ?? end
    ended = end
    for completion in conversation.takeAll() { completion(.failure(end)) }
    prompter.stop()
    subscriptions.end(with: end)
  }

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
