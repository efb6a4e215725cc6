package import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// The lines of a session's input, from the bytes of any transport.
@CoreActor
package final class SessionInput {
  private let session: Session
  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) private var reader: LineReader
  private var held = Queue<HeldLine>()
  /// The number of bytes in the held lines; each line has at least one.
  @exclusivity(unchecked) private var heldByteCount = 0
  /// The number of held bytes past which no more lines are taken.
  private static let heldLimit = 1 << 20
  /// The deadline for draining; nil until the input has ended.
  @exclusivity(unchecked) private(set) var deadline: Duration?
  /// Called with every line and its number before it is handled; without bytes if it is too long.
  @exclusivity(unchecked) var onLine: ((UnsafeRawBufferPointer?, Int) -> Void)?

  package init(_ session: Session) {
    self.session = session
    reader = LineReader(limit: session.limits.line)
  }

  package func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { reader.append($0) }
  }

  var rest: [UInt8] { reader.rest }

  func read(from descriptor: Int32) {
    let count = reader.read { systemRead(descriptor, $0) }
    if count == 0 || count < 0 && !systemCallShouldRetry { end() }
  }

  /// Ends the input. The remaining bytes are the last line.
  package func end() {
    if !hasEnded { deadline = CoreClock.machineTime + session.limits.drain }
  }

  // MARK: Lines

  /// Handles the next line as a turn of its own. While the clock is being advanced, takes all lines
  /// that are complete: the loop asks only once in many turns, and holding a line is none.
  /// - Returns: False if no line is complete yet, or if lines have to wait.
  @inline(__always)  // On the path of every line.
  package func handleNext() -> Bool {
    if handleHeld() { return true }
    guard handleLine() else { return false }
    if session.requests.isAdvancing { handleLinesOfAdvance() }
    return true
  }

  @inline(never)
  private func handleLinesOfAdvance() { while session.requests.isAdvancing, handleLine() {} }

  @inline(__always)  // On the path of every line.
  private func handleLine() -> Bool {
    guard canReceive else { return false }
    switch reader.next(atEnd: hasEnded) {
    case .text(let range, let number):
      reader.withBytes(of: range) { bytes in
        onLine?(bytes, number)
        receive(bytes, line: number)
      }
    case .tooLong(let number):
      onLine?(nil, number)
      session.rejectOverlong(line: number)
    case nil: return false
    }
    CoreActor.executor.endTurn()
    return true
  }

  /// Handles the oldest line that has been held.
  /// - Returns: False if no line is held, or if lines still have to wait.
  func handleHeld() -> Bool { heldByteCount > 0 && session.isReady && handleFirstHeld() }

  @inline(never)
  private func handleFirstHeld() -> Bool {
    guard let line = held.popFirst() else { return false }
    heldByteCount -= line.bytes.count
    line.bytes.withUnsafeBytes {
      session.receive($0, line: line.number, canceled: line.canceled)
    }
    CoreActor.executor.endTurn()
    return true
  }

  /// While the clock is being advanced, holds every line except a cancellation.
  private func receive(_ bytes: UnsafeRawBufferPointer, line: Int) {
    if session.requests.isAdvancing, hold(bytes, line: line) { return }
    let start = session.core.clock.isVirtual ? nil : coarseMilliseconds
    session.receive(bytes, line: line)
    guard let start, case let time = Duration.milliseconds(coarseMilliseconds - start),
      time > CoreExecutor.slowTurn
    else { return }
    session.warnOfSlowTurn(time, handling: bytes)
  }

  /// - Returns: False for a line that cancels a request.
  @inline(never)
  private func hold(_ bytes: UnsafeRawBufferPointer, line: Int) -> Bool {
    let text = JSONText()
    try? text.read(bytes, depth: session.limits.depth)
    var ids: Set<RPCID> = []
    let isCancellation = text.withRoot { root in
      let calls = (root.isArray ? Array(root.elements) : [root])
        .compactMap { try? RPCCall($0, line: 0) }
      ids = Set(calls.compactMap(\.id))
      guard !root.isArray, ids.isEmpty, let call = calls.first,
        call.method.equals("$/cancelRequest")
      else { return false }
      if let id = call.params?.member("id").flatMap({ RPCID($0) }) { cancelHeld(id) }
      return true
    }
    if isCancellation { return false }
    held.append(HeldLine(bytes: Array(bytes), number: line, ids: ids))
    heldByteCount += bytes.count
    return true
  }

  /// Cancels the oldest held request with an id, unless the session cancels one that it performs.
  private func cancelHeld(_ id: RPCID) {
    guard !session.requests.isWaiting(id) else { return }
    for line in held.elements where line.ids.remove(id) != nil {
      line.canceled.insert(id)
      return
    }
  }

  /// A line that waits until the clock has been advanced.
  private final class HeldLine {
    let bytes: [UInt8]
    let number: Int
    /// The ids of its requests that have not been canceled.
    var ids: Set<RPCID>
    var canceled: Set<RPCID> = []

    init(bytes: [UInt8], number: Int, ids: Set<RPCID>) {
      (self.bytes, self.number, self.ids) = (bytes, number, ids)
    }
  }

  /// True while lines may be received, if only to be held.
  @inline(__always)  // On the path of every line.
  private var canReceive: Bool {
    session.isReady
      || session.requests.isAdvancing && !session.isShuttingDown && heldByteCount < Self.heldLimit
  }

  // MARK: The end

  /// True if there is nothing to handle until more has been read.
  var isIdle: Bool { heldByteCount == 0 && canRead && !reader.hasLine }

  var canRead: Bool { !hasEnded && canReceive }

  var hasEnded: Bool { deadline != nil }

  /// True if the session has nothing more to do, or no more time for it.
  var isDone: Bool {
    if session.isShuttingDown { return true }
    guard let deadline else { return false }
    return session.isAtRest || session.isStuck || CoreClock.machineTime >= deadline
  }
}
