internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// Serves many sessions of an app in one process, each to the front end that is connected to it.
///
/// ```text
/// a front end connects ─▶ Arrival ── its first line ─▶ a session begins, or goes on ─▶ Connection
///                                                                 ▲                        │
///                            in its folder, without memory ◀── parked ◀── Absence ◀── it leaves
/// ```
/// A session is a `Connection` in `connections` from its beginning until it is parked. Each has a
/// folder, see `SessionFolders`, or is in a store that hosts share, see `SessionWriter`.
@CoreActor
final class Host: Served {
  private let factory: SessionFactory
  private let options: HostOptions
  private let folders: SessionFolders
  /// nil if the sessions are in the folders.
  private let writer: SessionWriter?
  /// The sessions that the store is asked for.
  private var asked: [SessionKey: Asked] = [:]
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
    writer = factory.store.map { SessionWriter($0, factory.program.info) }
    quiet = try QuietConnections()
    CoreActor.executor.add(self)
  }

  /// The address, with the port that the system has chosen for port 0.
  var address: SocketAddress { listener?.address ?? options.address }

  /// True once every session has been parked after a signal.
  var hasEnded: Bool { listener == nil && connections.isEmpty && (writer?.canEnd ?? true) }

  // MARK: The loop

  func handleNext() -> Bool {
    guard Signals.haveArrived, listener != nil else {
      quiet.takeQuiet()
      quiet.wakeDue()
      cleanUp()
      sweep()
      writer?.handleNext()
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
    writer?.addWaits(to: &waits)
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
    if let visitor = greeting.visitor, !SessionFolders.isVisitor(visitor) {
      counts.refused += 1
      return arrival.refuse(
        greeting.id,
        RPCError(
          .invalidParams,
          "Invalid params: /visitor takes 1 to 64 small letters, digits, and hyphens"))
    }
    if let id = greeting.session {
      let key = SessionKey(visitor: greeting.visitor ?? id, id: id)
      if let connection = connections[key] {
        guard connection.phase == .serving || connection.phase == .leaving else { return false }
        counts.resumed += 1
        quiet.wake(connection)
        return serve(arrival, by: connection)
      }
      if leaving.contains(key.visitor) { return false }
      do {
        switch try find(key) {
        case nil: return false
        case .kept(let kept): return begin(arrival, greeting, as: key, kept)
        case .missing: report("no session \(Self.shortened(id)); a new one begins")
        }
      } catch {
        counts.refused += 1
        report("cannot find a session: \(error)")
        return arrival.refuse(
          greeting.id, RPCError(.overloaded, "busy: the sessions are away; try again later"))
      }
    }
    if let visitor = greeting.visitor, leaving.contains(visitor) { return false }
    return begin(arrival, greeting, as: nil)
  }

  private enum Found {
    /// A session, with what the store has of it.
    case kept(KeptSession?)
    case missing
  }

  private enum Asked {
    case underWay
    case answered(Result<KeptSession?, any Error>)
  }

  /// Looks for an earlier session, which is this host's from then on.
  /// - Returns: nil while the answer is under way.
  private func find(_ key: SessionKey) throws -> Found? {
    guard let writer else { return folders.has(key) ? .kept(nil) : .missing }
    guard SessionFolders.isKey(key) else { return .missing }
    // It has just left this host, which has not written everything yet.
    if writer.isWriting(key.id) {
      if writer.isAway { throw FileError(description: "the store is away") }
      return nil
    }
    switch asked[key] {
    case .underWay: return nil
    case .answered(let result):
      asked[key] = nil
      return try result.get().map { .kept($0) } ?? .missing
    case nil:
      asked[key] = .underWay
      Task {
        let result: Result<KeptSession?, any Error>
        do { result = .success(try await writer.store.take(key.id, of: key.visitor)) } catch {
          result = .failure(error)
        }
        asked[key] = .answered(result)
        CoreActor.executor.wake()
      }
      return nil
    }
  }

  /// Begins a session, or one that was parked again.
  /// - Parameters:
  ///   - key: nil for a new session.
  ///   - kept: What the store has of it.
  private func begin(
    _ arrival: Arrival, _ greeting: Greeting, as key: SessionKey?, _ kept: KeptSession? = nil
  ) -> Bool {
    guard connections.count < options.mostSessions else {
      if parkSoonest() { return false }
      counts.refused += 1
      return arrival.refuse(
        greeting.id,
        RPCError(.overloaded, "busy: \(connections.count) sessions are open; try again later"))
    }
    do {
      guard let key else {
        let id = Session.newID()
        let key = SessionKey(visitor: greeting.visitor ?? id, id: id)
        return serve(arrival, by: try session(key, isNew: true))
      }
      guard let connection = try session(key, isNew: false, kept) else {
        report("the session \(Self.shortened(key.id)) has no state that works; a new one begins")
        return begin(arrival, greeting, as: nil)
      }
      counts.resumed += 1
      return serve(arrival, by: connection)
    } catch {
      counts.refused += 1
      report("cannot begin a session: \(error)")
      return arrival.refuse(greeting.id, RPCError(.internalError, "cannot begin a session"))
    }
  }

  /// Creates a session.
  /// - Returns: nil if an earlier session has left no state.
  private func session(
    _ key: SessionKey, isNew: Bool, _ kept: KeptSession? = nil
  ) throws -> Connection? {
    do {
      let place = try place(of: key, isNew: isNew, kept)
      guard isNew || place.state != nil else { return nil }
      let session = try factory.makeSession(key, in: place, data: folders.data(of: key.visitor))
      let connection = Connection(session, absence)
      connection.onEnd = { [self] in ended(key, session) }
      quiet.watch(connection)
      connections[key] = connection
      planCleanup()
      if isNew { counts.begun += 1 }
      return connection
    } catch {
      if isNew, writer == nil { folders.remove(key) }
      throw error
    }
  }

  private func place(
    of key: SessionKey, isNew: Bool, _ kept: KeptSession?
  ) throws -> any Place {
    guard let writer else {
      return FilePlace(
        ofManyIn: try folders.open(key, isNew: isNew), app: factory.program.info)
    }
    let place = try StorePlace(key, writer, kept)
    place.onLoss = { [unowned self] in
      guard let connection = connections[key] else { return }
      report("another host has the session \(Self.shortened(key.id))")
      quiet.wake(connection)
      connection.end()
    }
    return place
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
    // Nobody waits for these answers.
    if arrivals.isEmpty {
      asked = asked.filter { if case .underWay = $0.value { true } else { false } }
    }
  }

  // MARK: Parking

  private var absence: Absence { Absence(until: CoreClock.machineTime + options.parkingDelay) }

  private func ended(_ key: SessionKey, _ session: Session) {
    if let connection = connections.removeValue(forKey: key) { quiet.forget(connection) }
    counts.add(session)
    writer?.remove(key.id)
    // No front end has been told its id.
    if writer == nil, !session.publisher.hasStarted, session.place?.state == nil {
      folders.remove(key)
    }
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
        for key in try await unused() where connections[key] == nil { try await remove(key) }
      } catch {
        report("cannot remove old sessions yet: \(error)")
      }
    }
  }

  private func unused() async throws -> [SessionKey] {
    let sessions = try await writer?.store.unused(for: Int(options.keptTime / .seconds(1)))
    guard let sessions else {
      return await folders.unused(since: .seconds(time(nil)) - options.keptTime)
    }
    return sessions.map { SessionKey(visitor: $0.visitor, id: $0.session) }
  }

  /// Removes a session, and all that its visitor has left if it is the last one.
  private func remove(_ key: SessionKey) async throws {
    leaving.insert(key.visitor)
    defer { leaving.remove(key.visitor) }
    let isLast =
      try await writer?.store.isLast(key.id, of: key.visitor) ?? folders.isLast(key)
    if isLast { try await factory.forget(key.visitor) }
    if let writer { try await writer.store.remove(key.id) } else { folders.remove(key) }
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
      parked: writer == nil ? folders.count - connections.count : nil, isAsked: isAsked)
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
