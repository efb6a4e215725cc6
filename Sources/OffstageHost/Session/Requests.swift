internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The answers to requests: at once, once their condition is met, or again for a repeated key.
@CoreActor
final class Requests {
  private let core: Core
  private let publisher: Publisher
  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) var limits: Limits
  @exclusivity(unchecked) private(set) var waiting: [WaitingRequest] = []
  /// The most recent requests with a key, by their keys, and the oldest first.
  private var keyed: [[UInt8]: KeyedRequest] = [:]
  private var keyedInOrder: [KeyedRequest] = []
  /// True if the state is kept. Then, those of these requests that have changed since it was last kept.
  private var keepsState = false
  @exclusivity(unchecked) private var changed: [KeyedRequest] = []
  @exclusivity(unchecked) private var removed: [KeyedRequest] = []
  /// The virtual clock's advance in progress, and the number of timers that it has fired.
  @exclusivity(unchecked) private var advance: (target: Duration, fired: Int)?

  init(_ core: Core, _ publisher: Publisher, _ limits: Limits) {
    self.core = core
    self.publisher = publisher
    self.limits = limits
  }

  /// True while the virtual clock is being advanced.
  var isAdvancing: Bool { advance != nil }

  var isEmpty: Bool { waiting.isEmpty && advance == nil }

  // MARK: Admission

  /// Throws an error if the request with this id is pending or its work is still running, since
  /// frames and cancellations name the id.
  func checkIsFree(_ id: RPCID) throws(RPCError) {
    if !waiting.isEmpty || core.hasRunningCauses { try checkIsNotPending(id) }
  }

  @inline(never)
  private func checkIsNotPending(_ id: RPCID) throws(RPCError) {
    if isWaiting(id) { throw .idIsPending }
    if core.runningCause(id: id.text) != nil {
      throw RPCError(
        .invalidRequest, "work started by a request with this id is still running")
    }
  }

  func isWaiting(_ id: RPCID) -> Bool { waiting.contains { $0.recipient?.has(id) == true } }

  /// Throws an error if no more requests may wait. A method that has effects before it waits calls
  /// this first, so that a rejected request has done nothing and can be sent again.
  func checkRoom() throws(RPCError) {
    guard waiting.reduce(0, { $0 + $1.responseCount }) < limits.inFlight else {
      throw RPCError(
        .overloaded, "\(limits.inFlight) requests wait for their responses; try again later")
    }
  }

  /// Returns a new request with a key; nil if it is a repetition, which gets the same response.
  @inline(never)
  func request(
    withKey key: [UInt8], _ method: Method, id: RPCID?, _ recipient: Recipient?
  ) throws(RPCError) -> KeyedRequest? {
    guard let request = keyed[key] else {
      if let id { try checkIsFree(id) }
      return add(key, method, recipient)
    }
    // The response to another method would have the wrong shape.
    guard request.method === method else {
      throw Params.invalid(
        "/key", expected: "key of no other method", found: "key of \(request.method.name)")
    }
    if let id, waiting.contains(where: { $0.recipient?.has(id) == true && !$0.isFor(request) }) {
      throw .idIsPending
    }
    if request.waits(for: recipient) { try checkRoom() }
    request.add(recipient)
    respondAgain(to: request)
    return nil
  }

  private func add(_ key: [UInt8], _ method: Method, _ recipient: Recipient?) -> KeyedRequest {
    // Waiting requests stay: `limits.inFlight` bounds them.
    if keyed.count >= KeyedRequest.limit,
      let oldest = keyedInOrder.first(where: { $0.response != nil })
    {
      remove(oldest)
    }
    let request = KeyedRequest(key, method, recipient)
    keyed[key] = request
    keyedInOrder.append(request)
    if keepsState { changed.append(request) }
    return request
  }

  private func remove(_ request: KeyedRequest) {
    keyed[request.key] = nil
    keyedInOrder.removeAll { $0 === request }
    if keepsState { removed.append(request) }
  }

  // MARK: The state

  var keys: JSON { .object(JSONObject(keyedInOrder.map { (key: $0.name, value: $0.state) })) }

  func noteStateChanges() { (keepsState, changed, removed) = (true, [], []) }

  var hasStateChanges: Bool { !changed.isEmpty || !removed.isEmpty }

  /// Writes the operations of a patch that takes `keys` in the state from when they were last kept to
  /// now.
  func writeStateChanges(to writer: inout JSONWriter) {
    defer { noteStateChanges() }
    func path(_ request: KeyedRequest) -> [UInt8] {
      Array("/session/keys".utf8).member(request.name)
    }
    for request in removed {
      // It may be new, too, and there must be something to remove.
      writer.add(at: path(request)) { $0.null() }
      writer.remove(at: path(request))
    }
    for request in changed where keyed[request.key] === request {
      writer.add(at: path(request)) { $0.json(request.state) }
    }
  }

  /// Takes the requests with a key that an earlier process has performed.
  func remember(_ states: JSON?) {
    for (key, state) in states?.object?.members ?? [] {
      guard let request = KeyedRequest(key: key, state: state) else { continue }
      keyed[request.key] = request
      keyedInOrder.append(request)
    }
  }

  // MARK: Answering

  /// Answers a request after its turn, now or once its condition is met.
  /// - Parameter result: nil if the request has been answered.
  @inline(__always)  // On the path of every line.
  func answer(_ recipient: Recipient?, _ result: MethodResult?, to call: RPCCall) {
    switch result {
    case nil: break
    case .revision:
      if let recipient { respondRevision(to: recipient) }
    case .revisionWith(let members):
      let result = (["revision": .int(publisher.revision)] as JSON).adding(members)
      respond(to: recipient, isBounded: true) { $0.endResponse { $0.json(result) } }
    case .now(let write): respond(to: recipient, isBounded: true) { $0.endResponse(write) }
    case .once(let condition):
      do throws(RPCError) {
        try checkRoom()
        if case .advanced(let target) = condition { advance = (target, 0) }
        waiting.append(WaitingRequest(recipient, call, condition))
      } catch { respond(to: recipient, error) }
    case .later(let operation):
      let request = WaitingRequest(recipient, call, .completed)
      waiting.append(request)
      core.becameBusy()
      request.operation = Task(executorPreference: CoreActor.executor) {
        await self.finish(request, operation)
      }
    case .failed(let error): respond(to: recipient, error)
    }
    turnEnded()
  }

  private func finish(
    _ request: WaitingRequest, _ operation: @CoreActor () async -> MethodResult.Completion
  ) async {
    request.completion = await operation()
    core.becameIdle()
  }

  /// Answers the requests whose condition is met, and takes the next step of an advancing clock.
  func turnEnded() {
    respondToWaiting()
    if advance != nil { moveClock() }
  }

  private func respondToWaiting() {
    guard !waiting.isEmpty else { return }
    // Ask once for each: a job from another thread may change the answer.
    var met: [WaitingRequest] = []
    waiting.removeAll { request in
      guard isMet(request) else { return false }
      met.append(request)
      return true
    }
    for request in met {
      guard let recipient = request.recipient else { continue }
      switch request.completion {
      case nil: respondRevision(to: recipient)
      case .success(let result):
        respond(to: recipient, isBounded: true) { $0.endResponse { $0.json(result) } }
      case .failure(let error): respond(to: recipient, error)
      }
    }
  }

  private func isMet(_ request: WaitingRequest) -> Bool {
    switch request.condition {
    case _ where request.completion != nil: true
    case .settled: core.isSettled && !core.hasBusyTimer && advance == nil
    case .advanced: advance == nil
    case .completed: false
    }
  }

  /// Cancels the work that a request started, and answers the request at the end of the turn if it is
  /// waiting.
  func cancel(_ id: RPCID) {
    let index = waiting.firstIndex { $0.recipient?.has(id) == true }
    let request = index.map { waiting.remove(at: $0) }
    // A request with a key may first have been sent under another id, or as a notification.
    var first = id.text
    if case .settled(let cause?) = request?.condition {
      core.cancelWork(of: cause)
      first = cause.id ?? first
    }
    core.cancelWork(ofRequest: first)
    guard let request else { return }
    if case .advanced = request.condition { advance = nil }
    request.operation?.cancel()
    request.completion = .failure(.canceled)
    waiting.insert(request, at: 0)
  }

  /// Answers the requests that are still waiting. Call it again after each line that follows.
  func close() {
    advance = nil
    for case let recipient? in waiting.map(\.recipient) { respond(to: recipient, .shuttingDown) }
    waiting = []
  }

  /// Forgets the requests of a front end that has left, apart from those with a key, which it may send
  /// again.
  func forgetFrontEnd() {
    waiting.removeAll { request in
      guard case .keyed(let keyed)? = request.recipient else { return true }
      _ = keyed.takeRecipients()
      return false
    }
  }

  // MARK: The clock

  /// Advances the clock by one timer, once everything that the previous one started has settled.
  /// Each timer is a turn with a frame of its own.
  private func moveClock() {
    guard let current = advance, core.isSettled else { return }
    if current.fired == limits.timers, core.clock.nextDeadline.map({ $0 <= current.target }) == true
    {
      stopClock(before: current.target)
    } else if core.clock.fireNext(dueBy: current.target) {
      advance?.fired += 1
      core.scheduleTurnEnd()
    } else {
      core.clock.move(to: current.target)
      advance = nil
      respondToWaiting()
    }
  }

  /// Ends an advance that has fired too many timers, at the time of the last one.
  private func stopClock(before target: Duration) {
    advance = nil
    let rest = Int((target - core.clock.now).milliseconds)
    let request = waiting.first { if case .advanced = $0.condition { true } else { false } }
    request?.completion = .failure(
      RPCError(
        .refused,
        "the clock stopped \(rest) ms short: \(limits.timers) timers have fired; advance it again to "
          + "continue",
        data: ["milliseconds": .int(rest)]))
    respondToWaiting()
  }

  // MARK: Writing

  private func respondRevision(to recipient: Recipient) {
    let revision = publisher.revision
    // The path of every input.
    if case .line(let id) = recipient {
      return publisher.output.line { $0.response(to: id, revision: revision) }
    }
    respond(to: recipient) { $0.endResponse { $0.json(["revision": .int(revision)]) } }
  }

  /// - Parameters:
  ///   - recipient: nil for a notification, which gets no response.
  ///   - isBounded: True to respond with an error if the batch's response would become too long.
  ///   - write: Writes what follows the id.
  @inline(never)
  private func respond(
    to recipient: Recipient?, isBounded: Bool = false, _ write: (inout JSONWriter) -> Void
  ) {
    func response(_ writer: inout JSONWriter, _ id: RPCID) {
      writer.beginResponse(to: id)
      write(&writer)
    }
    switch recipient {
    case nil: break
    case .line(let id): publisher.output.line { response(&$0, id) }
    case .batch(let batch, let id):
      batch.add(
        { response(&$0, id) }, limit: isBounded ? limits.out : .max,
        orElse: { $0.response(to: id, tooLongResponse) })
    case .keyed(let request):
      // Keep the response, and send it to each request with the key so far.
      var writer = JSONWriter()
      write(&writer)
      request.response = Array(writer.bytes)
      if keepsState { changed.append(request) }
      respondAgain(to: request)
    }
  }

  /// - Parameter recipient: nil for a notification, which gets an `error` notification.
  func respond(to recipient: Recipient?, _ error: RPCError) {
    guard let recipient else { return publisher.notify(error) }
    if case .keyed(let request) = recipient {
      // A rejected request has done nothing, so it can be sent again.
      if error.code == ErrorCode.overloaded.rawValue { remove(request) }
      if request.recipients.isEmpty { publisher.notify(error) }
    }
    respond(to: recipient) { $0.endResponse(error) }
  }

  /// Sends the kept response, if there is one yet, to each repetition of the request.
  private func respondAgain(to request: KeyedRequest) {
    guard let response = request.response else { return }
    for recipient in request.takeRecipients() { respond(to: recipient) { $0.raw(response) } }
  }

  var tooLongResponse: RPCError {
    RPCError(
      .overloaded,
      "the response to this batch is longer than \(limits.out) bytes; send fewer requests")
  }
}

/// A request whose response waits for a condition.
@CoreActor
final class WaitingRequest {
  /// nil for a notification, which gets no response.
  let recipient: Recipient?
  let method: String
  let condition: MethodResult.Condition
  fileprivate var operation: Task<Void, Never>?
  fileprivate var completion: MethodResult.Completion?

  fileprivate init(
    _ recipient: Recipient?, _ call: RPCCall, _ condition: MethodResult.Condition
  ) {
    (self.recipient, self.condition) = (recipient, condition)
    method = call.method.string ?? ""
  }

  fileprivate func isFor(_ request: KeyedRequest) -> Bool {
    if case .keyed(let own) = recipient { own === request } else { false }
  }

  /// The number of pending responses: more than one if the request has a key and was sent again.
  fileprivate var responseCount: Int {
    if case .keyed(let request) = recipient { max(request.recipients.count, 1) } else { 1 }
  }
}

enum Recipient {
  case line(RPCID)
  case batch(RPCBatch, RPCID)
  /// Every request with the key.
  case keyed(KeyedRequest)

  /// The id of the request; nil if only notifications have its key.
  var id: RPCID? {
    switch self {
    case .line(let id), .batch(_, let id): id
    case .keyed(let request): request.recipients.first?.id
    }
  }

  func has(_ id: RPCID) -> Bool {
    switch self {
    case .line(let own), .batch(_, let own): own == id
    case .keyed(let request): request.recipients.contains { $0.has(id) }
    }
  }
}

extension RPCError {
  fileprivate static var idIsPending: RPCError {
    RPCError(.invalidRequest, "a request with this id still waits for its response")
  }

  static var canceled: RPCError { RPCError(.requestCanceled, "request canceled") }

  static var shuttingDown: RPCError {
    RPCError(.requestCanceled, "request canceled: the core is shutting down")
  }
}

extension JSONWriter {
  /// Writes the response that most requests get.
  fileprivate mutating func response(to id: RPCID, revision: Int) {
    beginResponse(to: id)
    fragment(",\"result\":{\"revision\":")
    int(revision)
    fragment("}}")
  }
}
