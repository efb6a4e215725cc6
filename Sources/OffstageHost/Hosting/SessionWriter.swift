internal import Offstage
internal import OffstageSystem

/// Writes what happens in the sessions of a host to the store that it shares with others: all that has
/// happened during a write, with the next one.
@CoreActor
final class SessionWriter {
  /// Called once another host has a session.
  var onLoss: (SessionKey) -> Void = { _ in }
  private let store: any SessionStore
  private let app: AppInfo
  /// The sessions of this host, by their ids.
  private var places: [String: StorePlace] = [:]
  private var pending: [SessionChange] = []
  private var underWay: [SessionChange] = []
  /// The number of writes in a row that have failed.
  private var failures = 0
  /// When to write again after a failure; nil without one.
  private var retryTime: Duration?
  private let retryDelay: Duration
  /// The starts that are not known to be good yet, and when they are.
  private var starts: [(place: StorePlace, goodTime: Duration)] = []
  private let goodDelay: Duration

  /// A failure may be that of one transaction. So many in a row mean that the store is away.
  private static let mostFailures = 2

  init(
    _ store: any SessionStore, _ app: AppInfo, retryDelay: Duration = .milliseconds(500),
    goodDelay: Duration = .milliseconds(FilePlace.goodStartDelay)
  ) {
    (self.store, self.app) = (store, app)
    (self.retryDelay, self.goodDelay) = (retryDelay, goodDelay)
  }

  /// True while the store cannot be reached.
  var isAway: Bool { failures >= Self.mostFailures }

  func add(_ place: StorePlace) {
    places[place.key.id] = place
    starts.append((place, CoreClock.machineTime + goodDelay))
  }

  /// Writes a change, after those before it.
  func write(_ change: SessionChange) {
    // Those of a store that is away would have no bound.
    if change.kind == .whole {
      pending.removeAll { $0.lease.session == change.lease.session && $0.kind != .rest }
    }
    pending.append(change)
    if retryTime == nil { writeNext() }
  }

  private func writeNext() {
    guard underWay.isEmpty, !pending.isEmpty else { return }
    // The store may not know a session before its whole state.
    underWay = pending.filter { $0.kind != .rest } + pending.filter { $0.kind == .rest }
    pending = []
    Task {
      do {
        let lost = try await store.write(underWay)
        if isAway { report("the sessions are kept again") }
        (failures, retryTime) = (0, nil)
        finish(lost)
      } catch {
        failures += 1
        if failures == Self.mostFailures {
          report("cannot keep the sessions, and goes on without: \(error)")
        }
        retryTime = CoreClock.machineTime + retryDelay
        let whole = Set(pending.filter { $0.kind == .whole }.map(\.lease.session))
        pending =
          underWay.filter { $0.kind == .rest || !whole.contains($0.lease.session) } + pending
        underWay = []
        if isAway { for place in places.values { place.release(through: nil) } }
      }
    }
  }

  private func report(_ message: String) { app.reportOfHost(message) }

  private func finish(_ lost: Set<String>) {
    let changes = underWay
    underWay = []
    pending.removeAll { lost.contains($0.lease.session) && $0.kind != .rest }
    for change in changes where !lost.contains(change.lease.session) {
      places[change.lease.session]?.release(through: change.number)
    }
    for id in lost {
      if let place = places[id] { giveUp(place) }
    }
    writeNext()
  }

  /// Gives up a session that another host has.
  func giveUp(_ place: StorePlace) {
    places[place.key.id] = nil
    place.lose()
    // The session may be handling a line.
    Task { onLoss(place.key) }
  }
}

extension SessionWriter: SessionHome {
  func begin(_ key: SessionKey) throws -> any Place { try StorePlace(key, self, nil) }

  func mayFind(_ key: SessionKey) -> Bool { isAway || !isUnwritten(key) }

  func find(_ key: SessionKey) async throws -> (any Place)? {
    guard key.isPossible else { return nil }
    if isUnwritten(key) { throw FileError(description: "the store is away") }
    guard let kept = try await store.take(key.id, of: key.visitor) else { return nil }
    let place = try StorePlace(key, self, kept)
    return place.state == nil ? nil : place
  }

  private func isUnwritten(_ key: SessionKey) -> Bool {
    (underWay + pending).contains { $0.lease.session == key.id }
  }

  func ended(_ key: SessionKey, isUnknown: Bool) { places[key.id] = nil }

  func unused(for time: Duration) async throws -> [SessionKey] {
    try await store.unused(for: Int(time / .seconds(1)))
      .map { SessionKey(visitor: $0.visitor, id: $0.session) }
  }

  func isLast(_ key: SessionKey) async throws -> Bool {
    try await store.isLast(key.id, of: key.visitor)
  }

  func remove(_ key: SessionKey) async throws { try await store.remove(key.id) }

  var count: Int? { nil }

  var canEnd: Bool { underWay.isEmpty && (pending.isEmpty || isAway) }

  func handleNext() {
    guard retryTime != nil || !starts.isEmpty else { return }
    let now = CoreClock.machineTime
    if let retryTime, now >= retryTime { writeNext() }
    let good = starts.prefix { $0.goodTime <= now }
    starts.removeFirst(good.count)
    for (place, _) in good { place.noteGoodStart() }
  }

  func addWaits(to waits: inout Waits) {
    if let retryTime, underWay.isEmpty { waits.end(by: retryTime) }
    if let first = starts.first { waits.end(by: first.goodTime) }
  }
}
