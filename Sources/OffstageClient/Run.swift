/// One run of a core, from the connection to its end.
@MainActor
final class Run {
  typealias Completion = @MainActor (Result<Value, any Error>) -> Void

  /// True until the core has introduced itself.
  var isStarting = true
  private var ended: CoreEnded?
  /// True once this side ends the run.
  private var isClosing = false
  /// True while requests with a key wait for a core that goes on with the session.
  private var isHeld: Bool
  /// True once the core has introduced itself, and the requests that waited have been sent.
  private var isIntroduced = false
  private var transport: (any Transport)?
  private var receiving: Task<Void, Never>?
  private var lastID: Int
  private var lines = 0
  /// The requests that wait for their responses, by their ids.
  private var pending: [Int: Request] = [:]
  /// The requests that wait for the core, in order.
  private var waiting: [Request] = []
  /// The frames since one that did not fit, until a snapshot replaces them; nil while the document
  /// is up to date.
  private var missed: [Frame]?
  private var lifecycle: Lifecycle
  private var prompter = Prompter()
  private weak var core: RemoteCore?

  private struct Request {
    let id: Int
    let method: String
    let params: Value
    let completion: Completion
    var line = 0

    var hasKey: Bool { !params["key"].isNull }
  }

  /// - Parameter earlier: The run whose session this one may go on with; it has been closed.
  init(_ core: RemoteCore, after earlier: Run? = nil) {
    self.core = core
    lastID = earlier?.lastID ?? 0
    lifecycle = earlier?.lifecycle ?? Lifecycle()
    waiting = earlier?.waiting ?? []
    isHeld = earlier != nil
    earlier?.waiting = []
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
  /// - Parameter isFinal: False to keep what waits for the next run.
  func close(isFinal: Bool = true) async {
    if let transport {
      if !isClosing, ended == nil { post(newID(), "shutdown", [:]) { _ in } }
      isClosing = true
      await transport.close()
      await receiving?.value
    }
    if isFinal { drop() }
  }

  /// Sends the requests that have waited for the core, or fails them if it has started another
  /// session.
  func goOn(_ isSame: Bool) {
    (isHeld, isIntroduced) = (false, true)
    guard isSame else {
      lifecycle = Lifecycle()
      return drop()
    }
    for request in waiting { send(request) }
    waiting = []
  }

  private func drop() {
    isHeld = false
    let dropped = waiting
    waiting = []
    for request in dropped { request.completion(.failure(CoreEnded(.closed))) }
  }

  /// - Parameters:
  ///   - fault: The reason if this side ended the connection.
  ///   - end: The reason that the transport reports.
  private func finish(_ fault: CoreEnded?, _ end: CoreEnded) {
    let end = isClosing ? CoreEnded(.closed, log: end.log) : fault ?? end
    ended = end
    isHeld = core?.options.reconnect == true
    core?.finish(end, isExpected: isClosing)
    let unanswered = pending.values.sorted { $0.id < $1.id }
    pending = [:]
    waiting = unanswered.filter(\.hasKey) + waiting
    for request in unanswered where !request.hasKey { request.completion(.failure(end)) }
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
    var params = params
    if let core, core.options.reconnect, Self.changes(method) {
      let key = (name: "key", value: Value("\(core.keyPrefix)-\(id)"))
      params = Value(members: (params.members ?? []) + [key])
    }
    let request = Request(id: id, method: method, params: params, completion: completion)
    if isHeld, request.hasKey { waiting.append(request) } else { send(request) }
  }

  private func send(_ request: Request) {
    guard transport != nil, ended == nil else {
      return request.completion(.failure(ended ?? CoreEnded(.closed)))
    }
    pending[request.id] = request
    write(Message.request(request.id, request.method, request.params))
    pending[request.id]?.line = lines
  }

  private func write(_ line: String) {
    lines += 1
    transport?.send(line)
  }

  /// Returns true if a request changes something, so that the core must perform it only once.
  private static func changes(_ method: String) -> Bool {
    ["input", "answer", "field/check", "list/window", "clock/advance"].contains(method)
      || method.hasPrefix("navigation/")
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
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      return waiting.remove(at: index).completion(.failure(CancellationError()))
    }
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
    if frame.describesAgain { describeAgain() }
  }

  /// The app speaks another language.
  private func describeAgain() {
    post(newID(), "rpc.discover", [:]) { [weak core] in
      if case .success(let description) = $0 { core?.describe(description) }
    }
  }

  func showedFrame(_ core: RemoteCore) {
    prompter.update(core)
    if isIntroduced { lifecycle.update(core) }
  }
}
