/// One run of a core, from the connection to its end.
@MainActor
final class Run {
  typealias Completion = @MainActor (Result<Value, any Error>) -> Void

  /// True until the core has introduced itself.
  var isStarting = true
  private var ended: CoreEnded?
  private var isClosing = false
  private var transport: (any Transport)?
  private var receiving: Task<Void, Never>?
  private var lastID = 0
  /// The requests that wait for their responses, by their ids.
  private var pending: [Int: Completion] = [:]
  /// The frames since one that did not fit, until a snapshot replaces them; nil while the document
  /// is up to date.
  private var missed: [Frame]?
  private var lifecycle = Lifecycle()
  private var prompter = Prompter()
  private weak var core: RemoteCore?

  init(_ core: RemoteCore) { self.core = core }

  deinit { receiving?.cancel() }

  /// Handles the messages that a transport receives.
  func serve(_ transport: any Transport) {
    self.transport = transport
    // Detached, so that lines are parsed off the main thread.
    receiving = Task.detached { [weak self] in
      var fault: CoreEnded?
      while fault == nil, let line = await transport.receive() {
        do throws(CoreEnded) {
          let message = try Message(line)
          await self?.handle(message)
        } catch {
          fault = error
          await transport.close()
        }
      }
      if !Task.isCancelled { await self?.finish(fault, await transport.end()) }
    }
  }

  /// Shuts the core down and waits for it to end.
  func close() async {
    guard let transport else { return }
    if !isClosing, ended == nil { post(newID(), "shutdown", [:]) { _ in } }
    isClosing = true
    await transport.close()
    await receiving?.value
  }

  /// - Parameters:
  ///   - fault: The reason if this side ended the connection.
  ///   - end: The reason that the transport reports.
  private func finish(_ fault: CoreEnded?, _ end: CoreEnded) {
    let end = isClosing ? CoreEnded(.closed, log: end.log) : fault ?? end
    ended = end
    core?.finish(end)
    let unanswered = pending.sorted { $0.key < $1.key }
    pending = [:]
    for (_, completion) in unanswered { completion(.failure(end)) }
    prompter.stop()
  }

  // MARK: Requests

  func newID() -> Int {
    lastID += 1
    return lastID
  }

  /// Sends a request.
  /// - Parameter completion: Called with the response before any later message is handled.
  func post(_ id: Int, _ method: String, _ params: Value, _ completion: @escaping Completion) {
    guard let transport, ended == nil else {
      return completion(.failure(ended ?? CoreEnded(.closed)))
    }
    pending[id] = completion
    transport.send(Message.request(id, method, params))
  }

  func request(_ method: String, _ params: Value = [:]) async throws -> Value {
    let id = newID()
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          post(id, method, params) { continuation.resume(with: $0) }
        }
      } onCancel: {
        Task { @MainActor in self.cancel(id) }
      }
    } catch let refusal as Refusal where refusal.code == .canceled && Task.isCancelled {
      throw CancellationError()
    }
  }

  private func cancel(_ id: Int) {
    guard pending[id] != nil else { return }
    transport?.send(Message.request(nil, "$/cancelRequest", ["id": Value(id)]))
  }

  // MARK: Messages

  private func handle(_ message: Message) {
    guard let core else { return }
    switch message {
    case .notification("frame", let params):
      if let frame = Frame(params) { receive(frame, core) }
    case .notification("error", let error): core.report(Refusal(error))
    case .notification("log", let record): core.options.onLog?(record)
    // A newer core may send other notifications.
    case .notification: break
    case .fault(let fault): core.report(fault)
    case .response(let id, let result):
      pending.removeValue(forKey: id)?(result.mapError { $0 })
    }
    core.subscriptions.checkConditions()
  }

  private func receive(_ frame: Frame, _ core: RemoteCore) {
    guard missed == nil else {
      missed?.append(frame)
      return
    }
    do {
      if try core.document.apply(frame) { publish(frame, core) }
    } catch {
      core.report("frame \(frame.revision): \(error); asking for a snapshot")
      missed = [frame]
      post(newID(), "state/snapshot", [:]) { [weak self] in self?.restore($0) }
    }
  }

  /// Replaces the missed frames with a snapshot. Without a snapshot, the next frame requests
  /// another.
  private func restore(_ snapshot: Result<Value, any Error>) {
    let frames = missed ?? []
    missed = nil
    guard let core, case .success(let snapshot) = snapshot else { return }
    let frame = Frame(replacing: frames, by: snapshot)
    do { try core.document.apply(frame) } catch { core.report("snapshot: \(error)") }
    publish(frame, core)
  }

  private func publish(_ frame: Frame, _ core: RemoteCore) {
    if let cause = frame.cause.int {
      for screen in core.document.screens.values { screen.reconcile(cause) }
    }
    showedFrame(core)
    core.subscriptions.publish(frame)
    if frame.describesAgain { describeAgain() }
  }

  /// Reads the description again: the app speaks another language.
  private func describeAgain() {
    post(newID(), "rpc.discover", [:]) { [weak core] in
      if case .success(let description) = $0 { core?.describe(description) }
    }
  }

  /// Runs the prompt handlers and sends the lifecycle inputs that the document calls for.
  func showedFrame(_ core: RemoteCore) {
    prompter.update(core)
    if core.options.sendsLifecycle { lifecycle.update(core) }
  }
}
