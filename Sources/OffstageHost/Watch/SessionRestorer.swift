internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// Replays the session of an earlier core, so that this one can take its place.
///
/// The lines are handled as if they arrived when they were originally sent: a real clock is set
/// back to the start of the session, and catches up line by line. The output is dropped, except for
/// the responses that the front end has not received.
@CoreActor
final class SessionRestorer: Transport {
  /// The longest wait for work.
  private static let patience = Duration.seconds(10)

  /// The transport that takes over at the end.
  private let streams: StreamTransport

  private let replay: Replay
  private let start = CoreClock.machineTime
  private var count = 0
  /// The requests without a response so far, each with the index of its line.
  private var unanswered: [(id: String, line: Int)] = []
  /// The responses that the front end has not received.
  private var responses: [String] = []
  /// The deadline for the work before the next step.
  private var deadline: Duration?
  /// The indexes of the lines that succeeded in the session and now fail, and the reasons.
  private var failures: [(line: Int, reason: String)] = []
  private var hasStopped = false

  /// Reads the first line of the input.
  /// - Returns: nil if it is not a replay.
  init?(_ session: Session, from descriptor: Int32, to streams: StreamTransport) {
    var input = LineInput(descriptor)
    guard let text = input.wait().flatMap({ try? JSONText($0) }),
      let replay = try? text.withRoot({ try $0.decode(Replay.self) })
    else { return nil }
    self.replay = replay
    self.streams = streams
    session.core.clock.setBack(by: length)
  }

  private var lines: [ReplayedLine] { replay.lines }

  private var length: Duration { .milliseconds(replay.time) }

  // MARK: Transport

  /// Sends the next line once the work and the timers before it are done.
  func exchange(_ connection: Connection) -> Bool {
    let session = connection.session
    collect(session.takeOutput())
    let now = CoreClock.machineTime
    if !session.core.isSettled || !session.isReady {
      let deadline = self.deadline ?? now + patience
      self.deadline = deadline
      if now < deadline { return false }
    }
    deadline = nil
    let clock = session.core.clock
    let time = hasNext ? start - length + .milliseconds(lines[count].time) : now
    if !clock.isVirtual, let due = clock.nextDeadline, due <= time {
      clock.catchUp(to: due)
      return true
    }
    clock.catchUp(to: time)
    guard hasNext else {
      close(connection)
      return true
    }
    let line = Array(lines[count].text.utf8)
    for id in Calls(line).ids { unanswered.append((id, count)) }
    count += 1
    connection.input.append(line + [0x0A])
    return true
  }

  func addWaits(to waits: inout Waits, for connection: Connection) {
    if let deadline { waits.end(by: deadline) }
  }

  func finish(_ connection: Connection) -> Bool { true }

  private var hasNext: Bool { !hasStopped && count < lines.count }

  /// The time to wait for work before the next line: a little longer than the front end has waited.
  private var patience: Duration {
    let time = hasNext ? .milliseconds(lines[count].time) : length
    let pause = count > 0 ? time - .milliseconds(lines[count - 1].time) : .zero
    return min(pause + .seconds(1), max(.zero, start + Self.patience - CoreClock.machineTime))
  }

  private func collect(_ output: [String]) {
    for text in output {
      guard case .responses(let ids, let error) = CoreLine(Array(text.utf8)),
        let index = unanswered.lastIndex(where: { ids.contains($0.id) })
      else { continue }
      let line = unanswered[index].line
      unanswered.removeAll { $0.line == line && ids.contains($0.id) }
      switch lines[line].outcome {
      case .pending: responses.append(text)
      case .succeeded: if let error { note(error, line) }
      case .failed: break
      }
    }
  }

  /// Records a line that now fails. If an input is gone, the rest of the session may still make
  /// sense; if a screen, a row, or a prompt is gone, it does not.
  private func note(_ error: JSON, _ line: Int) {
    guard !hasStopped else { return }
    hasStopped = error["code"]?.int != ErrorCode.unknownInput.rawValue
    let outcome = hasStopped ? "stopped at" : "skipped"
    let message = error["message"]?.string ?? ""
    failures.append((line, "\(outcome) line \(line + 1) of \(lines.count): \(message)"))
  }

  // MARK: The end

  /// Hands the session over to the front end, with one frame and the responses that it waits for.
  func close(_ connection: Connection) {
    let session = connection.session
    collect(session.takeOutput())
    let report: JSON = [
      "lines": .int(count),
      "failures": .array(failures.map { .string($0.reason) }),
      "failed": .array(failures.map { .int($0.line) }),
      "milliseconds": .int(Int((CoreClock.machineTime - start).milliseconds)),
    ]
    session.startOver(after: replay.revision) {
      $0.notification(CoreLine.replayedMethod) { $0.json(report) }
    }
    for response in responses {
      session.publisher.output.write(
        Array(Self.response(response, revision: session.publisher.revision).utf8))
    }
    let error = RPCError(
      .requestCanceled,
      "request canceled: the rebuilt app does not get to this point of the session")
    for line in lines.dropFirst(count) where line.outcome == .pending {
      if let response = Calls.failure(of: line.text, error) {
        session.publisher.output.write(response)
      }
    }
    connection.transport = streams
  }

  /// Replaces the revision of a result, since that of the replay means nothing to the front end.
  private static func response(_ text: String, revision: Int) -> String {
    guard let response = CoreLine.json(Array(text.utf8)) else { return text }
    if let batch = response.array {
      return JSON.array(batch.map { withRevision(revision, $0) }).description
    }
    return withRevision(revision, response).description
  }

  private static func withRevision(_ revision: Int, _ response: JSON) -> JSON {
    guard response["result"]?["revision"] != nil else { return response }
    var response = response
    response["result"]?["revision"] = .int(revision)
    return response
  }
}
