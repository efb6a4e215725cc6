import Offstage

/// A value that a repository loads, both as it is now and as it was last loaded.
package struct Fetch<Value: Sendable>: Sendable {
  /// nil for a value without a cache, so that nothing is awaited.
  private let loadCached: (@Sendable () async throws -> (value: Value, loadedAt: Duration)?)?
  private let loadCurrent: nonisolated(nonsending) @Sendable () async throws -> Value

  /// - Parameter cached: By default nil, for a value that needs no server.
  package init(
    cached: (@Sendable () async throws -> (value: Value, loadedAt: Duration)?)? = nil,
    current: nonisolated(nonsending) @escaping @Sendable () async throws -> Value
  ) {
    loadCached = cached
    loadCurrent = current
  }

  /// Returns the value as it was last loaded, without asking a server; nil if it was never loaded.
  package nonisolated(nonsending) func cached() async throws -> (value: Value, loadedAt: Duration)?
  {
    try await loadCached?()
  }

  /// Loads the value.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was canceled.
  package func current() async throws -> Value { try await loadCurrent() }

  /// Returns a fetch of the transformed value.
  package func map<New>(
    _ transform: nonisolated(nonsending) @escaping @Sendable (Value) async throws -> New
  ) -> Fetch<New> {
    var cached: (@Sendable () async throws -> (value: New, loadedAt: Duration)?)?
    if let loadCached {
      cached = {
        guard let old = try await loadCached() else { return nil }
        return (try await transform(old.value), old.loadedAt)
      }
    }
    return Fetch<New>(cached: cached) { [loadCurrent] in
      try await transform(try await loadCurrent())
    }
  }
}

extension Loader {
  /// Creates a loader for a value from a repository. Each load evaluates `fetch` again.
  convenience init(
    _ fetch: @escaping @autoclosure @CoreActor () -> Fetch<Value>, _ effects: Effects,
    name: String = "load", fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      effects, name: name, fileID: fileID, line: line, cached: { try await fetch().cached() },
      current: { try await fetch().current() })
  }
}

extension Pager {
  /// Creates a pager for the pages that a repository loads.
  /// - Parameter share: Returns an equal page, which takes no memory if another session has it.
  convenience init(
    for query: Query, _ effects: Effects, name: String = "page", limit: Int = .max,
    fileID: StaticString = #fileID, line: UInt = #line,
    sharing share: @escaping @CoreActor (Page<Item>) -> Page<Item> = { $0 },
    fetch: @escaping @CoreActor (PageRequest<Query>) -> Fetch<Page<Item>>
  ) {
    self.init(
      for: query, effects, name: name, limit: limit, fileID: fileID, line: line,
      cached: { request in
        try await fetch(request).cached().map { (share($0.value), $0.loadedAt) }
      },
      current: { share(try await fetch($0).current()) })
  }
}
