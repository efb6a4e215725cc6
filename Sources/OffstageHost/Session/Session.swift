package import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// One front end's conversation with one core: lines in, lines out, no descriptors.
///
/// A request is handled at once, and answered after every frame that it caused at once. What cannot
/// be answered yet waits in `waiting`, and is looked at again whenever a turn ends.
@CoreActor
package final class Session {
  package let core: Core
  let limits: Limits
  let app: AppInfo
  /// What has to be written to the front end.
  @exclusivity(unchecked) var output = OutputQueue()
  package private(set) var isShuttingDown = false

  private let text = JSONText()
  @exclusivity(unchecked) private var frames = FrameWriter()
  @exclusivity(unchecked) private var waiting: [WaitingRequest] = []
  private var isInitialized = false
  private var advance: Duration?

  init(core: Core, app: AppInfo, limits: Limits) {
    self.core = core
    self.app = app
    self.limits = limits
    // Both ways strongly, until `close`: a session that is pointed at weakly is slow to retain.
    core.onTurnEnd = { self.turnEnded() }
    core.onFault = { self.notify(.internalError($0.description)) }
  }

  // MARK: Lines in

  /// Whether the next line may come: a clock that is being advanced comes first.
  package var isReady: Bool { advance == nil && !isShuttingDown && !output.isOverfull }

  /// Whether lines wait for a clock that is being advanced.
  var isAdvancing: Bool { advance != nil }

  /// Handles one line.
  package func receive(_ bytes: UnsafeRawBufferPointer, line: Int) {
    do {
      try text.read(bytes, depth: limits.depth)
    } catch {
      return refuse(
        .parseError(
          "Parse error: \(error)",
          data: ["line": .number(JSONNumber(line)), "offset": .number(JSONNumber(error.offset))]))
    }
    text.withRoot { handle($0, line: line) }
  }

  private func handle(_ root: JSONView, line: Int) {
    do throws(RPCInvalidRequest) {
      switch try RPCMessage(root, line: line) {
      case .single(let view):
        let call = try RPCCall(view, line: line)
        handle(call, slot: ResponseSlot(call.id))
      case .batch(let views): handle(views, line: line)
      }
    } catch {
      respond(to: ResponseSlot(error.id), error.error)
    }
  }

  /// Answers a line that never became a request.
  func refuse(_ error: RPCError) { respond(to: .line(.null), error) }

  private func handle(_ views: [JSONView], line: Int) {
    let calls = views.map { view in
      Result { () throws(RPCInvalidRequest) in try RPCCall(view, line: line) }
    }
    let answers = calls.count(where: \.isAnswered)
    let batch = RPCBatch(expecting: answers) { [unowned self] in output.write($0) }
    for call in calls {
      switch call {
      case .success(let call): handle(call, slot: call.id.map { .batch(batch, $0) })
      case .failure(let refusal):
        respond(to: refusal.id.map { .batch(batch, $0) }, refusal.error)
      }
    }
  }

  private func handle(_ call: RPCCall, slot: ResponseSlot?) {
    core.turn(of: call.id?.text) {
      do throws(RPCError) {
        let answer = try perform(call)
        publish()
        try give(answer, to: slot)
      } catch {
        publish()
        respond(to: slot, error)
      }
    }
  }

  private func perform(_ call: RPCCall) throws(RPCError) -> Answer {
    guard let method = Method.named(call.method) else {
      let name = call.method.string ?? ""
      throw .methodNotFound("There is no method \"\(name)\". rpc.discover lists all.")
    }
    if let id = call.id, waiting.contains(where: { $0.slot?.id == id }) {
      throw .invalidRequest("The id is that of a request that still waits for its response.")
    }
    let params = try Params(call.params)
    if !isInitialized, method.initializes { try initialize(capabilities: []) }
    return try method.handle(params, self)
  }

  // MARK: What methods ask of the session

  /// Shows the app to a front end; once.
  /// - Parameter capabilities: the prompt kinds that the front end can answer.
  func initialize(capabilities: Set<String>) throws(RPCError) {
    guard !isInitialized else { throw .invalidRequest("The core is initialized already.") }
    core.capabilities = capabilities
    do { try core.start() } catch {
      throw .internalError("The app's first screen cannot be shown. \(error)")
    }
    isInitialized = true
    publish()
  }

  /// Ends what a waiting request started, and answers it.
  func cancel(_ id: RPCID) {
    guard let index = waiting.firstIndex(where: { $0.slot?.id == id }) else { return }
    let request = waiting.remove(at: index)
    if let cause = request.cause { core.cancelWork(of: cause) }
    if case .advanced = request.condition { advance = nil }
    publish()
    if let slot = request.slot {
      respond(to: slot, RPCError(.cancelled, "The request was cancelled."))
    }
  }

  func shutDown() { isShuttingDown = true }

  // MARK: Answers

  private func give(_ answer: Answer, to slot: ResponseSlot?) throws(RPCError) {
    switch answer {
    case .now(let write):
      if let slot { respond(to: slot, write) }
    case .revision:
      if let slot { respondRevision(to: slot) }
    case .once(let condition):
      try checkRoom()
      if case .advanced(let target) = condition { advance = target }
      waiting.append(WaitingRequest(slot: slot, condition: condition, cause: core.cause))
      answerWaiting()
    }
  }

  /// Refuses to let one more request wait than may. What does something before it waits asks first:
  /// a refused request has done nothing, so that it can be sent again.
  func checkRoom() throws(RPCError) {
    guard waiting.count < limits.inFlight else {
      throw RPCError(
        .overloaded,
        "Too many requests wait for their responses (\(limits.inFlight)); try again later.")
    }
  }

  private func answerWaiting() {
    guard !waiting.isEmpty else { return }
    let met = waiting.filter { isMet($0) }
    guard !met.isEmpty else { return }
    waiting.removeAll { isMet($0) }
    for case let slot? in met.map(\.slot) { respondRevision(to: slot) }
  }

  private func isMet(_ request: WaitingRequest) -> Bool {
    switch request.condition {
    case .settled: core.isSettled && advance == nil
    case .finished: request.cause?.isFinished ?? true
    case .advanced: advance == nil
    }
  }

  private func respondRevision(to slot: ResponseSlot) {
    let revision = frames.revision
    switch slot {
    case .line(let id): output.line { $0.response(to: id, revision: revision) }
    case .batch(let batch, let id): batch.add { $0.response(to: id, revision: revision) }
    }
  }

  private func respond(to slot: ResponseSlot, _ result: (inout JSONWriter) -> Void) {
    switch slot {
    case .line(let id): output.line { $0.response(to: id, result) }
    case .batch(let batch, let id): batch.add { $0.response(to: id, result) }
    }
  }

  /// - Parameter slot: nil for a notification, which is not answered: the fault is told.
  private func respond(to slot: ResponseSlot?, _ error: RPCError) {
    switch slot {
    case nil: notify(error)
    case .line(let id): output.line { $0.response(to: id, error) }
    case .batch(let batch, let id): batch.add { $0.response(to: id, error) }
    }
  }

  /// Tells of a fault that has no request to answer.
  private func notify(_ error: RPCError) {
    output.line { $0.notification("error") { error.write(to: &$0) } }
  }

  // MARK: Turns

  /// Publishes what has changed, unless the front end is behind: then one frame will say it all.
  func publish(evenIfBehind: Bool = false) {
    guard core.hasChanges, evenIfBehind || !output.isBehind else { return }
    core.publish { frames.write(&$0, of: core, to: &output) }
    if !output.writer.failures.isEmpty { tellFailures() }
  }

  /// Tells of the values that could not be sent, once the line that lacks them is whole.
  private func tellFailures() {
    let failures = output.writer.failures
    output.writer.failures = []
    for failure in failures { notify(.internalError(failure)) }
  }

  private func turnEnded() {
    publish()
    // Before the clock moves: what the next timer changes is published at the end of its own turn,
    // and a response must follow the frames that belong to it.
    answerWaiting()
    moveClock()
  }

  /// Advances the clock by one timer, once all that the one before started has come to rest. Each
  /// timer that fires is a turn with a frame of its own.
  private func moveClock() {
    guard let target = advance, core.isSettled else { return }
    if core.clock.fireNext(dueBy: target) {
      core.scheduleTurnEnd()
    } else {
      core.clock.move(to: target)
      advance = nil
      answerWaiting()
    }
  }

  /// Writes the document as it is now.
  func writeSnapshot(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("revision")
    writer.int(frames.revision)
    writer.key("state")
    Document.write(core, to: &writer)
    writer.endObject()
    // What is in the document has been in a frame, and so has been told.
    writer.failures = []
  }

  var revision: Int { frames.revision }

  /// Takes what was written so far, as lines without their ends.
  package func takeOutput() -> [String] { output.takeLines() }

  // MARK: The end

  /// Whether nothing is under way that could still lead to a response or a frame.
  package var isAtRest: Bool { core.isSettled && waiting.isEmpty && advance == nil }

  /// Whether nothing will happen any more unless something comes in: what waits then waits in vain.
  var isStuck: Bool {
    core.isSettled && advance == nil && (core.clock.isVirtual || core.clock.nextDeadline == nil)
  }

  /// Answers what still waits when the core goes: no answer is ever lost.
  package func close() {
    publish(evenIfBehind: true)
    for case let slot? in waiting.map(\.slot) {
      respond(to: slot, RPCError(.cancelled, "The request was cancelled: the core is going."))
    }
    waiting = []
    advance = nil
    core.onTurnEnd = {}
    core.onFault = { _ in }
  }
}
