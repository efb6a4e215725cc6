package import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The name and version of the app.
package struct AppInfo: Sendable {
  package let name: String
  package let version: String
}

/// One front end's conversation with one core: lines in, lines out, no descriptors.
///
/// A request is handled immediately, and answered after the frame of its turn. A request that
/// cannot be answered yet is kept in `waiting`, which is checked whenever a turn ends.
@CoreActor
package final class Session {
  package let core: Core
  @exclusivity(unchecked) var limits: Limits
  let app: AppInfo
  /// The hash of the app's description; nil for an app that cannot be described.
  let schemaHash: String?
  /// The id by which a front end that reconnects recognizes this run.
  let id: String
  @exclusivity(unchecked) var output = OutputQueue()
  @exclusivity(unchecked) var waiting: [WaitingRequest] = []
  var keyed = KeyedRequests()
  /// The virtual clock's advance in progress.
  @exclusivity(unchecked) var advance: Advance?
  /// The requests on the present line that were canceled while it waited.
  @exclusivity(unchecked) var canceled: Set<RPCID> = []
  /// True if the front end can open files on this machine.
  private(set) var sharesFiles = false
  var log = LogReaders()
  @exclusivity(unchecked) var losses = Losses()
  @exclusivity(unchecked) package private(set) var isShuttingDown = false

  let text = JSONText()
  @exclusivity(unchecked) var frames = FrameWriter()
  private var isInitialized = false

  init(core: Core, app: AppInfo, schemaHash: String?, limits: Limits) {
    self.core = core
    self.app = app
    self.schemaHash = schemaHash
    self.limits = limits
    core.screenLimit = limits.screens
    // Every deterministic run is the same, including its id.
    id = core.clock.isVirtual ? "0" : UInt64.random(in: .min ... .max).hexadecimal()
    // A retain cycle until `close`: an object with weak references is slow to retain.
    core.onTurnEnd = { self.turnEnded() }
    core.onFault = { self.report($0) }
    core.onLog = { self.write($0) }
  }

  // MARK: Lines in

  /// False while lines have to wait: for a clock that is being advanced, or for a slow reader.
  package var isReady: Bool {
    advance == nil && !isShuttingDown && !output.isOverfull && core.backlog <= limits.backlog
  }

  var isAdvancing: Bool { advance != nil }

  /// Handles one line.
  func receive(_ bytes: UnsafeRawBufferPointer, line: Int) {
    do {
      try text.read(bytes, depth: limits.depth)
    } catch {
      return reject(bytes, error, line: line)
    }
    text.withRoot { handle($0, line: line) }
  }

  @inline(never)
  private func reject(_ bytes: UnsafeRawBufferPointer, _ error: JSONError, line: Int) {
    let hint =
      if bytes.dropFirst(error.offset).starts(with: "Content-Length".utf8) {
        "; send each message as one line, without headers"
      } else if error.offset == bytes.count {
        "; send each message as one line, without line breaks in it"
      } else {
        ""
      }
    respond(
      to: .line(.null),
      RPCError(
        .parseError, "Parse error: \(error)\(hint)",
        data: ["line": .int(line), "offset": .int(error.offset)]))
  }

  func rejectOverlong(line: Int) {
    respond(
      to: .line(.null),
      RPCError(
        .parseError, "Parse error: the line is longer than \(limits.line) bytes",
        data: ["line": .int(line)]))
  }

  private func handle(_ root: JSONView, line: Int) {
    do throws(RPCInvalidRequest) {
      switch try RPCMessage(root, line: line, longestBatch: limits.batch) {
      case .single(let view):
        let call = try RPCCall(view, line: line)
        handle(call, slot: call.id.map(ResponseSlot.line))
      case .batch(let views): handle(views, line: line)
      }
    } catch {
      respond(to: error.id.map(ResponseSlot.line), error.error)
    }
  }

  @inline(never)
  private func handle(_ views: [JSONView], line: Int) {
    let calls = views.map { view in
      Result { () throws(RPCInvalidRequest) in try RPCCall(view, line: line) }
    }
    let answers = calls.count { call in
      switch call {
      case .success(let call): call.id != nil
      case .failure(let invalid): invalid.id != nil
      }
    }
    let batch = RPCBatch(expecting: answers) { [unowned self] in output.write($0) }
    let start = output.unsentCount
    for call in calls {
      switch call {
      case .success(let call):
        let slot = call.id.map { ResponseSlot.batch(batch, $0) }
        // A rejected request has done nothing, so it can be sent again.
        if isShuttingDown {
          if let slot { respond(to: slot, .shuttingDown) }
        } else if batch.isFull || output.unsentCount - start + batch.count > limits.out {
          respond(to: slot, tooLongResponse)
        } else {
          handle(call, slot: slot)
        }
      case .failure(let invalid):
        respond(to: invalid.id.map { .batch(batch, $0) }, invalid.error)
      }
    }
  }

  private func handle(_ call: RPCCall, slot: ResponseSlot?) {
    // Two peers that answer each other's error notifications would never stop.
    if slot == nil, call.method.equals("error") { return }
    core.turn(of: call.id?.text) {
      answer(slot) { () throws(RPCError) in try perform(call, slot) }
    }
  }

  /// - Parameter perform: Returns nil if the request has been answered.
  @inline(__always)  // On the path of every line.
  private func answer(
    _ slot: ResponseSlot?, _ perform: () throws(RPCError) -> MethodResult?
  ) {
    do throws(RPCError) {
      guard let result = try perform() else { return }
      publish()
      try give(result, to: slot)
    } catch {
      publish()
      respond(to: slot, error)
    }
  }

  /// - Returns: nil if the request has a key and has been answered.
  private func perform(_ call: RPCCall, _ slot: ResponseSlot?) throws(RPCError) -> MethodResult? {
    if !canceled.isEmpty, let id = call.id, canceled.contains(id) { throw .canceled }
    guard let method = Method.named(call.method) else {
      let name = call.method.string ?? ""
      throw RPCError(.unknownMethod, "unknown method \"\(name)\"; see rpc.discover")
    }
    let params = try Params(call.params)
    if method.keepsResponse, let key = params.value("key") {
      try performOnce(KeyedRequest.key(key, params), method, params, id: call.id, slot)
      return nil
    }
    if let id = call.id { try checkIsFree(id) }
    return try perform(method, params)
  }

  private func perform(_ method: Method, _ params: Params) throws(RPCError) -> MethodResult {
    if !isInitialized, method.initializes {
      try initialize(FrontEnd(locale: core.frontEndLocale))
    }
    return try method.handle(params, self)
  }

  /// Performs a request with a key once. Repetitions get the same response.
  @inline(never)
  private func performOnce(
    _ key: [UInt8], _ method: Method, _ params: Params, id: RPCID?, _ slot: ResponseSlot?
  ) throws(RPCError) {
    if let request = keyed[key] {
      // The response to another method would have the wrong shape.
      guard request.method === method else {
        throw Params.invalid(
          "/key", expected: "key of no other method", found: "key of \(request.method.name)")
      }
      if let id, waiting.contains(where: { $0.slot?.has(id) == true && !$0.isFor(request) }) {
        throw .idIsPending
      }
      if request.waits(for: slot) { try checkRoom() }
      request.add(slot)
      return respondAgain(to: request)
    }
    if let id { try checkIsFree(id) }
    let request = keyed.add(key, method, slot)
    answer(.keyed(request)) { () throws(RPCError) in try perform(method, params) }
  }

  /// Throws an error if the request with this id is pending or its work is still running, since
  /// frames and cancellations name the id.
  private func checkIsFree(_ id: RPCID) throws(RPCError) {
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

  /// Returns true if the request with this id waits for its response.
  func isWaiting(_ id: RPCID) -> Bool { waiting.contains { $0.slot?.has(id) == true } }

  // MARK: For the methods

  /// Shows the app to a front end.
  /// - Parameter resumption: The session and revision that it has seen; nil for a new front end.
  func initialize(
    _ frontEnd: FrontEnd, resuming resumption: Resumption? = nil
  ) throws(RPCError) {
    if isInitialized {
      guard let resumption else {
        throw RPCError(
          .invalidRequest, "the core is initialized already; resume its session \"\(id)\"")
      }
      return resume(resumption, frontEnd)
    }
    welcome(frontEnd)
    do { try core.start() } catch {
      throw RPCError(.internalError, "cannot show the app's first screen: \(error)")
    }
    isInitialized = true
    publish()
  }

  private func welcome(_ frontEnd: FrontEnd) {
    core.supportedPrompts = frontEnd.supportedPrompts
    core.frontEndLocale = frontEnd.locale
    sharesFiles = frontEnd.sharesFiles
    log.frontEnd = frontEnd.logLevel
  }

  /// Brings a front end up to date with the frames that it has missed, or with the whole document.
  private func resume(_ resumption: Resumption, _ frontEnd: FrontEnd) {
    // First, the changes that the earlier front end would have received.
    publish(evenIfBehind: true)
    if resumption.session != id || resumption.revision > revision
      || !output.repeatFrames(after: resumption.revision, through: revision)
    {
      frames.startsOver = true
      core.changedAgain()
    }
    welcome(frontEnd)
    core.rejectUnsupportedPrompts()
    publish(evenIfBehind: true)
  }

  /// Drops the output so far, and replaces the document that the front end has.
  /// - Parameters:
  ///   - revision: The revision of that document; 0 without one.
  ///   - first: Writes a line that precedes the frame.
  func startOver(after revision: Int, _ first: (inout JSONWriter) -> Void) {
    output = OutputQueue()
    output.line(first)
    frames.startOver(after: revision, schema: revision > 0 ? schemaHash : nil)
    if revision > 0, !isInitialized {
      try? initialize(FrontEnd(locale: core.frontEndLocale))
    } else {
      publish(evenIfBehind: true)
    }
  }

  /// Cancels the work that a request started, and answers the request if it is waiting.
  func cancel(_ id: RPCID) {
    let index = waiting.firstIndex { $0.slot?.has(id) == true }
    let request = index.map { waiting.remove(at: $0) }
    // A request with a key may first have been sent under another id, or as a notification.
    if let cause = request?.cause { core.cancelWork(of: cause) }
    core.cancelWork(ofRequest: request?.cause?.id ?? id.text)
    guard let request else { return }
    switch request.condition {
    case .settled: break
    case .advanced: advance = nil
    case .completed: request.operation?.cancel()
    }
    publish()
    if let slot = request.slot { respond(to: slot, .canceled) }
  }

  func shutDown() { isShuttingDown = true }

  /// Throws an error if no more requests may wait. A method that has effects before it waits calls
  /// this first, so that a rejected request has done nothing and can be sent again.
  func checkRoom() throws(RPCError) {
    guard waiting.reduce(0, { $0 + $1.slotCount }) < limits.inFlight else {
      throw RPCError(
        .overloaded, "\(limits.inFlight) requests wait for their responses; try again later")
    }
  }

  /// Throws an error if too much work is queued to start more. Only inputs are rejected: the work
  /// may be waiting for an answer or the clock.
  func checkQueue() throws(RPCError) {
    guard core.queuedEffects < limits.queuedEffects else {
      throw RPCError(
        .overloaded,
        "\(limits.queuedEffects) effects are queued; try again later")
    }
  }

  var revision: Int { frames.revision }

  func writeSnapshot(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("revision")
    writer.int(frames.revision)
    writer.key("state")
    Document.write(core, to: &writer)
    writer.endObject()
    // A frame has reported them already.
    writer.failures = []
  }

  // MARK: Turns

  /// Publishes the changes, unless the front end is behind: a later frame then contains them all.
  func publish(evenIfBehind: Bool = false) {
    // The front end must not see how the app ends.
    guard lastWorkDeadline == nil else { return }
    core.updateDerivations()
    guard evenIfBehind || !output.isBehind else { return boundBacklog() }
    if !losses.isEmpty { reportLosses() }
    guard core.hasChanges || isInitialized && frames.startsOver else { return }
    core.publish { changes in
      if changes.language, revision > 0 { frames.schema = schemaHash }
      frames.write(&changes, of: core, to: &output)
    }
    guard !output.writer.failures.isEmpty else { return }
    // Report values that JSON cannot express once the line without them is complete.
    let failures = output.writer.failures
    output.writer.failures = []
    for failure in failures { notify(RPCError(.internalError, failure)) }
  }

  private func turnEnded() {
    publish()
    // Respond before the clock moves: a response must follow its frames, and the next timer is a
    // turn of its own.
    respondToWaiting()
    if advance != nil { moveClock() }
  }

  /// Fires the first timer of a real clock as a turn of its own, if it is due.
  func fireDueTimer() -> Bool {
    let clock = core.clock
    return !clock.isVirtual && clock.nextDeadline != nil && fireDueTimer(of: clock)
  }

  @inline(never)
  private func fireDueTimer(of clock: CoreClock) -> Bool {
    let start = clock.monotonicNow
    guard clock.fireNext(dueBy: start) else { return false }
    let time = clock.monotonicNow - start
    if time > CoreExecutor.slowTurn { warnOfSlowTurn(time) }
    CoreActor.executor.endTurn()
    return true
  }

  // MARK: The end

  /// True if nothing in progress could still lead to a response or a frame.
  package var isAtRest: Bool { core.checkSettled() && waiting.isEmpty && advance == nil }

  /// True if nothing will happen without further input.
  var isStuck: Bool {
    core.checkSettled() && advance == nil
      && (core.clock.isVirtual || core.clock.nextDeadline == nil)
  }

  /// Answers the requests that are still waiting. Nothing is published from now on, unless another
  /// line is handled.
  package func close() {
    publish(evenIfBehind: true)
    advance = nil
    for case let slot? in waiting.map(\.slot) { respond(to: slot, .shuttingDown) }
    waiting = []
    core.onTurnEnd = {}
  }

  /// The time until which the last work of the app may run; nil before `endApp(by:)`.
  @exclusivity(unchecked) private(set) var lastWorkDeadline: Duration?

  /// Closes all screens, and starts the work that is due when the app ends. The front end sees only
  /// its failures.
  /// - Parameter deadline: The deadline for that work; nil for the time of `--drain` from now.
  package func endApp(by deadline: Duration? = nil) {
    guard lastWorkDeadline == nil else { return }
    lastWorkDeadline = deadline ?? CoreClock.machineTime + limits.drain
    core.end()
  }

  /// True once the last work of the app has finished, or has no more time.
  package var hasFinished: Bool {
    guard let lastWorkDeadline else { return false }
    return !core.hasLastWork || isStuck || CoreClock.machineTime >= lastWorkDeadline
  }

  /// Breaks the retain cycle of the core and this session.
  package func detach() {
    core.onFault = { _ in }
    core.onLog = { _ in }
  }

  /// Takes the lines written so far, without line feeds, and the frame that had to wait for them.
  package func takeOutput() -> [String] {
    guard output.isBehind else { return output.takeLines() }
    let lines = output.takeLines()
    publish()
    return lines + output.takeLines()
  }
}
