internal import Offstage
internal import OffstageJSON
internal import OffstageSystem

/// What a host has done since its start, for `host --status` and for Prometheus.
@CoreActor
struct HostCounts {
  var begun = 0
  /// Sessions that a front end has come back to.
  var resumed = 0
  /// Connections without the token, and those for which there was no room.
  var refused = 0
  var turns = TurnTimes()
  /// The traffic of the sessions that have been parked.
  private var earlier = Traffic()
  private let start = CoreClock.machineTime
  private var last = (time: CoreClock.machineTime, traffic: Traffic())

  /// The lines that sessions have received, and the frames that they have sent.
  private struct Traffic {
    var lines = 0
    var frames = 0

    @CoreActor
    mutating func add(_ session: Session) {
      lines += session.lineCount
      frames += session.publisher.frameCount
    }
  }

  /// Counts a session that has been parked.
  mutating func add(_ session: Session) { earlier.add(session) }

  /// Returns the status.
  /// - Parameters:
  ///   - parked: nil if several hosts have them.
  ///   - processes: How many processes the host has.
  ///   - isAsked: True to begin the time of the next rates, which are those since then.
  mutating func json(
    sessions: [Session], connected: Int, awake: Int, parked: Int?, processes: Int, isAsked: Bool
  ) -> JSON {
    var traffic = earlier
    for session in sessions { traffic.add(session) }
    let now = CoreClock.machineTime
    let seconds = max(Double((now - last.time).milliseconds) / 1000, 0.001)
    defer { if isAsked { last = (now, traffic) } }
    func rate(_ count: Int) -> JSON {
      .number(JSONNumber((Double(count) / seconds * 10).rounded() / 10))
    }
    func percentile(_ percent: Int) -> JSON {
      turns.milliseconds(ofPercent: percent).map { .number(JSONNumber($0)) } ?? .null
    }
    return [
      "sessions": .int(sessions.count), "connected": .int(connected), "awake": .int(awake),
      "parked": parked.map { .int($0) } ?? .null,
      "begun": .int(begun), "resumed": .int(resumed), "refused": .int(refused),
      "lines": .int(traffic.lines), "linesPerSecond": rate(traffic.lines - last.traffic.lines),
      "frames": .int(traffic.frames),
      "framesPerSecond": rate(traffic.frames - last.traffic.frames),
      "slowTurns": .int(turns.slow),
      "turnMilliseconds": ["p50": percentile(50), "p95": percentile(95), "p99": percentile(99)],
      "memory": residentMemory().map { .int($0) } ?? .null,
      "processes": .int(processes),
      "seconds": .int(Int((now - start).milliseconds) / 1000),
    ]
  }
}
