internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// Serves many sessions of an app in one process, each to the front end that is connected to it.
///
/// ```text
/// a front end connects ─▶ Arrival ── its first line ─▶ a session begins, or goes on ─▶ Connection
///                                                                 ▲                        │
///                     at its home, without memory ◀── parked ◀── Absence ◀── it leaves, or is idle
/// ```
/// A session is a `Connection` in `connections` from its beginning until it is parked, and then in its
/// `SessionHome`.
@CoreActor
final class Host: Served {
  private let app: AppInfo
  private let factory: SessionFactory
  private let options: HostOptions
  private let folders: SessionFolders
  private let home: any SessionHome
  /// nil once the host ends.
  private var reception: Reception?
  /// The sessions in memory.
  private var connections: [SessionKey: Connection] = [:]
  private let quiet: QuietConnections
  private let idle: IdleFrontEnds
  /// When to give memory back that sessions no longer use; nil unless some have begun or ended.
  private var nextCleanup: Duration?
  /// When to look for abandoned sessions.
  private var nextSweep = CoreClock.machineTime
  /// The sessions that are being looked for.
  private var sought: Set<SessionKey> = []
  /// The visitors whose data is being removed.
  private var leaving: Set<String> = []
  var counts = HostCounts()

  /// By then, the databases of sessions at rest have freed what they need not keep.
  private static let cleanupDelay = Duration.seconds(30)

  /// - Parameter source: Where connections come from.
  /// - Throws: `FileError` if another host uses its folder.
  init(
    _ factory: SessionFactory, _ options: HostOptions, _ source: Door.Source
  ) throws(FileError) {
    (app, self.factory, self.options) = (factory.program.info, factory, options)
    folders = try SessionFolders(in: options.folder, app, options.share)
    let writer = factory.store.map { [app] in SessionWriter($0, app) }
    home = writer ?? folders
    idle = try IdleFrontEnds()
    quiet = try QuietConnections(idleDelay: options.idleDelay)
    CoreActor.executor.add(self)
    reception = Reception(Door(source, app)) { [unowned self] in admit($0, $1) }
    writer?.onLoss = { [unowned self] in lost($0) }
    quiet.onIdle = { [unowned self] in parkIdle($0, $1) }
  }

  /// True once every session has been parked after a signal.
  var hasEnded: Bool { reception == nil && connections.isEmpty && home.canEnd }

  // MARK: The loop

  func handleNext() -> Bool {
    guard Signals.haveArrived, let reception else {
      quiet.takeQuiet()
      quiet.wakeDue()
      cleanUp()
      sweep()
      home.handleNext()
      return false
    }
    quiet.wakeAll()
    // Each connection ends by itself; see `Connection`.
    reception.close()
    self.reception = nil
    return true
  }

  private func cleanUp() {
    guard let nextCleanup, CoreClock.machineTime >= nextCleanup else { return }
    self.nextCleanup = nil
    returnFreeMemory()
  }

  private func planCleanup() {
    nextCleanup = nextCleanup ?? CoreClock.machineTime + Self.cleanupDelay
  }

  func addWaits(to waits: inout Waits) {
    quiet.addWaits(to: &waits)
    idle.addWait(to: &waits) { [self] in reception?.take($0, $1, returningBy: $2) }
    waits.end(by: nextSweep)
    home.addWaits(to: &waits)
    if let nextCleanup { waits.end(by: nextCleanup) }
  }

  // MARK: Admission

  func admit(_ arrival: Arrival, _ greeting: Greeting) -> Bool {
    if let token = options.token, !greeting.has(token) {
      return refuse(
        arrival, greeting, .invalidRequest,
        "this host needs its token: send it as \"token\" with initialize first")
    }
    if greeting.asksForStatus { return answerStatus(arrival, greeting) }
    if let visitor = greeting.visitor, !SessionKey.isVisitor(visitor) {
      return refuse(
        arrival, greeting, .invalidParams,
        "Invalid params: /visitor takes 1 to 64 small letters, digits, and hyphens")
    }
    let key = greeting.session.map { SessionKey(visitor: greeting.visitor ?? $0, id: $0) }
    if let key, greeting.resumingLine == nil { idle.close(key) }
    if let key, let connection = connections[key] {
      guard connection.phase == .serving || connection.phase == .leaving else { return false }
      counts.resumed += 1
      quiet.wake(connection)
      return serve(arrival, greeting, by: connection)
    }
    if let visitor = key?.visitor ?? greeting.visitor, leaving.contains(visitor) { return false }
    if let key, sought.contains(key) || !home.mayFind(key) { return false }
    guard connections.count + sought.count < options.mostSessions else {
      if parkSoonest() { return false }
      return refuse(
        arrival, greeting, .overloaded,
        "busy: \(connections.count) sessions are open; try again later")
    }
    guard let key else { return begin(arrival, greeting) }
    sought.insert(key)
    Task { await resume(key, arrival, greeting) }
    return false
  }

  /// Goes on with a session that was parked; without one, begins another.
  private func resume(_ key: SessionKey, _ arrival: Arrival, _ greeting: Greeting) async {
    defer { sought.remove(key) }
    do {
      let place = try await home.find(key)
      // The front end may have gone meanwhile, or the visitor's data is being removed.
      guard arrival.isWaiting, !leaving.contains(key.visitor) else {
        place?.putBack()
        return
      }
      if place == nil, greeting.resumingLine != nil { return arrival.close() }
      if place == nil { report("no session \(Self.shortened(key.id)); a new one begins") }
      _ = begin(arrival, greeting, as: place == nil ? nil : key, in: place)
    } catch {
      report("cannot find a session: \(error)")
      guard arrival.isWaiting else { return }
      _ = refuse(arrival, greeting, .overloaded, "busy: the session is away; try again later")
    }
  }

  /// Begins a session, or one that was parked again.
  /// - Parameter place: That of the parked one.
  private func begin(
    _ arrival: Arrival, _ greeting: Greeting, as key: SessionKey? = nil,
    in place: (any Place)? = nil
  ) -> Bool {
    let key = key ?? newKey(for: greeting.visitor)
    do {
      let connection = try session(key, in: place ?? home.begin(key))
      if place == nil { counts.begun += 1 } else { counts.resumed += 1 }
      return serve(arrival, greeting, by: connection)
    } catch {
      if place == nil { home.ended(key, isUnknown: true) }
      report("cannot begin a session: \(error)")
      return refuse(arrival, greeting, .internalError, "cannot begin a session")
    }
  }

  private func refuse(
    _ arrival: Arrival, _ greeting: Greeting, _ code: ErrorCode, _ message: String
  ) -> Bool {
    counts.refused += 1
    return arrival.refuse(greeting.id, RPCError(code, message))
  }

  private func newKey(for visitor: String?) -> SessionKey {
    while true {
      let id = Session.newID()
      // Otherwise, another process would get the next connection.
      if visitor != nil || options.share.contains(id) {
        return SessionKey(visitor: visitor ?? id, id: id)
      }
    }
  }

  private func session(_ key: SessionKey, in place: any Place) throws -> Connection {
    let session = try factory.makeSession(key, in: place, data: folders.data(of: key.visitor))
    let connection = Connection(session, absence)
    connection.onEnd = { [self] in ended(key, session) }
    quiet.watch(key, connection)
    connections[key] = connection
    planCleanup()
    return connection
  }

  /// Ends a session that another host has.
  private func lost(_ key: SessionKey) {
    guard let connection = connections[key] else { return }
    report("another host has the session \(Self.shortened(key.id))")
    quiet.wake(connection)
    connection.end()
  }

  private func serve(
    _ arrival: Arrival, _ greeting: Greeting, by connection: Connection
  ) -> Bool {
    let (socket, bytes, hasEnded) = arrival.handOver()
    let stream = StreamTransport(socket, socket, connection.session) { [self] in absence }
    let line = greeting.resumingLine ?? []
    let serve = {
      connection.move(to: stream)
      connection.input.append(line + bytes)
      if hasEnded { connection.input.end() }
    }
    if line.isEmpty {
      serve()
    } else {
      connection.move(to: Return(of: stream, then: serve))
      connection.input.append(line)
    }
    return true
  }

  // MARK: Parking

  private var absence: Absence { Absence(until: CoreClock.machineTime + options.parkingDelay) }

  private func ended(_ key: SessionKey, _ session: Session) {
    if let connection = connections.removeValue(forKey: key) { quiet.forget(connection) }
    counts.add(session)
    home.ended(
      key, isUnknown: !session.publisher.hasStarted && session.place?.state == nil)
    planCleanup()
  }

  /// Parks a session whose front end stays connected, but says nothing.
  private func parkIdle(_ key: SessionKey, _ connection: Connection) -> Bool {
    let session = connection.session
    guard session.isIdle, connection.input.rest.isEmpty,
      let stream = connection.transport as? StreamTransport,
      idle.add(stream.source, of: key, Array("\(session.resumingLine)\n".utf8))
    else { return false }
    stream.release()
    quiet.wake(connection)
    connection.move(to: absence)
    connection.end()
    return true
  }

  /// Parks the session that has been left alone longest, to make room.
  /// - Returns: False if a front end is connected to each.
  private func parkSoonest() -> Bool {
    // One that is ending already makes room, too.
    if connections.values.contains(where: \.isEnding) { return true }
    let absent = connections.values.compactMap { connection in
      (connection.transport as? Absence).map { (connection, $0.deadline) }
    }
    guard let (connection, _) = absent.min(by: { $0.1 < $1.1 }) else { return false }
    quiet.wake(connection)
    connection.end()
    return true
  }

  // MARK: Removal

  private func sweep() {
    guard CoreClock.machineTime >= nextSweep else { return }
    nextSweep = CoreClock.machineTime + .seconds(3600)
    Task {
      do {
        for key in try await home.unused(for: options.keptTime)
        where options.share.contains(key.visitor) && connections[key] == nil
          && !sought.contains(key)
        {
          try await remove(key)
        }
      } catch {
        report("cannot remove old sessions yet: \(error)")
      }
    }
  }

  /// Removes a session, and all that its visitor has left if it is the last one.
  private func remove(_ key: SessionKey) async throws {
    leaving.insert(key.visitor)
    defer { leaving.remove(key.visitor) }
    let isLast = try await home.isLast(key)
    if isLast { try await factory.forget(key.visitor) }
    try await home.remove(key)
    if isLast { folders.removeVisitor(key.visitor) }
    report("removed the session \(Self.shortened(key.id)), to which nobody has come back")
  }

  // MARK: Reports

  /// - Parameter isAsked: See `HostCounts.json`.
  func status(isAsked: Bool) -> JSON {
    let sessions = connections.values.map(\.session)
    let connected = connections.values.count { !($0.transport is Absence) } + idle.count
    return counts.json(
      sessions: sessions, connected: connected, awake: quiet.awakeCount,
      parked: home.count.map { $0 - connections.count }, processes: options.share.count,
      isAsked: isAsked)
  }

  private func answerStatus(_ arrival: Arrival, _ greeting: Greeting) -> Bool {
    let count = options.share.count
    guard (1...count).contains(greeting.process) else {
      return arrival.refuse(
        greeting.id,
        RPCError(.invalidParams, "Invalid params: /process takes an integer from 1 to \(count)"))
    }
    return arrival.answer(greeting.id, status(isAsked: true))
  }

  func noteTurn(_ time: Duration) {
    counts.turns.add(time)
    guard time >= .seconds(1) else { return }
    report("warning: a turn of \(time.milliseconds) ms delayed every session; see Effects.offCore")
  }

  private func report(_ message: String) { app.reportOfHost(message) }

  /// An id as the log names it: the whole one would let its reader take over the session.
  static func shortened(_ id: String) -> String { "\(id.prefix(8))…" }
}

/// The transport of a session that no front end is connected to, until it is parked.
@CoreActor
private final class Absence: Transport {
  let deadline: Duration

  init(until deadline: Duration) { self.deadline = deadline }

  var awaited: Awaited? { .time(deadline) }

  func exchange(_ connection: Connection) -> Bool {
    connection.session.publisher.output.drop()
    guard CoreClock.machineTime >= deadline else { return false }
    connection.end()
    return true
  }

  func addWaits(to waits: inout Waits, for connection: Connection) {
    if connection.phase == .serving { waits.end(by: deadline) }
  }

  func finish(_ connection: Connection) -> Bool {
    connection.session.publisher.output.drop()
    return true
  }
}

/// The transport of a session that comes back to its idle front end, until it shows again what it
/// showed before.
@CoreActor
private final class Return: Transport {
  private let stream: StreamTransport
  /// Lets the front end go on with the session.
  private let serve: () -> Void
  private var isOver = false
  private let deadline = CoreClock.machineTime + .seconds(2)

  init(of stream: StreamTransport, then serve: @escaping () -> Void) {
    (self.stream, self.serve) = (stream, serve)
  }

  func exchange(_ connection: Connection) -> Bool {
    connection.session.publisher.output.drop()
    guard connection.session.isAtRest || CoreClock.machineTime >= deadline else { return false }
    isOver = true
    serve()
    return true
  }

  func addWaits(to waits: inout Waits, for connection: Connection) { waits.end(by: deadline) }

  func finish(_ connection: Connection) -> Bool {
    connection.session.publisher.output.drop()
    return true
  }

  func close() { if !isOver { stream.close() } }
}
