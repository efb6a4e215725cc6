package import Offstage
import OffstageFoundation
package import OffstageLive
package import Showcase

/// Places in the database, located through an R*Tree.
package struct SQLitePlaceRepository: PlaceRepository {
  private let database: Database
  private let tables: PlaceTables
  private let scanLimit: Int

  package init(database: Database) { self.init(database: database, tables: .places) }

  /// - Parameter scanLimit: The number of candidates at which reading the whole table becomes
  ///   faster than looking each one up. A scan of a million places takes as long as 80,000 lookups.
  init(database: Database, tables: PlaceTables, scanLimit: Int = 100_000) {
    self.database = database
    self.tables = tables
    self.scanLimit = scanLimit
  }

  package func places(_ query: PlaceQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    database.fetch { [tables, scanLimit] connection in
      let candidates = PlaceSelection(countIn: query.bounds, of: tables, limit: scanLimit)
      let counts: [Int] = try connection.rows(
        candidates.sql, parameters: candidates.parameters
      ) { try $0[0] }
      // Read one row more than the page, to see if another page follows.
      let selection = PlaceSelection(
        query, from: tables, limit: size + 1, offset: page * size, usesTree: counts[0] < scanLimit)
      let found = try connection.rows(selection.sql, parameters: selection.parameters) {
        try Place(row: $0)
      }
      return try Page(found, size: size, in: tables, connection)
    }
  }

  package func cells(in bounds: Bounds, degrees: Double) -> Fetch<[PlaceCell]> {
    database.fetch { [tables] connection in
      let selection = PlaceSelection(cellsIn: bounds, of: tables, degrees: degrees)
      let cells = try connection.rows(selection.sql, parameters: selection.parameters) {
        PlaceCell(
          row: try $0[0], column: try $0[1], count: try $0[2],
          middle: Coordinate(lat: try $0[3], lng: try $0[4]))
      }
      return cells.reduce(0) { $0 + $1.count } < PlaceCell.fewest ? [] : cells
    }
  }

  package func all(in language: LanguageTag) -> any RowProvider<Place> {
    let key = PlaceTables.key(sorting: language)
    return DatabaseRows(
      in: database, "SELECT \(PlaceTables.columns), \(key) FROM \(tables.name)", by: key, "id"
    ) { try Place(row: $0) }
  }

  package func details(of id: Int) -> Fetch<PlaceDetails?> {
    database.fetch { [tables] connection in
      let place = try connection.row(
        "SELECT \(PlaceTables.columns) FROM \(tables.name) WHERE id = ?", id
      ) { try Place(row: $0) }
      guard let place = try place?.withLandmark(in: tables, connection) else { return nil }
      let json: String? = try connection.first(
        "SELECT json FROM \(tables.properties) WHERE id = ?", id)
      if json == nil, tables.name == PlaceTables.places.name,
        let properties = BuiltInPlaces.properties[id]
      {
        return PlaceDetails(place, properties: properties)
      }
      return PlaceFeature.Result(place: place, properties: json, hasOwnID: true).details
    }
  }

  package func places(_ search: PlaceSearchQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    database.fetch { [tables] connection in
      let found = try connection.rows(
        """
        SELECT \(PlaceTables.columns)
        FROM (SELECT *, search_rank(search_key, ?1) AS rank FROM \(tables.name))
        WHERE rank IS NOT NULL ORDER BY rank, distance(lat, lng, ?2, ?3), id LIMIT ?4 OFFSET ?5
        """, search.text, search.center.lat, search.center.lng, size + 1, page * size
      ) { try Place(row: $0) }
      return try Page(found, size: size, in: tables, connection)
    }
  }
}

extension Page<Place> {
  /// Creates a page from its rows and the first one of the next page, if any.
  fileprivate init(
    _ rows: [Place], size: Int, in tables: PlaceTables, _ connection: Connection
  ) throws {
    let places = try rows.prefix(size).map { try $0.withLandmark(in: tables, connection) }
    self.init(places, hasMore: rows.count > size)
  }
}

extension Place {
  /// Reads the columns `PlaceTables.columns`.
  fileprivate init(row: borrowing Row) throws {
    self.init(
      id: try row[0], name: try row[1], localName: try row[2], region: try row[3],
      category: try row[4], lat: try row[5], lng: try row[6], rating: try row[7])
  }

  /// Adds the nearest named place to a place without a name, if it is one of the nearest 2,000
  /// places. The limit bounds the time among many places without names.
  fileprivate func withLandmark(in tables: PlaceTables, _ connection: Connection) throws -> Place {
    guard name.isEmpty else { return self }
    var place = self
    // A cross join keeps the order of the tree.
    place.landmark = try connection.row(
      """
      SELECT name, local_name, distance(lat, lng, ?1, ?2)
      FROM (SELECT id FROM \(tables.index) WHERE id MATCH nearest(?1, ?2) LIMIT 2000) AS near
      CROSS JOIN \(tables.name) AS place ON place.id = near.id WHERE name <> '' LIMIT 1
      """, lat, lng
    ) { try Landmark(name: $0[0], localName: $0[1], distance: Int(($0[2] as Double).rounded())) }
    return place
  }
}

extension Database {
  fileprivate func fetch<Value: Sendable>(
    _ read: @escaping @Sendable (Connection) throws -> Value
  ) -> Fetch<Value> {
    Fetch { try await self.read(read) }
  }
}

/// The statement for a query. The R*Tree rounds coordinates to 32 bits, so it only finds
/// candidates, and the exact coordinates decide.
struct PlaceSelection {
  private(set) var sql = ""
  private(set) var parameters: [any SQLConvertible] = []

  /// - Parameter usesTree: False to read the whole table.
  init(
    _ query: PlaceQuery, from tables: PlaceTables, limit: Int, offset: Int, usesTree: Bool = true
  ) {
    let ranges = bind(query.bounds)
    let candidates = usesTree ? "id IN (\(Self.candidates(ranges, tables))) AND " : ""
    let exact = ranges.map { range in
      """
      lat BETWEEN \(range.minLat) AND \(range.maxLat) \
      AND lng BETWEEN \(range.minLng) AND \(range.maxLng)
      """
    }
    // The ID breaks ties, so that the order is the same on every page.
    sql = """
      SELECT \(PlaceTables.columns) FROM \(tables.name)
      WHERE \(candidates)(\(exact.joined(separator: " OR ")))
      ORDER BY \(order(query)), id LIMIT \(bind(limit)) OFFSET \(bind(offset))
      """
  }

  /// Counts the candidates, up to a limit.
  init(countIn bounds: Bounds, of tables: PlaceTables, limit: Int) {
    let ranges = bind(bounds)
    sql = "SELECT count(*) FROM (\(Self.candidates(ranges, tables)) LIMIT \(bind(limit)))"
  }

  /// Counts the places in each cell of a grid, from the tree alone: a cell need not be exact.
  init(cellsIn bounds: Bounds, of tables: PlaceTables, degrees: Double) {
    let size = bind(degrees)
    let places = Self.candidates(
      bind(bounds), tables, "(min_lat + max_lat) / 2 AS lat, (min_lng + max_lng) / 2 AS lng")
    sql = """
      SELECT CAST((lat + 90) / \(size) AS INTEGER), CAST((lng + 180) / \(size) AS INTEGER), \
      count(*), avg(lat), avg(lng) \
      FROM (\(places)) GROUP BY 1, 2 ORDER BY 1, 2
      """
  }

  private typealias Range = (minLat: String, maxLat: String, minLng: String, maxLng: String)

  private mutating func bind(_ bounds: Bounds) -> [Range] {
    bounds.ranges.map { range in
      (bind(range.minLat), bind(range.maxLat), bind(range.minLng), bind(range.maxLng))
    }
  }

  private static func candidates(
    _ ranges: [Range], _ tables: PlaceTables, _ columns: String = "id"
  ) -> String {
    ranges.map { range in
      """
      SELECT \(columns) FROM \(tables.index) WHERE max_lat >= \(range.minLat) \
      AND min_lat <= \(range.maxLat) AND max_lng >= \(range.minLng) AND min_lng <= \(range.maxLng)
      """
    }.joined(separator: " UNION ALL ")
  }

  private mutating func bind(_ value: any SQLConvertible) -> String {
    parameters.append(value)
    return "?\(parameters.count)"
  }

  private mutating func order(_ query: PlaceQuery) -> String {
    switch query.sort {
    case .distance: "distance(lat, lng, \(bind(query.center.lat)), \(bind(query.center.lng)))"
    case .rating: "rating DESC NULLS LAST"
    case .name: PlaceTables.key(sorting: query.language)
    }
  }
}

extension Bounds {
  /// The bounds as rectangles that do not cross the antimeridian.
  fileprivate var ranges: [Bounds] {
    guard minLng > maxLng else { return [self] }
    var west = self
    var east = self
    west.maxLng = 180
    east.minLng = -180
    return [west, east]
  }
}

/// Reads places from GeoJSON text and stages them.
struct PlaceReader {
  private let feature: PlaceFeature
  private var scanner = GeoJSONScanner()
  private var report = PlaceImportReport()

  /// Stages the places of a text, and cleans up if anything fails.
  /// - Parameters:
  ///   - producer: The producer of the text; nil for the only source of the places.
  ///   - progress: Receives the fraction of the text read so far, from 0 to 1.
  ///   - commit: Makes the staged places visible, and returns the number that they replaced.
  static func stage(
    _ text: TextFile, of producer: String? = nil, in tables: PlaceTables, _ database: Database,
    progress: (Double) -> Void = { _ in },
    commit: (PlaceStaging, PlaceImportReport) async throws -> Int
  ) async throws -> PlaceImportReport {
    let staging = try await PlaceStaging.begin(tables, database)
    do {
      var reader = Self(feature: PlaceFeature(producer: producer))
      while let piece = try text.next() {
        try await reader.read(piece, into: staging)
        progress(text.progress)
      }
      try reader.scanner.finish()
      reader.report.replaced = try await commit(staging, reader.report)
      return reader.report
    } catch {
      // Report the original error, not one from the cleanup.
      try? await staging.abandon()
      throw error
    }
  }

  private mutating func read(_ piece: Data, into staging: PlaceStaging) async throws {
    // Parsing happens outside the transaction, which keeps it short.
    var found: [(feature: PlaceFeature.Result, position: GeoJSONPosition)] = []
    try piece.withUnsafeBytes { bytes in
      try scanner.scan(bytes) { [feature] bytes, position in
        do throws(PlaceFeature.Rejection) {
          found.append((try feature.read(bytes), position))
        } catch {
          report.skip(error, at: position)
        }
      }
    }
    if found.isEmpty { return }
    for (entry, isNew) in zip(found, try await staging.add(found.map(\.feature))) {
      if isNew {
        report.imported += 1
      } else {
        report.skip(
          entry.feature.hasOwnID ? .repeatedID : .repeatedContent, at: entry.position)
      }
    }
  }
}
