internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// Serves many sessions of an app in one process, each to the front end that is connected to it.
///
/// ```text
/// a front end connects ─▶ Arrival ── its first line ─▶ a session begins, or goes on ─▶ Connection
///                                                                 ▲                        │
///                              at its home, without memory ◀── parked ◀── Absence ◀── it leaves
/// ```
/// A session is a `Connection` in `connections` from its beginning until it is parked, and then in its
/// `SessionHome`.
@CoreActor
final class Host: Served {
  private let factory: SessionFactory
  private let options: HostOptions
  private let folders: SessionFolders
  private let home: any SessionHome
  /// nil once the host ends.
  private var listener: ListeningSocket?
  /// The sessions in memory.
  private var connections: [SessionKey: Connection] = [:]
  private var arrivals: [Arrival] = []
  private let quiet: QuietConnections
  /// The time until which no connections are accepted, for lack of descriptors.
  private var pause: Duration?
  /// When to give memory back that sessions no longer use; nil unless some have begun or ended.
  private var nextCleanup: Duration?
  /// When to look for abandoned sessions.
  private var nextSweep = CoreClock.machineTime
  /// The visitors whose data is being removed.
  private var leaving: Set<String> = []
  var counts = HostCounts()

  /// The number of connections that may wait to be admitted.
  private static let mostArrivals = 1024
  /// By then, the databases of sessions at rest have freed what they need not keep.
  private static let cleanupDelay = Duration.seconds(30)

  /// - Throws: `FileError` if the host cannot listen, or if another one uses its folder.
  init(_ factory: SessionFactory, _ options: HostOptions) throws(FileError) {
    (self.factory, self.options) = (factory, options)
    folders = try SessionFolders(in: options.folder, factory.program.info)
    listener = try ListeningSocket(options.address)
    let writer = factory.store.map { SessionWriter($0, factory.program.info) }
    home = writer ?? folders
    quiet = try QuietConnections()
    CoreActor.executor.add(self)
    writer?.onLoss = { [unowned self] in lost($0) }
  }

  /// The address, with the port that the system has chosen for port 0.
  var address: SocketAddress { listener?.address ?? options.address }

  /// True once every session has been parked after a signal.
  var hasEnded: Bool { listener == nil && connections.isEmpty && home.canEnd }

  // MARK: The loop

  func handleNext() -> Bool {
    guard Signals.haveArrived, listener != nil else {
      quiet.takeQuiet()
      quiet.wakeDue()
      cleanUp()
      sweep()
      home.handleNext()
      return false
    }
    quiet.wakeAll()
    // Each connection ends by itself; see `Connection`.
    listener = nil
    for arrival in arrivals { arrival.close() }
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
    waits.end(by: nextSweep)
    home.addWaits(to: &waits)
    if let nextCleanup { waits.end(by: nextCleanup) }
    guard let listener, hasRoom else { return }
    addWait(for: listener, to: &waits) { [self] in accept(listener) }
  }

  /// Waits for a connection, unless there is a lack of descriptors.
  func addWait(
    for listener: ListeningSocket, to waits: inout Waits, _ accept: @escaping () -> Void
  ) {
    if let pause {
      guard CoreClock.machineTime >= pause else { return waits.end(by: pause) }
      self.pause = nil
    }
    waits.add(listener.descriptor, POLLIN) { _ in accept() }
  }

  /// Returns a new connection; nil if none waits, or for lack of descriptors.
  func socket(from listener: ListeningSocket) -> Int32? {
    if let socket = listener.accept() { return socket }
    if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
      report("cannot take another connection: \(String(cString: strerror(errno)))")
      pause = CoreClock.machineTime + .seconds(1)
    }
    return nil
  }

  private func accept(_ listener: ListeningSocket) {
    while hasRoom {
      guard let socket = socket(from: listener) else { return }
      // Those that say nothing must not keep the others out.
      if arrivals.count == Self.mostArrivals { arrivals.first(where: \.isSilent)?.close() }
      arrivals.append(Arrival(socket, self))
    }
  }

  private var hasRoom: Bool {
    arrivals.count < Self.mostArrivals || arrivals.contains(where: \.isSilent)
  }

  // MARK: Admission

  /// Admits a front end by its first line, or refuses it.
  /// - Returns: False if it has to wait for the end of a session.
  func admit(_ arrival: Arrival, _ greeting: Greeting) -> Bool {
    if let token = options.token, !greeting.has(token) {
      counts.refused += 1
      return arrival.refuse(
        greeting.id,
        RPCError(
          .invalidRequest, "this host needs its token: send it as \"token\" with initialize first"))
    }
    if greeting.asksForStatus { return arrival.answer(greeting.id, status(isAsked: true)) }
    if let visitor = greeting.visitor, !SessionKey.isVisitor(visitor) {
      counts.refused += 1
      return arrival.refuse(
        greeting.id,
        RPCError(
          .invalidParams,
          "Invalid params: /visitor takes 1 to 64 small letters, digits, and hyphens"))
    }
    let key = greeting.session.map { SessionKey(visitor: greeting.visitor ?? $0, id: $0) }
    if let key, let connection = connections[key] {
      guard connection.phase == .serving || connection.phase == .leaving else { return false }
      counts.resumed += 1
      quiet.wake(connection)
      return serve(arrival, by: connection)
    }
    if let visitor = key?.visitor ?? greeting.visitor, leaving.contains(visitor) { return false }
    guard connections.count < options.mostSessions else {
      if parkSoonest() { return false }
      counts.refused += 1
      return arrival.refuse(
        greeting.id,
        RPCError(.overloaded, "busy: \(connections.count) sessions are open; try again later"))
    }
    return key.map { resume($0, arrival, greeting) } ?? begin(arrival, greeting)
  }

  /// Goes on with a session that was parked; without one, begins another.
  private func resume(_ key: SessionKey, _ arrival: Arrival, _ greeting: Greeting) -> Bool {
    let id = Self.shortened(key.id)
    do {
      switch try home.find(key) {
      case nil: return false
      case .place(let place) where place.state != nil:
        return begin(arrival, greeting, as: key, in: place)
      case .place: report("the session \(id) has no state; a new one begins")
      case .missing: report("no session \(id); a new one begins")
      }
    } catch {
      counts.refused += 1
      report("cannot find a session: \(error)")
      return arrival.refuse(
        greeting.id, RPCError(.overloaded, "busy: the session is away; try again later"))
    }
    return begin(arrival, greeting)
  }

  /// Begins a session, or one that was parked again.
  /// - Parameter place: That of the parked one.
  private func begin(
    _ arrival: Arrival, _ greeting: Greeting, as key: SessionKey? = nil,
    in place: (any Place)? = nil
  ) -> Bool {
    let id = key?.id ?? Session.newID()
    let key = key ?? SessionKey(visitor: greeting.visitor ?? id, id: id)
    do {
      let connection = try session(key, in: place ?? home.begin(key))
      if place == nil { counts.begun += 1 } else { counts.resumed += 1 }
      return serve(arrival, by: connection)
    } catch {
      if place == nil { home.ended(key, isUnknown: true) }
      counts.refused += 1
      report("cannot begin a session: \(error)")
      return arrival.refuse(greeting.id, RPCError(.internalError, "cannot begin a session"))
    }
  }

  private func session(_ key: SessionKey, in place: any Place) throws -> Connection {
    let session = try factory.makeSession(key, in: place, data: folders.data(of: key.visitor))
    let connection = Connection(session, absence)
    connection.onEnd = { [self] in ended(key, session) }
    quiet.watch(connection)
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

  private func serve(_ arrival: Arrival, by connection: Connection?) -> Bool {
    guard let connection else { return false }
    let (socket, bytes, hasEnded) = arrival.handOver()
    connection.move(
      to: StreamTransport(socket, connection.session) { [self] in absence })
    connection.input.append(bytes)
    if hasEnded { connection.input.end() }
    return true
  }

  func left(_ arrival: Arrival) {
    arrivals.removeAll { $0 === arrival }
    if arrivals.isEmpty { home.forgetAnswers() }
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
        for key in try await home.unused(for: options.keptTime) where connections[key] == nil {
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
    let connected = connections.values.count { !($0.transport is Absence) }
    return counts.json(
      sessions: sessions, connected: connected, awake: quiet.awakeCount,
      parked: home.count.map { $0 - connections.count }, isAsked: isAsked)
  }

  func noteTurn(_ time: Duration) {
    counts.turns.add(time)
    guard time >= .seconds(1) else { return }
    report("warning: a turn of \(time.milliseconds) ms delayed every session; see Effects.offCore")
  }

  private func report(_ message: String) {
    StandardStreams.printError("\(factory.program.info.name): host: \(message)", timeout: 0)
  }

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
