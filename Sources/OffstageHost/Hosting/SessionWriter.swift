internal import Offstage
internal import OffstageSystem

/// Writes what happens in the sessions of a host to the store that it shares with others: all that has
/// happened during a write, with the next one.
@CoreActor
final class SessionWriter {
  let store: any SessionStore
  private let app: AppInfo
  /// The sessions of this host, by their ids.
  private var places: [String: StorePlace] = [:]
  private var pending: [SessionChange] = []
  private var underWay: [SessionChange] = []
  /// When to try again to reach the store; nil while it can be reached.
  private var retryTime: Duration?
  private let retryDelay: Duration

  init(_ store: any SessionStore, _ app: AppInfo, retryDelay: Duration = .seconds(1)) {
    (self.store, self.app, self.retryDelay) = (store, app, retryDelay)
  }

  /// True while the store cannot be reached.
  var isAway: Bool { retryTime != nil }

  /// True if everything has been written, or cannot be.
  var canEnd: Bool { underWay.isEmpty && (pending.isEmpty || isAway) }

  /// True if a session has changes that have not been written.
  func isWriting(_ id: String) -> Bool { (underWay + pending).contains { $0.lease.session == id } }

  func add(_ place: StorePlace) { places[place.key.id] = place }

  func remove(_ id: String) { places[id] = nil }

  /// Writes a change, after those before it.
  func write(_ change: SessionChange) {
    // Those of a store that is away would have no bound.
    if change.kind == .whole {
      pending.removeAll { $0.lease.session == change.lease.session && $0.kind != .rest }
    }
    pending.append(change)
    if !isAway { writeNext() }
  }

  /// Called by the loop.
  func handleNext() {
    if let retryTime, CoreClock.machineTime >= retryTime { writeNext() }
  }

  func addWaits(to waits: inout Waits) {
    if let retryTime, underWay.isEmpty { waits.end(by: retryTime) }
  }

  private func writeNext() {
    guard underWay.isEmpty, !pending.isEmpty else { return }
    (underWay, pending) = (pending, [])
    Task {
      do {
        let lost = try await store.write(underWay)
        if isAway { report("the sessions are kept again") }
        retryTime = nil
        finish(lost)
      } catch {
        if !isAway { report("cannot keep the sessions, and goes on without: \(error)") }
        retryTime = CoreClock.machineTime + retryDelay
        let whole = Set(pending.filter { $0.kind == .whole }.map(\.lease.session))
        pending =
          underWay.filter { $0.kind == .rest || !whole.contains($0.lease.session) } + pending
        underWay = []
        for place in places.values { place.release(through: nil) }
      }
    }
  }

  private func report(_ message: String) {
    StandardStreams.printError("\(app.name): host: \(message)", timeout: 0)
  }

  private func finish(_ lost: Set<String>) {
    let changes = underWay
    underWay = []
    pending.removeAll { lost.contains($0.lease.session) }
    for change in changes where !lost.contains(change.lease.session) {
      places[change.lease.session]?.release(through: change.number)
    }
    for id in lost { places.removeValue(forKey: id)?.lose() }
    writeNext()
  }
}
