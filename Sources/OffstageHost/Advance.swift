internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// An advance of a virtual clock that is under way.
struct Advance {
  let target: Duration
  var fired = 0
}

/// Lines that wait until the clock has been advanced.
struct HeldLines {
  /// Bytes past which no more lines are taken.
  static let limit = 1 << 20

  private var lines = Queue<(bytes: [UInt8], number: Int)>()
  private(set) var byteCount = 0

  // Each line has at least one byte.
  var isEmpty: Bool { byteCount == 0 }

  mutating func append(_ bytes: UnsafeRawBufferPointer, number: Int) {
    lines.append((Array(bytes), number))
    byteCount += bytes.count
  }

  mutating func popFirst() -> (bytes: [UInt8], number: Int)? {
    let line = lines.popFirst()
    byteCount -= line?.bytes.count ?? 0
    return line
  }
}

extension Session {
  // MARK: The clock

  /// Advances the clock by one timer, once everything that the one before started has settled. Each
  /// timer is a turn with a frame of its own.
  func moveClock() {
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
    let request = waiting.firstIndex { if case .advanced = $0.condition { true } else { false } }
    guard let request else { return }
    respond(
      to: waiting.remove(at: request).slot,
      RPCError(
        .refused,
        "the clock stopped \(rest) ms short: \(limits.timers) timers have fired; advance it again to "
          + "continue",
        data: ["milliseconds": .int(rest)]))
    respondToWaiting()
  }

  // MARK: Lines that wait for it

  /// True while lines may be received, if only to be held.
  var canReceive: Bool {
    isReady || advance != nil && !isShuttingDown && held.byteCount < HeldLines.limit
  }

  /// Handles the oldest line that has been held.
  /// - Returns: False if no line is held, or if lines still have to wait.
  package func handleHeldLine() -> Bool {
    !held.isEmpty && isReady && handleFirstHeldLine()
  }

  @inline(never)
  private func handleFirstHeldLine() -> Bool {
    guard let (bytes, line) = held.popFirst() else { return false }
    bytes.withUnsafeBytes { handle($0, line: line) }
    return true
  }

  /// True for a notification `$/cancelRequest` on a line of its own.
  func isCancellation(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard (try? text.read(bytes, depth: limits.depth)) != nil else { return false }
    return text.withRoot { root in
      guard root.isObject, let call = try? RPCCall(root, line: 0) else { return false }
      return call.id == nil && call.method.equals("$/cancelRequest")
    }
  }
}
