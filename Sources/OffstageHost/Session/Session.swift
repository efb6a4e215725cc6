package import Offstage
internal import OffstageJSON
internal import OffstageRPC

package struct AppInfo: Sendable {
  package let name: String
  package let version: String
}

/// One front end's conversation with one core: lines in, lines out, no descriptors.
///
/// A line is parsed and dispatched here. Each request is a turn of the core: `publisher` sends what
/// it has changed as a frame, and then `requests` sends the response.
@CoreActor
package final class Session {
  package let core: Core
  let app: AppInfo
  /// The id by which a front end that reconnects recognizes the session.
  private(set) var id: String
  let limits: Limits
  let build: Build
  let publisher: Publisher
  let requests: Requests
  private let text = JSONText()
  // Unchecked on the hot path; see `CoreActor`.
  /// True at the end of a request's turn, until it has been answered.
  @exclusivity(unchecked) private var isAnswering = false
  /// The requests on the present line that were canceled while it waited.
  @exclusivity(unchecked) private var canceled: Set<RPCID> = []
  /// The number of lines that have been handled, and of turns that took too long.
  @exclusivity(unchecked) private(set) var lineCount = 0
  /// True once the front end has sent a request that may change something, such as the input that a
  /// screen has appeared.
  @exclusivity(unchecked) private(set) var isUsed = false
  /// True if the front end can open files on this machine.
  private(set) var sharesFiles = false
  @exclusivity(unchecked) package private(set) var isShuttingDown = false
  private var isClosed = false
  /// The state to start from; nil for a fresh start, and once the app has started.
  private var savedState: JSON?
  /// Where the state is kept while the app runs; nil if it is not.
  private(set) var place: (any Place)?
  /// Called with the state once the app ends, unless it has not been shown.
  var onEnd: ((JSON) -> Void)?
  /// The time until which the last work of the app may run; nil before `endApp(by:)`.
  private(set) var lastWorkDeadline: Duration?

  /// - Parameter id: The id of one of many sessions; nil for a new one.
  init(
    core: Core, app: AppInfo, build: Build, limits: Limits, as id: String? = nil,
    startingFrom state: JSON? = nil
  ) {
    self.core = core
    self.app = app
    self.limits = limits
    savedState = state
    self.build = build
    publisher = Publisher(core, schemaHash: build.schemaHash, longestBacklog: limits.backlog)
    publisher.output.keptCount = limits.frames
    requests = Requests(core, publisher, limits)
    core.screenLimit = limits.screens
    // Every deterministic run is the same, including its id.
    self.id = id ?? (core.clock.isVirtual ? "0" : Self.newID())
    // A retain cycle until `detach`: an object with weak references is slow to retain.
    core.onTurnEnd = { self.turnEnded() }
    core.onFault = { [publisher] in publisher.report($0) }
    core.onLog = { [publisher] in publisher.write($0) }
  }

  /// Returns an id that cannot be guessed: 32 hexadecimal digits.
  static func newID() -> String {
    (0..<2).map { _ in UInt64.random(in: .min ... .max).hexadecimal() }.joined()
  }

  // MARK: Lines in

  /// False while lines have to wait: for a clock that is being advanced, or for a slow reader.
  package var isReady: Bool { !requests.isAdvancing && !isShuttingDown && !publisher.isFull }

  /// Handles one line.
  /// - Parameter canceled: The requests on the line that were canceled while it waited.
  func receive(_ bytes: UnsafeRawBufferPointer, line: Int, canceled: Set<RPCID>) {
    self.canceled = canceled
    receive(bytes, line: line)
    self.canceled = []
  }

  /// Handles one line.
  func receive(_ bytes: UnsafeRawBufferPointer, line: Int) {
    lineCount &+= 1
    do {
      try text.read(bytes, depth: limits.depth)
    } catch {
      return reject(bytes, error, line: line)
    }
    text.withRoot { handle($0, line: line) }
  }

  /// True for bytes that begin like the middle of a message.
  private func isMiddle(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first { !" \t".utf8.contains($0) }.map { "\",:}]".utf8.contains($0) } ?? false
  }

  @inline(never)
  private func reject(_ bytes: UnsafeRawBufferPointer, _ error: JSONError, line: Int) {
    let hint =
      if bytes.dropFirst(error.offset).starts(with: "Content-Length".utf8) {
        "; send each message as one line, without headers"
      } else if error.offset == bytes.count || isMiddle(bytes) {
        "; send each message as one line, without line breaks in it"
      } else {
        ""
      }
    reject(
      RPCError(
        .parseError, "Parse error: \(error)\(hint)",
        data: ["line": .int(line), "offset": .int(error.offset)]))
  }

  func rejectOverlong(line: Int) {
    reject(
      RPCError(
        .parseError, "Parse error: the line is longer than \(limits.line) bytes",
        data: ["line": .int(line)]))
  }

  private func reject(_ error: RPCError) { requests.respond(to: .line(.null), error) }

  private func handle(_ root: JSONView, line: Int) {
    do throws(RPCInvalidRequest) {
      if root.isArray {
        handle(try RPCCall.batch(root, line: line, longest: limits.batch), line: line)
      } else {
        let call = try RPCCall(root, line: line)
        handle(call, for: call.id.map(Recipient.line))
      }
    } catch {
      requests.respond(to: error.id.map(Recipient.line), error.error)
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
    let batch = RPCBatch(expecting: answers) { [publisher] in publisher.output.write($0) }
    let start = publisher.output.unsentCount
    for call in calls {
      switch call {
      case .success(let call):
        let recipient = call.id.map { Recipient.batch(batch, $0) }
        let size = publisher.output.unsentCount - start + batch.count
        // A rejected request has done nothing, so it can be sent again.
        if isShuttingDown {
          if let recipient { requests.respond(to: recipient, .shuttingDown) }
        } else if batch.isFull || size > limits.out {
          requests.respond(to: recipient, requests.tooLongResponse)
        } else {
          handle(call, for: recipient)
        }
      case .failure(let invalid):
        requests.respond(to: invalid.id.map { .batch(batch, $0) }, invalid.error)
      }
    }
    batch.end()
  }

  // MARK: Turns

  private func handle(_ call: RPCCall, for recipient: consuming Recipient?) {
    // Two peers that answer each other's error notifications would never stop.
    if call.id == nil, call.method.equals("error") { return }
    let result: MethodResult?
    core.beginTurn(of: call.id?.text)
    do throws(RPCError) { result = try perform(call, &recipient) } catch { result = .failed(error) }
    isAnswering = true
    core.endTurn()
    isAnswering = false
    // A response follows the frame of its turn.
    requests.answer(recipient, result, to: call)
    place?.keep(self)
  }

  /// - Parameter recipient: Becomes all requests with the same key.
  /// - Returns: nil if the request repeats one with its key.
  private func perform(
    _ call: RPCCall, _ recipient: inout Recipient?
  ) throws(RPCError) -> MethodResult? {
    if !canceled.isEmpty, let id = call.id, canceled.contains(id) { throw .canceled }
    guard let method = Method.named(call.method) else {
      let name = call.method.string ?? ""
      throw RPCError(.unknownMethod, "unknown method \"\(name)\"; see rpc.discover")
    }
    let params = try Params(call.params)
    if method.keepsResponse { isUsed = true }
    if method.keepsResponse, let key = params.value("key") {
      let key = try KeyedRequest.key(key, params)
      guard let request = try requests.request(withKey: key, method, id: call.id, recipient) else {
        return nil
      }
      recipient = .keyed(request)
    } else if let id = call.id {
      try requests.checkIsFree(id)
    }
    if !publisher.hasStarted, method.initializes {
      try initialize(FrontEnd(locale: core.frontEndLocale))
    }
    return try method.handle(params, self)
  }

  private func turnEnded() {
    // After `close()`, the front end gets nothing but answers.
    guard isAnswering || !isClosed else { return }
    publisher.onOutput?()
    publisher.writeFrame()
    guard !isAnswering else { return }
    requests.turnEnded()
    place?.keep(self)
  }

  /// Answers the requests that wait for the core to settle, and goes on with an advance of the clock.
  /// Call it when no job waits: the last one may have changed nothing.
  package func checkRest() {
    guard !requests.isEmpty else { return }
    requests.turnEnded()
    place?.keep(self)
    CoreActor.executor.endTurn()
  }

  // MARK: For the methods

  /// Shows the app to a front end.
  /// - Parameter resumption: The session and revision that it has seen; nil for a new front end.
  func initialize(
    _ frontEnd: FrontEnd, resuming resumption: Resumption? = nil
  ) throws(RPCError) {
    if publisher.hasStarted {
      guard let resumption else {
        throw RPCError(
          .invalidRequest, "the core is initialized already; resume its session \"\(id)\"")
      }
      return try resume(resumption, frontEnd)
    }
    welcome(frontEnd)
    let saved = savedState?["session"]
    let goesOn = resumption != nil && saved?["id"]?.string == resumption?.session
    if let saved, let resumption, goesOn {
      id = resumption.session
      let revision = saved["revision"]?.int ?? 0
      // After a loss of power, the front end may be ahead, by the frames of a second or so.
      let isLikely = resumption.revision - revision < 1 << 20
      publisher.goOn(after: isLikely ? max(revision, resumption.revision) : revision)
      requests.remember(saved["keys"])
    }
    do {
      try start(isStillShown: goesOn)
    } catch {
      throw RPCError(.internalError, "cannot show the app's first screen: \(error)")
    }
    savedState = nil
    publisher.start()
  }

  private func start(isStillShown: Bool) throws {
    guard let savedState else { return try core.start() }
    let other = build.other(of: savedState)
    try core.start(from: savedState, of: other, isStillShown: isStillShown)
  }

  private func welcome(_ frontEnd: FrontEnd) {
    core.supportedPrompts = frontEnd.supportedPrompts
    core.frontEndLocale = frontEnd.locale
    sharesFiles = frontEnd.sharesFiles
    publisher.output.writer.appends = frontEnd.appends
    publisher.log.frontEnd = frontEnd.logLevel
  }

  /// Brings a front end up to date with the frames that it has missed, or with the whole document.
  private func resume(_ resumption: Resumption, _ frontEnd: FrontEnd) throws(RPCError) {
    if resumption.session == id, resumption.revision > publisher.revision, place?.giveUp() == true {
      throw RPCError(.overloaded, "busy: another host has gone on with the session; try again")
    }
    let missed = publisher.revision - resumption.revision
    // The frames that were missed may append.
    let canRepeat = missed == 0 || frontEnd.appends || !publisher.output.writer.appends
    publisher.repeatFrames(
      after: resumption.session == id && canRepeat ? resumption.seen : nil)
    welcome(frontEnd)
    core.rejectUnsupportedPrompts()
    publisher.publish(evenIfBehind: true)
  }

  /// Another front end goes on with the session, or none for a while. It may choose the ids of the
  /// earlier one, and gets none of its responses, apart from those with a key.
  func frontEndLeft() {
    requests.forgetFrontEnd()
    core.forgetCauses()
    publisher.output.drop()
  }

  // MARK: The state

  /// The state of the core, the build that has left it, and what a front end needs to go on with this
  /// session.
  var state: JSON { withSession(core.state()) }

  private func withSession(_ state: JSON) -> JSON {
    var state = state
    state["build"] = build.json
    state["session"] = [
      "id": .string(id), "revision": .int(publisher.revision), "keys": requests.keys,
    ]
    return state
  }

  func keepState(in place: any Place) {
    self.place = place
    place.noteStart()
    core.noteStateChanges()
    requests.noteStateChanges()
  }

  /// Keeps the state no longer: another host goes on with it.
  func lostState() { place = nil }

  /// True if the state has changed since it was last kept, apart from the revision.
  var hasStateChanges: Bool {
    publisher.hasStarted && (core.hasStateChanges || requests.hasStateChanges)
  }

  /// Writes a patch (RFC 6902) that takes the state from when it was last kept to now. It then counts as
  /// kept.
  /// - Returns: False if what was noted is as it was.
  func writeStateChanges(to writer: inout JSONWriter) -> Bool {
    writer.beginArray()
    if core.hasKeptState {
      core.writeStateChanges(to: &writer)
      requests.writeStateChanges(to: &writer)
    } else {
      requests.noteStateChanges()
      let state = withSession(core.keptState())
      writer.replace(at: []) { $0.json(state) }
    }
    guard writer.bytes.count > 1 else { return false }
    writer.endArray()
    return true
  }

  /// The `initialize` with which this front end would resume its session, as a notification. It
  /// asks for the whole document.
  var resumingLine: JSON {
    var params: JSONObject = [
      "protocol": 1, "capabilities": .array(core.supportedPrompts.sorted().map { .string($0) }),
      "files": .bool(sharesFiles), "append": .bool(publisher.output.writer.appends),
      "resume": [
        "session": .string(id), "revision": .int(publisher.revision), "whole": true,
      ],
    ]
    if let level = publisher.log.frontEnd { params["log"] = .string(level.rawValue) }
    return ["jsonrpc": "2.0", "method": "initialize", "params": .object(params)]
  }

  func shutDown() { isShuttingDown = true }

  /// Leaves the memory of one of many sessions that has come to rest to the others.
  func rest() {
    publisher.output.rest()
    place?.rest()
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

  // MARK: The end

  /// True if nothing in progress could still lead to a response or a frame.
  package var isAtRest: Bool { core.isSettled && requests.isEmpty }

  /// True if the session can be parked and come back unnoticed.
  var isIdle: Bool { publisher.hasStarted && requests.isEmpty && core.canPause }

  /// True once the app has come to rest after it was used. A restored screen loads once it appears.
  var hasLoaded: Bool { isUsed && isAtRest }

  /// True if nothing will happen without further input.
  var isStuck: Bool {
    core.isSettled && !requests.isAdvancing
      && (core.clock.isVirtual || core.clock.nextDeadline == nil)
  }

  /// Answers the requests that are still waiting. Nothing is published from now on, unless another
  /// line is handled.
  package func close() {
    publisher.publish(evenIfBehind: true)
    isClosed = true
    requests.close()
  }

  /// Closes all screens, and starts the work that is due when the app ends. The front end sees only
  /// its failures.
  /// - Parameter deadline: The deadline for that work; nil for the time of `--drain` from now.
  package func endApp(by deadline: Duration? = nil) {
    guard lastWorkDeadline == nil else { return }
    lastWorkDeadline = deadline ?? CoreClock.machineTime + limits.drain
    place?.end(self)
    place = nil
    if publisher.hasStarted { onEnd?(state) }
    publisher.stop()
    core.end()
  }

  /// True once the last work of the app has finished, or has no more time.
  package var hasFinished: Bool {
    guard let lastWorkDeadline else { return false }
    return !core.hasLastWork || isStuck || CoreClock.machineTime >= lastWorkDeadline
  }

  /// Breaks the retain cycle of the core and this session.
  package func detach() {
    core.onTurnEnd = {}
    core.onFault = { _ in }
    core.onLog = { _ in }
  }

  /// Takes the lines written so far, without line feeds, and the frame that had to wait for them.
  package func takeOutput() -> [String] { publisher.takeLines() }
}
