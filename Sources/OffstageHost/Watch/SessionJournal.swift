internal import Offstage
internal import OffstageJSON

/// A front end's lines that have changed a core or are unanswered, for replay to the next core.
struct SessionJournal {
  /// Bytes of answered lines to keep. Later lines are not replayed.
  static let limit = 16 << 20
  /// A longer pause between two lines counts as this long.
  private static let longestPause = Duration.seconds(10)

  private struct Entry {
    var line: ReplayedLine
    /// The ids of its requests that have no response yet.
    var unanswered: [String]
    /// True if it changes nothing.
    let isRead: Bool
    /// Its number among the lines sent to the current core; nil for a line to an earlier one.
    var number: Int?
  }

  private(set) var revision = 0
  /// True once the core has replayed the session and can take the lines of the front end.
  private(set) var coreIsReady = false
  /// The least important level of the log that the front end wants; nil for none.
  private(set) var logLevel: LogLevel?
  private var entries: [Entry] = []
  private var byteCount = 0
  /// True if the end of the session is not kept.
  private(set) var isFull = false
  /// The number of lines sent to the current core, or replayed by it.
  private var lineCount = 0
  /// The time of the session, without its long pauses.
  private var time = Duration.zero
  private var lastTime = CoreClock.machineTime

  // MARK: The lines of a session

  /// Records a line to the core.
  mutating func sent(_ line: [UInt8]) {
    lineCount += 1
    passTime()
    let calls = Calls(line)
    if let level = calls.logLevel { logLevel = level }
    entries.append(
      Entry(
        line: ReplayedLine(
          text: String(decoding: line, as: UTF8.self), time: Int(time.milliseconds),
          outcome: calls.ids.isEmpty ? .succeeded : .pending),
        unanswered: calls.ids, isRead: calls.onlyRead, number: lineCount))
    if calls.ids.isEmpty { keepAnswered(at: entries.count - 1) }
  }

  /// Records a line from the core.
  /// - Returns: False if it is not for the front end.
  mutating func received(_ line: [UInt8]) -> Bool {
    switch CoreLine(line) {
    case .frame(let revision): self.revision = revision
    case .responses(let ids, let error): answered(ids, error)
    case .replayed:
      coreIsReady = true
      return false
    case .other: break
    }
    return true
  }

  private mutating func answered(_ ids: [String], _ error: JSON?) {
    // A response to a line rejected as a whole names only the line's number. Otherwise, take the
    // newest line with the id: if the id is in use, that is the rejected one.
    let rejected = ids == ["null"] ? error?["data"]?["line"]?.int : nil
    let index = entries.lastIndex {
      rejected == nil ? $0.unanswered.contains(where: ids.contains) : $0.number == rejected
    }
    guard let index else { return }
    entries[index].unanswered.removeAll { rejected != nil || ids.contains($0) }
    guard entries[index].unanswered.isEmpty else { return }
    entries[index].line.outcome = error != nil ? .failed : .succeeded
    keepAnswered(at: index)
  }

  /// Removes and returns the unanswered lines, which a crashed core will not answer.
  mutating func removeUnanswered() -> [String] {
    defer { entries.removeAll { !$0.unanswered.isEmpty } }
    return entries.filter { !$0.unanswered.isEmpty }.map(\.line.text)
  }

  private mutating func keepAnswered(at index: Int) {
    let size = entries[index].line.text.utf8.count
    if !entries[index].isRead, byteCount + size > Self.limit { isFull = true }
    if entries[index].isRead || isFull {
      entries.remove(at: index)
    } else {
      byteCount += size
    }
  }

  private mutating func passTime() {
    let now = CoreClock.machineTime
    time += min(now - lastTime, Self.longestPause)
    lastTime = now
  }

  // MARK: A new core

  /// Returns the first line for a new core.
  mutating func replay() -> JSON {
    passTime()
    let lines = entries.filter { !$0.isRead }.map(\.line)
    return JSON(
      encoding: Replay(revision: revision, time: Int(time.milliseconds), lines: lines))
  }

  /// Switches to the core that has replayed the first lines of the session.
  /// - Parameters:
  ///   - count: The number of lines that it has replayed.
  ///   - failed: The indexes of those that now fail.
  /// - Returns: The unanswered lines that it has not been sent.
  mutating func replaced(afterLines count: Int, failed: [Int]) -> [[UInt8]] {
    let reads = entries.filter(\.isRead).map { Array($0.line.text.utf8) }
    let changes = entries.filter { !$0.isRead }.enumerated()
    entries = changes.compactMap { index, entry in
      // The new core has rejected the lines that it has not replayed.
      guard index < count || !entry.unanswered.isEmpty else { return nil }
      var line = entry.line
      if failed.contains(index) { line.outcome = .failed }
      return Entry(line: line, unanswered: entry.unanswered, isRead: index >= count, number: nil)
    }
    byteCount = entries.reduce(0) { $0 + ($1.unanswered.isEmpty ? $1.line.text.utf8.count : 0) }
    lineCount = count
    return reads
  }
}

/// The session that a new core replays.
struct Replay: Codable {
  /// The revision of the document that the front end has.
  let revision: Int
  /// The length of the session, in milliseconds.
  let time: Int
  let lines: [ReplayedLine]
}

/// A line that a new core replays.
struct ReplayedLine: Codable {
  enum Outcome: String, Codable {
    case pending, succeeded, failed
  }

  let text: String
  /// The time in the session at which it was sent, in milliseconds.
  let time: Int
  var outcome: Outcome
}
