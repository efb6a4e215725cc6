import Foundation
import Offstage
import OffstageLive
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct SQLitePlaceRepositoryTests {
  private let database: Database
  private let repository: SQLitePlaceRepository

  /// A database with no places.
  init() throws {
    database = try .withoutPlaces()
    repository = SQLitePlaceRepository(database: database)
  }

  @Test func edgesAreInclusiveAndExact() async throws {
    let lat = 37.123_456_789
    let next = lat.nextUp
    try await add([
      place(1, lat, 127), place(2, next, 127), place(3, lat.nextDown, 127),
      place(4, lat, 127.0.nextDown), place(5, lat, 128), place(6, lat, 128.0.nextUp),
    ])
    let bounds = Bounds(minLat: lat, minLng: 127, maxLat: next, maxLng: 128)
    #expect(try await ids(bounds, .name) == [1, 2, 5])
    let point = Bounds(minLat: lat, minLng: 127, maxLat: lat, maxLng: 127)
    #expect(try await ids(point, .name) == [1])
  }

  @Test func boundsMayCrossTheAntimeridian() async throws {
    try await add([
      place(1, -15, 177), place(2, -15, 180), place(3, -15, -180), place(4, -15, -179),
      place(5, -15, 175.9), place(6, -15, -177.9), place(7, -15, 0),
    ])
    let bounds = Bounds(minLat: -20, minLng: 176, maxLat: -10, maxLng: -178)
    #expect(try await ids(bounds, .distance) == [2, 3, 1, 4])
  }

  @Test func boundsMayIncludeThePoles() async throws {
    try await add([place(1, 90, 12), place(2, -90, -170)])
    let earth = Bounds(minLat: -90, minLng: -180, maxLat: 90, maxLng: 180)
    #expect(try await ids(earth, .name) == [1, 2])
  }

  @Test func sortsByGreatCircleDistance() async throws {
    // At 60 degrees north a degree of longitude is half as long as one of latitude.
    try await add([place(1, 60.6, 20), place(2, 60, 21), place(3, 60.4, 20), place(4, 59, 20)])
    let bounds = Bounds(minLat: 59, minLng: 19, maxLat: 61, maxLng: 21)
    #expect(try await ids(bounds, .distance) == [3, 2, 1, 4])
  }

  @Test func distanceCrossesThePole() async throws {
    // Opposite meridians near the pole: 2 degrees apart, against 3 along the meridian.
    try await add([place(1, 86, 0), place(2, 89, 180)])
    let query = PlaceQuery(
      bounds: Bounds(minLat: 80, minLng: -180, maxLat: 90, maxLng: 180), sort: .distance,
      center: Coordinate(lat: 89, lng: 0))
    #expect(
      try await repository.places(query, page: 0, size: 9).current().items.map(\.id) == [2, 1])
    let seoul = Coordinate(lat: 37.5665, lng: 126.9780)
    let london = Coordinate(lat: 51.5074, lng: -0.1278)
    #expect(abs(seoul.distance(to: london) - 8_859_000) < 10_000)
    #expect(seoul.distance(to: seoul) == 0)
  }

  @Test(arguments: [
    ("zurich", [1]), ("ZÜRICH", [1]), ("Zu\u{308}rich", [1]), ("sao paulo", [2]),
    ("SÃO PAULO", [2]),
    ("서울", [3]), ("\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}", [3]), ("ﾄｳｷｮｳ", [4]),
    ("ＴＯＫＹＯ", [4]),
    ("ﾊﾞｽ", [5]), ("ハス", []), ("strasse", [6]), ("STRASSE", [6]), ("Łódź", [7]), ("lodz", [7]),
    ("ΟΔΟΣ", [8]), ("οδος", [8]), ("йод", [9]), ("o  hara", [10]), ("o’hara", [11]),
  ])
  func searchIgnoresAccentsCaseAndWidth(text: String, expected: [Int]) async throws {
    try await add([
      place(1, 1, 1, "Zürich"), place(2, 1, 1, "São Paulo"), place(3, 1, 1, "Seoul", "서울특별시"),
      place(4, 1, 1, "Tōkyō", "トウキョウ"), place(5, 1, 1, "Bus", "バス"), place(6, 1, 1, "Straße"),
      place(7, 1, 1, "Łódź"), place(8, 1, 1, "Οδός"), place(9, 1, 1, "Ёлка и Йод"),
      place(10, 1, 1, "O\u{3000}Hara"), place(11, 1, 1, "O'Hara"),
    ])
    #expect(try await repository.ids(named: text) == expected)
  }

  @Test func sortsNamesWithoutAccentsAndCase() async throws {
    try await add([
      place(1, 1, 1, "Zebra"), place(2, 1, 1, "Évora"), place(3, 1, 1, "eden"),
      place(4, 1, 1, "Ｅnd"), place(5, 1, 1, "Éa"),
    ])
    #expect(try await ids(.small, .name) == [5, 3, 4, 2, 1])
  }

  @Test func placesAreSorted() async throws {
    try await add([
      place(1, 1, 1, "banana", rating: 3), place(2, 1, 1, "Apple", rating: nil),
      place(3, 1, 1, "cherry", rating: 5), place(4, 1, 1, "apple", rating: 3),
    ])
    let bounds = Bounds(minLat: 0, minLng: 0, maxLat: 2, maxLng: 2)
    #expect(try await ids(bounds, .name) == [2, 4, 1, 3])
    #expect(try await ids(bounds, .rating) == [3, 1, 4, 2])
    #expect(try await ids(bounds, .distance) == [1, 2, 3, 4])
  }

  @Test(arguments: PlaceSort.allCases)
  func pagesAreStableUnderTies(_ sort: PlaceSort) async throws {
    // All equal in everything that is sorted by, and added in another order than that of their ids.
    try await add((1...95).reversed().map { place($0, 1, 1, "same", rating: 4) })
    var found: [Int] = []
    for page in 0... {
      let places = try await repository.places(query(.small, sort), page: page, size: 20).current()
      found += places.items.map(\.id)
      #expect(places.hasMore == (page < 4))
      if !places.hasMore { break }
    }
    #expect(found == Array(1...95))
  }

  @Test func fullLastPageHasNoSuccessor() async throws {
    try await add((1...20).map { place($0, 1, 1) })
    let page = try await repository.places(query(.small, .name), page: 0, size: 20).current()
    #expect(page.items.count == 20)
    #expect(!page.hasMore)
    let beyond = try await repository.places(query(.small, .name), page: 1, size: 20).current()
    #expect(beyond == Page([], hasMore: false))
  }

  @Test(arguments: PlaceSort.allCases)
  func queriesUseTheTree(_ sort: PlaceSort) async throws {
    for bounds in [Bounds.small, Bounds(minLat: 0, minLng: 170, maxLat: 1, maxLng: -170)] {
      let query = query(bounds, sort)
      let plan: [String] = try await database.read { connection in
        let selection = PlaceSelection(query, from: .places, limit: 21, offset: 0)
        return try connection.rows(
          "EXPLAIN QUERY PLAN " + selection.sql, parameters: selection.parameters
        ) { try $0[3] }
      }
      let text = plan.joined(separator: "\n")
      // The tree by its index, the places by their ids; no table is gone through.
      #expect(text.contains("SCAN places_rtree VIRTUAL TABLE INDEX 2:"), "\(text)")
      #expect(text.contains("SEARCH places USING INTEGER PRIMARY KEY (rowid=?)"), "\(text)")
      #expect(!text.contains("SCAN places\n"), "\(text)")
      #expect(!text.hasSuffix("SCAN places"), "\(text)")
    }
  }

  @Test func cellsCountThePlacesAroundThem() async throws {
    try await add((1...300).map { place($0, 0.2, 0.2) } + (301...700).map { place($0, 0.7, -0.3) })
    let bounds = Bounds(minLat: 0, minLng: -1, maxLat: 1, maxLng: 1)
    let cells = try await repository.cells(in: bounds, degrees: 0.5).current()
    #expect(cells.map(\.count) == [300, 400])
    for (cell, point) in zip(cells, [Coordinate(lat: 0.2, lng: 0.2), .init(lat: 0.7, lng: -0.3)]) {
      #expect([cell.row, cell.column] == PlaceCell.position(of: point, degrees: 0.5))
      #expect(abs(cell.middle.lat - point.lat) < 1e-4 && abs(cell.middle.lng - point.lng) < 1e-4)
    }
    // Few places are reached page by page.
    let west = Bounds(minLat: 0, minLng: -1, maxLat: 1, maxLng: 0)
    #expect(try await repository.cells(in: west, degrees: 0.5).current().isEmpty)
  }

  @Test func loadsDetails() async throws {
    let place = Place(
      id: 1 << 52, name: "O'Hara; --", localName: "장소", category: "park", lat: -1.5, lng: 2,
      rating: nil)
    try await add([place])
    #expect(try await repository.details(of: 1 << 52).current()?.place == place)
    #expect(try await repository.details(of: 2).current() == nil)
  }

  @Test(arguments: [
    ("park", [3, 1]), ("PARK", [3, 1]), ("  park ", [3, 1]), ("공원", [3, 1]), ("서울", [1]),
    ("공원".decomposedStringWithCanonicalMapping, [3, 1]), ("100%", [2]), ("%", [2]), ("_", [4]),
    ("\\", [5]), ("'", [6]), ("nothing", []), ("", []), (" ", []),
    ("\0", []), ("%\u{301}", [2]), ("a\u{301}rk", [1, 3]),
    (String(repeating: "park", count: 20_000), []),
  ])
  func findsByName(text: String, expected: [Int]) async throws {
    try await add([
      place(1, 1, 1, "Seoul Park", "서울공원"), place(2, 1, 1, "100% Juice"),
      place(3, 1, 1, "Park of Roses", "공원 장미"), place(4, 1, 1, "snake_case"),
      place(5, 1, 1, "back\\slash"), place(6, 1, 1, "Queen's Garden"),
    ])
    #expect(try await repository.ids(named: text) == expected)
  }

  @Test(arguments: [
    "ㄱ", "겨", "경", "경ㅂ", "경보", "경복", "경복ㄱ", "경복구", "경복궁", "ㄱㅂ", "ㄱㅂㄱ", "ㄱㅂㄱㅇ", "ㅂㄱ", "보", "ﾡﾲﾡ",
  ])
  func findsKoreanWhileItIsTyped(text: String) async throws {
    try await add([
      place(1, 1, 1, "Gyeongbokgung", "경복궁역"), place(2, 1, 1, "Seoul", "서울"),
      place(3, 1, 1, "Gang", "강역"),
    ])
    let found = try await repository.ids(named: text)
    #expect(found.first == 1 || text == "ㄱ" && found == [3, 1])
    #expect(!found.contains(2))
  }

  @Test(arguments: [
    ("각", [1]), ("가ㄱ", [1]), ("갃", []), ("박", [2]), ("밗", [2]), ("ㅂㅅ", [2, 4]), ("ㅄ", [2, 4]),
    ("고", [3]),
    ("과", [3]), ("괍", []), ("ㅋㅋ", [4]), ("갂", []), ("ㅏ", []), ("경복국", []), ("ㄱㄱ", [1]),
  ])
  func matchesCompletionsOfTheLastSyllableOnly(text: String, expected: [Int]) async throws {
    try await add([
      place(1, 1, 1, "가구"), place(2, 1, 1, "박사"), place(3, 1, 1, "과천"), place(4, 1, 1, "ㅋㅋ분식"),
      place(5, 1, 1, "경복궁"),
    ])
    #expect(try await repository.ids(named: text) == expected)
  }

  @Test(arguments: [
    ("ㅊㄱㅅㅁㅂ", [1]), ("ㅊㄱㅅ ㅁㅂ", [1]), ("청계산매", [1]), ("청 계산 매봉", [1]), ("ㅅㅁ", [1]),
    ("서울 역", [2, 3]),
    ("서울역광", [3]), ("서울 n", [4]), ("서울n", []), ("n서", []), ("towern", []), ("봉서", []),
  ])
  func ignoresSpacesWithinKorean(text: String, expected: [Int]) async throws {
    try await add([
      place(1, 1, 1, "청계산 매봉", "서 봉"), place(2, 1, 1, "서울역"), place(3, 1, 1, "옛 서울 역 광장"),
      place(4, 1, 1, "Tower n 서울 n"),
    ])
    #expect(try await repository.ids(named: text) == expected)
  }

  @Test func exactNamesComeFirst() async throws {
    try await add([
      place(1, 1, 1, "Asan", "서울병원"), place(2, 1, 1, "Zoo", "서울"), place(3, 1, 1, "서울"),
    ])
    #expect(try await repository.ids(named: "서울") == [2, 3, 1])
  }

  @Test func resultsAreSortedByRankThenDistance() async throws {
    try await add([
      place(1, 1, 1, "A Cafe"), place(2, 3, 3, "Cafe"), place(3, 2, 2, "cafe"),
      place(4, 1, 1, "Cafe B"), place(5, 1, 2, "Cafe A"),
    ])
    let search = PlaceSearchQuery(text: "cafe", center: Coordinate(lat: 1, lng: 1))
    var found: [Int] = []
    for page in 0..<3 {
      let places = try await repository.places(search, page: page, size: 2).current()
      found += places.items.map(\.id)
      #expect(places.hasMore == (page < 2))
    }
    #expect(found == [3, 2, 4, 5, 1])
  }

  @Test func placeWithoutANameIsNearTheNearestNamedOne() async throws {
    try await add([
      place(1, 1, 1, ""), place(2, 1.002, 1.002, "Corner"), place(3, 1, 1.0025, "Near"),
      place(4, 1, 1.0001, ""), place(5, 50, 50, ""),
    ])
    let tree = try await repository.details(of: 1).current()?.place
    #expect(tree?.landmark == Landmark(name: "Near", distance: 278))
    let far = try await repository.details(of: 5).current()?.place.landmark
    #expect(far?.name == "Corner" && far?.isNear == false)
    #expect(try await repository.ids(named: "park") == [1, 4, 5], "found by category")
    let page = try await repository.places(query(.small, .distance), page: 0, size: 9).current()
    #expect(page.items.filter(\.name.isEmpty).allSatisfy { $0.landmark?.name == "Near" })
  }

  /// Also across the 180th meridian and over a pole.
  @Test func landmarkIsTheNearestNamedPlaceOnEarth() async throws {
    var random = SplitMix64(seed: 7)
    func coordinate() -> Coordinate {
      Coordinate(
        lat: .random(in: -90...90, using: &random), lng: .random(in: -180...180, using: &random))
    }
    let named = (1...500).map { id in
      let point = coordinate()
      return place(id, point.lat, point.lng, "\(id)")
    }
    let trees = (501...700).map { id in
      let point = coordinate()
      return place(id, point.lat, point.lng, "")
    }
    try await add(named + trees)
    for tree in trees {
      let landmark = try await repository.details(of: tree.id).current()?.place.landmark
      let distances = named.map { tree.coordinate.distance(to: $0.coordinate) }
      let nearest = try #require(distances.min())
      // The tree rounds coordinates to 32 bits.
      #expect(abs(Double(landmark?.distance ?? -1) - nearest) < 4, "\(tree.coordinate)")
    }
  }

  @Test(arguments: [
    // Inside, above, and on the same meridian beyond the pole.
    (0, 0, 0, 0), (50, 5, 10, 5), (80, -175, 10, 10), (80, 185 - 360, 10, 10),
    // The circle through both is nearest north of a corner.
    (60, -60, 10, -10), (5, -90, 9.8, -10), (-5, -170, -10, -10),
  ])
  func nearestPointOfARectangle(_ lat: Double, _ lng: Double, _ y: Double, _ x: Double) {
    let nearest = Coordinate(lat: lat, lng: lng).nearest(lats: (-10, 10), lngs: (-10, 10))
    let from = Coordinate(lat: lat, lng: lng)
    let expected = from.distance(to: Coordinate(lat: y, lng: x))
    #expect(from.distance(to: nearest) <= expected + 1)
    // No point of the rectangle is nearer.
    for lat in stride(from: -10.0, through: 10, by: 0.5) {
      for lng in stride(from: -10.0, through: 10, by: 0.5) {
        #expect(
          from.distance(to: Coordinate(lat: lat, lng: lng)) >= from.distance(to: nearest) - 1)
      }
    }
  }

  @Test func builtInPlacesAreThereFromTheStart() async throws {
    let repository = SQLitePlaceRepository(database: try Database(.memory, execution: .inline))
    #expect(
      try await repository.ids(named: "경복궁").first == BuiltInPlaces.all[0].id)
    let all = Bounds(minLat: 37, minLng: 126, maxLat: 38.5, maxLng: 128)
    let page = try await repository.places(query(all, .name), page: 0, size: 1000).current()
    #expect(Set(page.items) == Set(BuiltInPlaces.all))
  }

  // MARK: All places

  @Test func allPlacesAreInTheOrderOfTheirNamesInALanguage() async throws {
    try await add([
      place(1, 1, 1, "Zoo", "가나"), place(2, 1, 1, "ábc"), place(3, 1, 1, ""),
      place(4, 1, 1, "Abd", "나무"), place(5, 1, 1, "Abd", "Bäume"),
    ])
    #expect(try await all("en") == [2, 5, 4, 3, 1])
    #expect(try await all("ko") == [2, 5, 1, 4, 3])
  }

  /// Otherwise, each window of a million places would sort all of them.
  @Test(arguments: ["en", "ko"] as [LanguageTag])
  func allPlacesAreReadFromAnIndex(_ language: LanguageTag) async throws {
    let key = PlaceTables.key(sorting: language)
    let database = try Database(.memory, execution: .inline)
    let plan = try await database.read { connection in
      try connection.rows(
        """
        EXPLAIN QUERY PLAN SELECT * FROM (SELECT \(PlaceTables.columns), \(key) FROM places)
        WHERE (\(key), id) >= ('a', 1) ORDER BY \(key), id LIMIT 50
        """, parameters: []
      ) { try $0[3] as String }
    }
    #expect(plan.count == 1)
    #expect(plan.first?.contains("USING INDEX by_\(key)_places") == true, "\(plan)")
  }

  // MARK: Helpers

  @CoreActor private func all(_ language: LanguageTag) async throws -> [Int] {
    let places = repository.all(in: language)
    return try await places.rows(in: 0..<places.count()).map(\.id)
  }

  private func add(_ places: [Place]) async throws {
    try await database.write { connection in
      for place in places { _ = try PlaceTables.places.insert(place, connection) }
    }
  }

  /// The IDs that a query finds through the tree. Reading the whole table finds the same ones.
  private func ids(_ bounds: Bounds, _ sort: PlaceSort) async throws -> [Int] {
    let scanning = SQLitePlaceRepository(database: database, tables: .places, scanLimit: 1)
    let scanned = try await scanning.places(query(bounds, sort), page: 0, size: 100).current()
    let found = try await repository.places(query(bounds, sort), page: 0, size: 100).current()
    #expect(scanned == found)
    return found.items.map(\.id)
  }

  @Test func namesSortInTheLanguageOfThePerson() async throws {
    let repository = SQLitePlaceRepository(database: try Database(.memory, execution: .inline))
    var byName = query(.seoul, .name)
    let english = try await repository.places(byName, page: 0, size: 5).current().items.map(\.name)
    #expect(english == english.sorted())
    byName.language = "ko-KR"
    let korean = try await repository.places(byName, page: 0, size: 5).current().items
    let names = korean.map { Words.korean.placeName($0) }
    #expect(names == names.sorted())
    #expect(korean.first.map { Words.korean.placeName($0).isHangul } == true)
    #expect(korean.map(\.name) != english)
  }

  private func query(_ bounds: Bounds, _ sort: PlaceSort) -> PlaceQuery {
    PlaceQuery(bounds: bounds, sort: sort, center: bounds.center)
  }

  private func place(
    _ id: Int, _ lat: Double, _ lng: Double, _ name: String = "place", _ localName: String? = nil,
    rating: Double? = nil
  ) -> Place {
    Place(
      id: id, name: name, localName: localName, category: "park", lat: lat, lng: lng,
      rating: rating)
  }
}

extension Bounds {
  fileprivate static let small = Bounds(minLat: 0, minLng: 0, maxLat: 2, maxLng: 2)
}

extension Database {
  /// Opens a database in memory that has only the tables of places.
  static func withoutPlaces() throws -> Database {
    try Database(
      .memory, execution: .inline, migrations: [Migration { try PlaceTables.places.create($0) }])
  }
}

extension SQLitePlaceRepository {
  /// Returns the first ten results of a search.
  func ids(named text: String) async throws -> [Int] {
    let search = PlaceSearchQuery(text: text, center: Coordinate(lat: 1, lng: 1))
    return try await places(search, page: 0, size: 10).current().items.map(\.id)
  }
}
