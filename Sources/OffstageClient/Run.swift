/// One run of a core, from the connection to its end.
@MainActor
final class Run {
  typealias Completion = @MainActor (Result<Value, any Error>) -> Void

  /// True until the core has introduced itself.
  var isStarting = true
  private var ended: CoreEnded?
  /// True once this side ends the run.
  private var isClosing = false
  /// True once the core has introduced itself.
  private var isIntroduced = false
  private var transport: (any Transport)?
  private var receiving: Task<Void, Never>?
  private var lastID: Int
  private var lines = 0
  /// The requests that wait for their responses, by their ids.
  private var pending: [Int: Request] = [:]
  /// The frames since one that did not fit, until a snapshot replaces them; nil while the document
  /// is up to date.
  private var missed: [Frame]?
  private var lifecycle: Lifecycle
  private var prompter = Prompter()
  private weak var core: RemoteCore?

  private struct Request {
    let id: Int
    let line: Int
    let completion: Completion
  }

  /// - Parameter earlier: The run whose session this one may go on with; it has been closed.
  init(_ core: RemoteCore, after earlier: Run? = nil) {
    self.core = core
    lastID = earlier?.lastID ?? 0
    lifecycle = earlier?.lifecycle ?? Lifecycle()
  }

  deinit { receiving?.cancel() }

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

  /// - Parameter isSame: True if the core goes on with the session of the earlier run.
  func goOn(_ isSame: Bool) {
    isIntroduced = true
    if !isSame { lifecycle = Lifecycle() }
  }

  /// - Parameters:
  ///   - fault: The reason if this side ended the connection.
  ///   - end: The reason that the transport reports.
  private func finish(_ fault: CoreEnded?, _ end: CoreEnded) {
    let end = isClosing ? CoreEnded(.closed, log: end.log) : fault ?? end
    ended = end
    core?.finish(end, isExpected: isClosing)
    let unanswered = pending.values.sorted { $0.id < $1.id }
    pending = [:]
    for request in unanswered { request.completion(.failure(end)) }
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
    guard transport != nil, ended == nil else {
      return completion(.failure(ended ?? CoreEnded(.closed)))
    }
    pending[id] = Request(id: id, line: lines + 1, completion: completion)
    write(Message.request(id, method, params))
  }

  private func write(_ line: String) {
    lines += 1
    transport?.send(line)
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
    write(Message.request(nil, "$/cancelRequest", ["id": Value(id)]))
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
    case .fault(let fault): refuse(fault, core)
    case .response(let id, let result):
      pending.removeValue(forKey: id)?.completion(result.mapError { $0 })
    }
    core.subscriptions.checkConditions()
  }

  /// Refuses the request in a line that the core could not read, so not even its id.
  private func refuse(_ fault: Refusal, _ core: RemoteCore) {
    let line = fault.code == .parseError ? fault.data["line"].int : nil
    guard let request = pending.values.first(where: { $0.line == line }) else {
      return core.report(fault)
    }
    pending[request.id] = nil
    request.completion(.failure(fault))
  }

  private func receive(_ frame: Frame, _ core: RemoteCore) {
    guard missed == nil else {
      missed?.append(frame)
      // It is as good as the snapshot, which may fail.
      if frame.isWhole { restore(frame.revision, frame.patch[0]["value"]) }
      return
    }
    do {
      if try core.document.apply(frame) { publish(frame, core) }
    } catch {
      core.report("frame \(frame.revision): \(error); asking for a snapshot")
      missed = [frame]
      post(newID(), "state/snapshot", [:]) { [weak self] result in
        if case .success(let snapshot) = result {
          self?.restore(snapshot["revision"].int ?? 0, snapshot["state"])
        } else {
          // The next frame requests another.
          self?.missed = nil
        }
      }
    }
  }

  private func restore(_ revision: Int, _ document: Value) {
    let frames = missed ?? []
    missed = nil
    guard let core else { return }
    let frame = Frame(revision, replacing: frames, by: document)
    do { try core.document.apply(frame) } catch { core.report("snapshot: \(error)") }
    publish(frame, core)
  }

  private func publish(_ frame: Frame, _ core: RemoteCore) {
    if let cause = frame.cause.int {
      for screen in core.document.screens.values { screen.reconcile(cause) }
    }
    showedFrame(core)
    core.subscriptions.publish(frame)
    // The app speaks another language.
    guard frame.describesAgain else { return }
    post(newID(), "rpc.discover", [:]) { [weak core] in
      if case .success(let description) = $0 { core?.describe(description) }
    }
  }

  func showedFrame(_ core: RemoteCore) {
    prompter.update(core)
    if isIntroduced { lifecycle.update(core) }
  }
}
