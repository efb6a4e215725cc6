internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The result of a method.
enum MethodResult {
  /// The document's revision, after the frame of the request's turn.
  case revision
  /// The revision, and the outcome of a navigation.
  case outcome(NavigationOutcome)
  /// A custom result.
  case now((inout JSONWriter) -> Void)
  /// The revision, once a condition is met.
  case once(Condition)
  /// A custom result, once an operation has finished.
  case later(@CoreActor () async -> Completion)

  typealias Completion = Result<JSON, RPCError>

  enum Condition {
    /// Nothing more will happen until the user, the device, or the clock acts.
    case settled(Method)
    /// The clock has reached this time.
    case advanced(to: Duration)
    /// The operation has finished.
    case completed
  }
}

@CoreActor
final class WaitingRequest {
  /// nil for a notification, which gets no response.
  let slot: ResponseSlot?
  let condition: MethodResult.Condition
  let cause: Cause?
  /// The operation, and its result once it has finished.
  var operation: Task<Void, Never>?
  var completion: MethodResult.Completion?

  init(_ slot: ResponseSlot?, _ condition: MethodResult.Condition, _ cause: Cause? = nil) {
    (self.slot, self.condition, self.cause) = (slot, condition, cause)
  }

  func isFor(_ request: KeyedRequest) -> Bool {
    if case .keyed(let own) = slot { own === request } else { false }
  }

  /// The number of pending responses: more than one if the request has a key and was sent again.
  var slotCount: Int {
    if case .keyed(let request) = slot { max(request.slots.count, 1) } else { 1 }
  }

  var method: String {
    switch condition {
    case .settled(let method): method.name
    case .advanced: "clock/advance"
    case .completed: "resource/read"
    }
  }
}

enum ResponseSlot {
  case line(RPCID)
  case batch(RPCBatch, RPCID)
  case keyed(KeyedRequest)

  /// The id of the request; nil if only notifications have its key.
  var id: RPCID? {
    switch self {
    case .line(let id), .batch(_, let id): id
    case .keyed(let request): request.slots.first?.id
    }
  }

  /// Returns true if a request with this id gets the response.
  func has(_ id: RPCID) -> Bool {
    switch self {
    case .line(let own), .batch(_, let own): own == id
    case .keyed(let request): request.slots.contains { $0.has(id) }
    }
  }
}

// MARK: Responding

extension Session {
  /// Answers a request, now or once its condition is met.
  func give(_ result: MethodResult, to slot: ResponseSlot?) throws(RPCError) {
    switch result {
    case .revision:
      if let slot { respondRevision(to: slot) }
    case .outcome(let outcome):
      let result: JSON = ["revision": .int(revision), "outcome": .string(outcome.rawValue)]
      respond(to: slot, isBounded: true) { $0.endResponse { $0.json(result) } }
    case .now(let write): respond(to: slot, isBounded: true) { $0.endResponse(write) }
    case .once(let condition):
      try checkRoom()
      if case .advanced(let target) = condition { advance = Advance(target: target) }
      waiting.append(WaitingRequest(slot, condition, core.cause))
      respondToWaiting()
    case .later(let operation):
      let request = WaitingRequest(slot, .completed)
      waiting.append(request)
      core.becameBusy()
      request.operation = Task(executorPreference: CoreActor.executor) {
        await self.finish(request, operation)
      }
    }
  }

  private func finish(
    _ request: WaitingRequest, _ operation: @CoreActor () async -> MethodResult.Completion
  ) async {
    request.completion = await operation()
    core.becameIdle()
  }

  func respondToWaiting() {
    guard !waiting.isEmpty else { return }
    // Ask once for each: a job from another thread may change the answer.
    var met: [WaitingRequest] = []
    waiting.removeAll { request in
      guard isMet(request) else { return false }
      met.append(request)
      return true
    }
    for request in met {
      guard let slot = request.slot else { continue }
      switch request.completion {
      case nil: respondRevision(to: slot)
      case .success(let result):
        respond(to: slot, isBounded: true) { $0.endResponse { $0.json(result) } }
      case .failure(let error): respond(to: slot, error)
      }
    }
  }

  private func isMet(_ request: WaitingRequest) -> Bool {
    switch request.condition {
    case .settled: core.checkSettled() && !core.hasBusyTimer && advance == nil
    case .advanced: advance == nil
    case .completed: request.completion != nil
    }
  }

  private func respondRevision(to slot: ResponseSlot) {
    // The path of every input.
    if case .line(let id) = slot { return output.line { $0.response(to: id, revision: revision) } }
    respond(to: slot) { $0.endResponse { $0.json(["revision": .int(revision)]) } }
  }

  /// - Parameters:
  ///   - slot: nil for a notification, which gets no response.
  ///   - isBounded: True to respond with an error if the batch's response would become too long.
  ///   - write: Writes what follows the id.
  @inline(never)
  private func respond(
    to slot: ResponseSlot?, isBounded: Bool = false, _ write: (inout JSONWriter) -> Void
  ) {
    func response(_ writer: inout JSONWriter, _ id: RPCID) {
      writer.beginResponse(to: id)
      write(&writer)
    }
    switch slot {
    case nil: break
    case .line(let id): output.line { response(&$0, id) }
    case .batch(let batch, let id):
      batch.add(
        { response(&$0, id) }, limit: isBounded ? limits.out : .max,
        orElse: { $0.response(to: id, tooLongResponse) })
    case .keyed(let request): keep(request, write)
    }
  }

  /// - Parameter slot: nil for a notification, which gets an `error` notification.
  func respond(to slot: ResponseSlot?, _ error: RPCError) {
    guard let slot else { return notify(error) }
    if case .keyed(let request) = slot {
      // A rejected request has done nothing, so it can be sent again.
      if error.code == ErrorCode.overloaded.rawValue { keyed.remove(request) }
      if request.slots.isEmpty { notify(error) }
    }
    respond(to: slot) { $0.endResponse(error) }
  }

  /// Sends the kept response, if there is one yet, to each repetition of the request.
  func respondAgain(to request: KeyedRequest) {
    guard let response = request.response else { return }
    for slot in request.takeSlots() { respond(to: slot) { $0.raw(response) } }
  }

  /// Keeps the response to a keyed request, and sends it to each request with the key so far.
  /// - Parameter write: Writes what follows the id.
  @inline(never)
  private func keep(_ request: KeyedRequest, _ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    request.response = Array(writer.bytes)
    respondAgain(to: request)
  }

  func notify(_ error: RPCError) {
    output.line { $0.notification("error") { error.write(to: &$0) } }
  }

  var tooLongResponse: RPCError {
    RPCError(
      .overloaded,
      "the response to this batch is longer than \(limits.out) bytes; send fewer requests")
  }
}

extension RPCError {
  static var idIsPending: RPCError {
    RPCError(.invalidRequest, "a request with this id still waits for its response")
  }

  static var canceled: RPCError { RPCError(.requestCanceled, "request canceled") }

  static var shuttingDown: RPCError {
    RPCError(.requestCanceled, "request canceled: the core is shutting down")
  }
}

extension JSONWriter {
  /// Writes the response that most requests get.
  mutating func response(to id: RPCID, revision: Int) {
    beginResponse(to: id)
    fragment(",\"result\":{\"revision\":")
    int(revision)
    fragment("}}")
  }
}
