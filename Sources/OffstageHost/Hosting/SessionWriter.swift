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
  /// The sessions that the store is asked for.
  fileprivate var asked: [SessionKey: Asked] = [:]
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
  fileprivate enum Asked {
    case underWay
    case answered(Result<KeptSession?, any Error>)
  }

  func begin(_ key: SessionKey) throws -> any Place { try StorePlace(key, self, nil) }

  func find(_ key: SessionKey) throws -> FoundSession? {
    guard key.isPossible else { return .missing }
    // It has just left this host, which has not written everything yet.
    if (underWay + pending).contains(where: { $0.lease.session == key.id }) {
      if isAway { throw FileError(description: "the store is away") }
      return nil
    }
    switch asked[key] {
    case .underWay: return nil
    case .answered(let result):
      asked[key] = nil
      return try result.get().map { .place(try StorePlace(key, self, $0)) } ?? .missing
    case nil:
      asked[key] = .underWay
      Task {
        let result: Result<KeptSession?, any Error>
        do { result = .success(try await store.take(key.id, of: key.visitor)) } catch {
          result = .failure(error)
        }
        asked[key] = .answered(result)
        CoreActor.executor.wake()
      }
      return nil
    }
  }

  func ended(_ key: SessionKey, isUnknown: Bool) { places[key.id] = nil }

  func forgetAnswers() {
    asked = asked.filter { if case .underWay = $0.value { true } else { false } }
  }

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
