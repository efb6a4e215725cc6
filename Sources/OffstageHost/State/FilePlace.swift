internal import Offstage
internal import OffstageJSON
internal import OffstageSystem
internal import Synchronization

/// Keeps where the user is in files of this machine.
///
/// ```text
/// a turn changes something ─▶ a record in the journal ─▶ the frame of the turn leaves
///                                       │
///                                       ▼  within a second, or once it is filling
///                             state.json, by another thread ─▶ the records in it are cleared
/// ```
/// So the death of the process loses nothing that the front end has seen, and a loss of power at most
/// the last second. If the files cannot be written, the app goes on without them.
@CoreActor
final class FilePlace: Place {
  private(set) var state: JSON?
  private let app: AppInfo
  /// nil for one of many sessions, whose host keeps other processes out.
  private let directory: PlaceDirectory?
  private let file: StateFile
  private let journalPath: String
  // Unchecked on the hot path; see `CoreActor`.
  /// nil if there is no room for it. The checkpoints are all there is then.
  @exclusivity(unchecked) private var journal: Journal?
  /// The number of the last record.
  @exclusivity(unchecked) private var record = 0
  @exclusivity(unchecked) private var writer = JSONWriter()
  /// True while another thread writes a checkpoint.
  @exclusivity(unchecked) private var isWriting = false
  /// When to write the next checkpoint, in milliseconds on the coarse clock; nil without changes.
  @exclusivity(unchecked) private var nextCheckpoint: Int?
  /// When this start counts as good, if the app has not come to rest after an input before; nil once
  /// it does. What a restored screen loads begins with the input that it has appeared.
  @exclusivity(unchecked) private var goodStart: Int?
  /// True if the journal lacks records that no checkpoint contains yet, so that those that follow would
  /// lead nowhere.
  @exclusivity(unchecked) private var hasGap = false
  /// True until a record follows those of an earlier process, which no checkpoint contains yet.
  @exclusivity(unchecked) private var isBehind = false
  private var hasReportedFailure = false
  private let journalSize: Journal.Size
  /// The last record and the revision in the newest checkpoint that was written.
  private var written: (record: Int, revision: Int)?

  private static let checkpointDelay = 250
  private static let retryDelay = 5000
  /// A start is good after so many milliseconds.
  static let goodStartDelay = 5000
  /// So many starts in a row that die early set the state aside.
  static let earlyDeaths = 2
  /// The threads of this process that write checkpoints, and how many there may be.
  private static var writers = 0
  private static let mostWriters = 8
  /// The memory of the writer that is kept for the next record.
  private static let keptCapacity = 1 << 16

  /// - Parameter path: What the paths of its files begin with.
  private init(
    _ path: String, _ app: AppInfo, in directory: PlaceDirectory?, _ size: Journal.Size = .large
  ) {
    (self.app, self.directory, journalSize) = (app, directory, size)
    file = StateFile("\(path)state.json", app: app)
    journalPath = "\(path)journal"
    openJournal()
  }

  private convenience init(_ directory: PlaceDirectory, _ app: AppInfo) {
    self.init("\(directory.path)/", app, in: directory)
  }

  /// - Parameter path: The directory. While another process uses it, the place is in a directory within it.
  convenience init?(in path: String, app: AppInfo, isFresh: Bool) {
    guard let directory = PlaceDirectory.free(path, app) else { return nil }
    self.init(directory, app)
    begin(isFresh: isFresh)
  }

  /// The place of one of many sessions in this process. Once it has ended, it has no journal.
  /// - Parameter path: What the paths of its files begin with.
  convenience init(ofManyAt path: String, app: AppInfo) {
    self.init(path, app, in: nil, .small)
    begin(isFresh: false)
  }

  private func begin(isFresh: Bool) {
    if isFresh {
      setAllAside(because: "is set aside by --fresh")
    } else if let journal, journal[.starts] >= Self.earlyDeaths {
      setAllAside(
        because: "has led to \(Self.earlyDeaths) starts that died before the app had loaded")
    } else {
      read()
    }
  }

  func noteStart() {
    journal?[.starts] += 1
    goodStart = coarseMilliseconds + Self.goodStartDelay
  }

  // MARK: The start

  private func openJournal() {
    do throws(FileError) { journal = try Journal(journalPath, journalSize) } catch {
      guard access(journalPath, F_OK) == 0 else { return report(error) }
      app.setAside(
        journalPath, because: "\(error)", "what happened since the last checkpoint is missing")
      do throws(FileError) { journal = try Journal(journalPath, journalSize) } catch {
        report(error)
      }
    }
  }

  /// Keeps the state for a bug report, and starts afresh.
  private func setAllAside(because reason: String) {
    for path in [file.path, journalPath] where access(path, F_OK) == 0 {
      app.setAside(path, because: "\(path) \(reason)", "the app starts afresh")
    }
    journal = nil
    openJournal()
  }

  private func read() {
    var checkpoint: StateFile.Checkpoint?
    do throws(FileError) { checkpoint = try file.read() } catch {
      app.setAside(file.path, because: "\(error)", "the app starts afresh")
      journal?.clear(through: .max)
      return
    }
    state = checkpoint?.state
    record = checkpoint?.record ?? 0
    guard let journal else { return }
    if let checkpoint, checkpoint.journal != journal[.id] {
      // It goes on from another file than this one.
      journal.clear(through: .max)
      journal[.id] = checkpoint.journal
    } else {
      applyRecords(of: journal)
      isBehind = record > checkpoint?.record ?? 0
      self.journal?.clear(through: checkpoint?.record ?? 0)
    }
  }

  private func applyRecords(of journal: Journal) {
    var state = state ?? .null
    do {
      try journal.applyRecords(after: &record, to: &state)
      // A gap: the records after it belong to a checkpoint that is gone.
      if record < journal.last { journal.clear(through: .max) }
    } catch {
      app.setAside(
        journalPath, because: "\(journalPath) is damaged (\(error))",
        "what happened since the last checkpoint is missing")
      self.journal = nil
      openJournal()
    }
    guard state != .null else { return }
    let revision = max(state["session"]?["revision"]?.int ?? 0, Int(journal[.revision]))
    state["session"]?["revision"] = .int(revision)
    self.state = state
  }

  // MARK: Commands

  /// Returns the state in a directory, or nil if there is none. While another process uses it, that is
  /// the state of its last checkpoint.
  static func state(in path: String, app: AppInfo) throws(FileError) -> JSON? {
    guard access(path, F_OK) == 0 else { return nil }
    guard let directory = PlaceDirectory(path) else {
      return try StateFile("\(path)/state.json", app: app).read()?.state
    }
    let place = FilePlace(directory, app)
    place.read()
    return place.state
  }

  /// Leaves a state for the next start.
  static func leave(_ state: JSON, in path: String, app: AppInfo) throws(FileError) {
    guard let directory = PlaceDirectory(path) else {
      throw FileError(description: "\(path) is in use by another process; end it first")
    }
    let place = FilePlace(directory, app)
    guard access(place.file.path, F_OK) != 0, let journal = place.journal, journal.last == 0 else {
      throw FileError(description: "\(path) has a state already; choose another directory")
    }
    let checkpoint = StateFile.Checkpoint(state: state, journal: journal[.id], record: 0)
    try place.file.write(place.file.text(of: checkpoint), through: 0)
  }

  // MARK: Records

  /// Writes what has changed into the journal, before it leaves the process.
  @inline(__always)  // On the path of every line.
  func keep(_ session: Session) {
    journal?[.revision] = UInt64(session.publisher.revision)
    if session.hasStateChanges || isBehind && session.publisher.hasStarted { addRecord(session) }
  }

  private func addRecord(_ session: Session) {
    writer.bytes.removeAll(keeping: Self.keptCapacity)
    writer.failures = []
    guard session.writeStateChanges(to: &writer) else { return }
    isBehind = false
    record += 1
    // One of many sessions that has only begun has nothing to lose yet.
    if nextCheckpoint == nil, session.isUsed || directory != nil {
      scheduleCheckpoint(in: Self.checkpointDelay)
    }
    guard let journal, !hasGap else { return }
    if writer.bytes.withUnsafeBytes({ journal.append($0, number: record) }) {
      if journal.isFilling, !isWriting { startCheckpoint(session) }
    } else {
      hasGap = true
      writeCheckpoint(session)
    }
  }

  // MARK: Checkpoints

  /// Called by the loop: writes a checkpoint if it is due.
  @inline(__always)  // On the path of every line.
  func handleNext(_ session: Session) {
    if Watchdog.hasFired.load(ordering: .relaxed) || goodStart != nil
      || !Watchdog.isRunning.load(ordering: .relaxed)
    {
      check(session)
    }
  }

  @inline(never)
  private func check(_ session: Session) {
    Watchdog.hasFired.store(false, ordering: .relaxed)
    let now = coarseMilliseconds
    if let time = goodStart, time <= now || session.hasLoaded {
      noteGoodStart()
    }
    if !isWriting, let time = nextCheckpoint, time <= now {
      if hasGap { writeCheckpoint(session) } else { startCheckpoint(session) }
    }
    Watchdog.mustWake.store(
      nextCheckpoint != nil || goodStart != nil, ordering: .sequentiallyConsistent)
  }

  /// A later death says nothing about the state.
  private func noteGoodStart() {
    goodStart = nil
    journal?[.starts] = 0
  }

  func rest() {
    writer.bytes = ByteBuffer()
    journal?.releaseMemory()
  }

  var isQuiet: Bool { !isWriting && nextCheckpoint == nil }

  /// Only without the alarm: in an embedded core, and in a host.
  func addWaits(to waits: inout Waits) {
    if Watchdog.isRunning.load(ordering: .relaxed) { return }
    guard let next = [isWriting ? nil : nextCheckpoint, goodStart].compactMap(\.self).min()
    else { return }
    waits.end(after: .milliseconds(next - coarseMilliseconds))
  }

  private func text(_ session: Session) -> [UInt8] {
    file.text(of: .init(state: session.state, journal: journal?[.id] ?? 0, record: record))
  }

  private func scheduleCheckpoint(in delay: Int) {
    nextCheckpoint = coarseMilliseconds + delay
    Watchdog.mustWake.store(true, ordering: .sequentiallyConsistent)
  }

  /// Writes a checkpoint on another thread. The core goes on meanwhile.
  private func startCheckpoint(_ session: Session) {
    guard Self.writers < Self.mostWriters else {
      return scheduleCheckpoint(in: Self.checkpointDelay / 4)
    }
    let (text, record, revision) = (text(session), record, session.publisher.revision)
    nextCheckpoint = nil
    // A place that has ended meanwhile leaves its directory to the next one.
    let failure = startThread { [weak self, file] in
      let result = Result { () throws(FileError) in try file.write(text, through: record) }
      Task { @CoreActor in
        Self.writers -= 1
        self?.isWriting = false
        self?.finish(result, through: record, revision)
      }
    }
    guard failure == 0 else { return writeCheckpoint(session) }
    isWriting = true
    Self.writers += 1
  }

  /// Writes a checkpoint before anything else happens.
  private func writeCheckpoint(_ session: Session) {
    let text = text(session)
    nextCheckpoint = nil
    finish(
      Result { () throws(FileError) in try file.write(text, through: record) }, through: record,
      session.publisher.revision)
  }

  private func finish(_ result: Result<Void, FileError>, through number: Int, _ revision: Int) {
    switch result {
    case .success:
      written = (number, revision)
      journal?.clear(through: number)
      if number == record { hasGap = false }
      hasReportedFailure = false
    case .failure(let error):
      report(error)
      scheduleCheckpoint(in: Self.retryDelay)
    }
  }

  private func report(_ error: FileError) {
    guard !hasReportedFailure else { return }
    hasReportedFailure = true
    StandardStreams.printError(
      "\(app.name): cannot keep where the user is, and goes on without: \(error)", timeout: 0)
  }

  // MARK: The end

  /// Leaves one complete file and an empty journal.
  func end(_ session: Session) {
    if session.publisher.hasStarted {
      keep(session)
      if written.map({ $0 != (record, session.publisher.revision) }) ?? true {
        // Newer than a checkpoint that may still be written.
        record += 1
        writeCheckpoint(session)
      }
    }
    noteGoodStart()
    guard journalSize == .small, written?.record == record else { return }
    journal = nil
    unlink(journalPath)
  }
}
