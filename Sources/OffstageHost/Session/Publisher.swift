package import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// Everything that a session sends, in the order of its lines: frames, responses, failures, and the
/// log.
///
/// A front end that does not read stops the core from reading, but does not stop its timers and
/// effects, so what they cause is bounded here.
@CoreActor
package final class Publisher {
  private let core: Core
  /// The hash of the app's description; nil for an app that cannot be described.
  let schemaHash: String?
  // Unchecked on the hot path; see `CoreActor`.
  /// The bytes of events and other changes that may wait for a slow reader.
  @exclusivity(unchecked) var longestBacklog: Int
  @exclusivity(unchecked) var output = OutputQueue()
  @exclusivity(unchecked) private var frames = FrameWriter()
  /// The numbers of failures and events that were dropped, and that the front end has missed.
  @exclusivity(unchecked) private var losses = (errors: 0, events: 0)
  private var firstRevision = 0
  /// True once the front end is shown the app.
  @exclusivity(unchecked) private(set) var hasStarted = false
  /// True once no more frames are sent.
  @exclusivity(unchecked) private var hasStopped = false
  var log = LogReaders()
  /// Called when there may be something to send; nil while the loop asks anyway.
  @exclusivity(unchecked) var onOutput: (() -> Void)?

  package init(_ core: Core, schemaHash: String? = nil, longestBacklog: Int = .max / 2) {
    self.core = core
    self.schemaHash = schemaHash
    self.longestBacklog = longestBacklog
  }

  /// True while the reader is so slow that no more input may be taken.
  var isFull: Bool { output.isOverfull || core.backlog > longestBacklog }

  // MARK: Frames

  var revision: Int { frames.revision }

  package func start() {
    hasStarted = true
    publish()
  }

  /// Sends no more frames: the front end must not see how the app ends.
  func stop() { hasStopped = true }

  /// Publishes the changes before the end of their turn.
  /// - Parameter evenIfBehind: False to let a later frame contain them while the reader is slow.
  package func publish(evenIfBehind: Bool = false) {
    core.updateDerivations()
    writeFrame(evenIfBehind: evenIfBehind)
  }

  /// Publishes the changes of a turn. While the reader is slow, a later frame contains them all.
  @inline(__always)  // On the path of every line.
  func writeFrame(evenIfBehind: Bool = false) {
    guard !hasStopped else { return }
    guard evenIfBehind || !output.isBehind else { return boundBacklog() }
    if losses != (0, 0) { reportLosses() }
    guard core.hasChanges || hasStarted && frames.startsOver else { return }
    core.publish { changes in
      if changes.language, revision > 0 { frames.schema = schemaHash }
      frames.write(&changes, of: core, to: &output)
    }
    if !output.writer.failures.isEmpty { reportFailures() }
  }

  /// Reports values that JSON cannot express, once the line without them is complete.
  @inline(never)
  private func reportFailures() {
    let failures = output.writer.failures
    output.writer.failures = []
    for failure in failures { notify(RPCError(.internalError, failure)) }
  }

  /// Repeats the frames that a front end has missed, or makes the next one replace its document.
  /// - Parameter seen: The revision that it has; nil if that is of another session.
  func repeatFrames(after seen: Int?) {
    // First, the changes that the earlier front end would have received.
    publish(evenIfBehind: true)
    if let seen, seen <= revision, output.repeatFrames(after: seen, through: revision) { return }
    frames.startsOver = true
    core.changedAgain()
  }

  /// Makes the first frame follow those of an earlier process, and replace the document.
  func goOn(after revision: Int) {
    firstRevision = revision
    frames.goOn(after: revision, schema: schemaHash)
  }

  var frameCount: Int { revision - firstRevision }

  func writeSnapshot(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("revision")
    writer.int(revision)
    writer.key("state")
    Document.write(core, to: &writer)
    writer.endObject()
    // A frame has reported them already.
    writer.failures = []
  }

  // MARK: Notifications

  func notify(_ error: RPCError) {
    output.line { $0.notification("error") { error.write(to: &$0) } }
  }

  /// Reports a failure that is not the response to a request.
  func report(_ fault: Fault) {
    onOutput?()
    if output.isOverfull {
      losses.errors += 1
    } else {
      notify(RPCError(fault.isOverload ? .overloaded : .internalError, fault.description))
    }
    write(LogRecord(level: .error, message: fault.description, cause: core.cause?.id))
  }

  /// Writes a line to the readers of its level.
  func write(_ record: LogRecord) {
    if let level = log.standardError, record.level >= level {
      StandardStreams.printError(record.text(of: log.session), timeout: 0)
    }
    guard let level = log.frontEnd, record.level >= level else { return }
    // The log must not hold up the app's frames.
    guard !output.isBehind else {
      log.dropped += 1
      return
    }
    if log.dropped > 0 {
      notify(LogRecord(level: .warning, message: "\(log.dropped) lines of the log were dropped"))
      log.dropped = 0
    }
    notify(record)
  }

  private func notify(_ record: LogRecord) {
    onOutput?()
    output.line { $0.notification("log") { $0.json(record.json) } }
  }

  // MARK: A slow reader

  /// Drops the events and commands that wait for a frame if there are too many. The next frame then
  /// replaces the whole document.
  ///
  /// The bound is twice that at which the core stops reading, so that no single request exceeds it.
  private func boundBacklog() {
    guard core.backlog > 2 * longestBacklog else { return }
    core.publish { losses.events += $0.events.count }
    frames.startsOver = true
  }

  /// Reports what was dropped, once the front end reads again.
  private func reportLosses() {
    guard !output.isBehind else { return }
    notify(
      RPCError(
        .overloaded,
        "the output was not read: \(losses.events) events and \(losses.errors) errors were dropped",
        data: [
          "errors": .int(losses.errors),
          "events": .int(losses.events),
        ]))
    losses = (0, 0)
  }

  /// Takes the lines written so far, without line feeds, and the frame that had to wait for them.
  package func takeLines() -> [String] {
    guard output.isBehind else { return output.takeLines() }
    let lines = output.takeLines()
    publish()
    return lines + output.takeLines()
  }
}

/// The readers of the log, each with its own minimum level.
struct LogReaders {
  /// The least important level sent to the front end; nil for none.
  var frontEnd: LogLevel?
  /// The least important level printed on standard error; nil for none.
  var standardError: LogLevel?
  /// The session for the lines on standard error; nil for the only one of the process.
  var session: String?
  /// The number of lines dropped because the front end is slow.
  fileprivate var dropped = 0

  var isEmpty: Bool { frontEnd == nil && standardError == nil }
}
