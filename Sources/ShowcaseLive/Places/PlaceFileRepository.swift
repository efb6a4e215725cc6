package import Offstage
package import OffstageFoundation
package import OffstageLive
import OffstageSystem
package import Showcase
import Synchronization

/// The places in one GeoJSON file on a server, plain or compressed with gzip.
///
/// The file is fetched when it is first needed and stored in the database. The stored file of an
/// earlier run is the cache. A failed fetch is repeated after ``retry()``, not by every query.
/// Canceling a query, as by panning the map, does not end the fetch: the next query needs the same
/// file.
package final class PlaceFileRepository: PlaceRepository {
  private let url: URL
  private let client: HTTPClient
  private let database: Database
  private let places: SQLitePlaceRepository
  private let fetches = Coalescer<URL, Void>(outlivesCallers: true)
  /// The outcome of the fetch; nil before it has ended.
  private let outcome = Mutex<Result<Void, LoadFailure>?>(nil)

  package init(url: URL, client: HTTPClient, database: Database) {
    self.url = url
    self.client = client
    self.database = database
    places = SQLitePlaceRepository(database: database, tables: .downloadedPlaces)
  }

  package func places(_ query: PlaceQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    loading(places.places(query, page: page, size: size))
  }

  package func cells(in bounds: Bounds, degrees: Double) -> Fetch<[PlaceCell]> {
    places.cells(in: bounds, degrees: degrees)
  }

  package func all(in language: LanguageTag) -> any RowProvider<Place> {
    let fetch = loading(Fetch {})
    return LateRows(stored: places.all(in: language)) {
      if try await fetch.cached() == nil { try await fetch.current() }
    }
  }

  package func details(of id: Int) -> Fetch<PlaceDetails?> {
    let details = loading(places.details(of: id))
    return Fetch {
      // A newer file may have the place.
      try await details.cached().flatMap { $0.value == nil ? nil : $0 }
    } current: {
      try await details.current()
    }
  }

  package func places(_ search: PlaceSearchQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    loading(places.places(search, page: page, size: size))
  }

  package func retry() {
    outcome.withLock { if case .failure? = $0 { $0 = nil } }
  }

  /// Reads from the current file; the cache is the stored file, unless it is fresh.
  private func loading<Value>(_ places: Fetch<Value>) -> Fetch<Value> {
    Fetch { [self] in
      if case .success? = outcome.withLock({ $0 }) { return nil }
      guard let stored = try await storedFile() else { return nil }
      return (try await places.current(), loadedAt: .seconds(stored.time))
    } current: { [self] in
      if let outcome = outcome.withLock({ $0 }) {
        try outcome.get()
      } else {
        try await fetches.value(for: url) { [self] in try await fetchOnce() }
      }
      return try await places.current()
    }
  }

  private func storedFile() async throws -> (etag: String?, time: Int)? {
    try await database.read { [key] connection in
      try connection.row("SELECT etag, fetched_at FROM hot_place_files WHERE url = ?", key) {
        (etag: try $0[0], time: try $0[1])
      }
    }
  }

  private var key: String { url.withoutCredentials }

  private func fetchOnce() async throws {
    do {
      try await fetch()
      outcome.withLock { $0 = .success(()) }
    } catch let failure as LoadFailure {
      // Only `retry` fetches the file again, so it is always offered.
      let failure = LoadFailure(
        failure.reason, failure.detail, retryable: true, remedy: failure.remedy)
      outcome.withLock { $0 = .failure(failure) }
      throw failure
    }
  }

  private func fetch() async throws {
    let stored = try await storedFile()
    let file: Int32
    do { file = try PrivateFiles.createNamelessFile() } catch {
      throw LoadFailure.map(StorageError(writing: "a temporary file", error))
    }
    defer { systemClose(file) }
    var request = HTTPRequest(.get, url, accept: PlaceFeature.mediaTypes)
    request.headers["If-None-Match"] = stored?.etag
    let response = try await client.download(request, to: file)
    let time = Int(await client.now().components.seconds)
    if response.isUnchanged {
      try await database.write { [key] connection in
        try connection.execute(
          "UPDATE hot_place_files SET fetched_at = ? WHERE url = ?", time, key)
      }
    } else {
      try await store(file, etag: response.etag, at: time)
    }
  }

  private func store(_ file: Int32, etag: String?, at time: Int) async throws {
    do {
      _ = try await PlaceReader.stage(try TextFile(file), in: .downloadedPlaces, database) {
        staging, report in
        if report.imported == 0, let reason = report.lines.dropFirst().first {
          throw LoadFailure.malformed(url: url, "no places, \(reason)")
        }
        return try await staging.commit(keeping: .none) { [key] connection in
          try connection.execute("DELETE FROM hot_place_files")
          try connection.execute("INSERT INTO hot_place_files VALUES (?, ?, ?)", key, etag, time)
        }
      }
    } catch  where error is GeoJSONError || error is TextFileError {
      throw LoadFailure.malformed(url: url, "\(error)")
    }
  }
}
