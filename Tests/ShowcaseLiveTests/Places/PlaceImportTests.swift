import Foundation
import Offstage
import OffstageLive
import OffstageSystem
import Synchronization
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

@Suite struct PlaceImportTests {
  private let directory: TemporaryDirectory
  private let database: Database
  private let repository: SQLitePlaceRepository

  init() throws {
    directory = try TemporaryDirectory()
    database = try .withoutPlaces()
    repository = SQLitePlaceRepository(database: database)
  }

  @Test func importsPlaces() async throws {
    let report = try await run(
      feature(#""id":20000"#, #"{"name":"Park","name:ko":"공원","category":"park","rating":4.5}"#),
      feature(#""id":20001"#, #"{"name:en":"Café","name":"카페","amenity":"cafe"}"#, "[-180,90,5]"),
      feature(#""id":20002"#, #"{"name":"  ","rating":9}"#, "[1e2,-0.5]"),
      feature(#""id":20003"#, "null"))
    #expect(report.lines == ["imported 4 places"])
    var expected = [
      Place(id: 0, name: "", category: "other", lat: -0.5, lng: 100),
      Place(id: 0, name: "", category: "other", lat: 2, lng: 1),
      Place(id: 0, name: "Café", localName: "카페", category: "cafe", lat: 90, lng: -180),
      Place(id: 0, name: "Park", localName: "공원", category: "park", lat: 2, lng: 1, rating: 4.5),
    ]
    expected[0].landmark = Landmark(name: "Café", localName: "카페", distance: 10_063_155)
    expected[1].landmark = Landmark(name: "Park", localName: "공원", distance: 0)
    let places = try await all().map { place in
      var place = place
      place.id = 0
      return place
    }
    #expect(places == expected)
  }

  @Test func nestedPropertiesAreReadable() async throws {
    _ = try await run(
      feature(
        #""id":20000"#,
        #"{"name":"Park","Nested":{"a":[1,2],"b":{"c":true},"d":null},"tags":["x","y z"],"#
          + #""rows":[{"a":1}],"grid":[[1],[2]],"empty":[],"contact":{"phone":"1"},"#
          + #""contact:phone":"2"}"#))
    let place = try #require(try await all().first)
    let details = try #require(try await repository.details(of: place.id).current())
    #expect(
      details.properties.map { "\($0.id)=\($0.value)" }
        == ["name=Park", "Nested:a=1, 2", "Nested:b:c=true", "tags=x, y z", "contact:phone=1"])
  }

  @Test func skipsFeaturesWithAReason() async throws {
    let report = try await run(
      feature(#""id":20000"#),
      "null", #"{"type":"feature"}"#, #"{"type":"Feature","a":}"#,
      #"{"type":"Feature","geometry":{"type":"Circle","coordinates":[[1,2],[3,4]]}}"#,
      #"{"type":"Feature","geometry":null}"#,
      feature(#""id":1"#, "{}", "[1]"), feature(#""id":2"#, "{}", #"["1","2"]"#),
      feature(#""id":3"#, "{}", "[181,0]"), feature(#""id":4"#, "{}", "[0,-90.1]"),
      feature(#""id":20000"#, #"{"name":"again"}"#),
      #"{"type":"Feature","geometry":{"type":"Circle","coordinates":[]}}"#,
      feature("", #"{"name":"same"}"#), feature("", #"{"name":"same"}"#))
    #expect(
      report.lines == [
        "imported 2 places",
        "skipped 2: not a Feature, first at line 3, byte 136",
        "skipped 1: invalid JSON, first at line 5, byte 162",
        "skipped 2: unknown geometry type, first at line 6, byte 187",
        "skipped 3: no coordinates, first at line 7, byte 264",
        "skipped 2: coordinates out of range (expected WGS 84 degrees), first at line 10, byte 484",
        "skipped 1: same ID as an earlier feature, first at line 12, byte 672",
        "skipped 1: identical to an earlier feature without an ID, first at line 15, byte 944",
      ])
    #expect(try await all().map(\.name) == ["", "same"])
  }

  /// Files that turn out to be broken once their places have been read; `@` is a place.
  @Test(arguments: [
    #"{"type":"FeatureCollection","features":[@,@"#,
    #"{"type":"FeatureCollection","features":[@,@]"#,
    #"{"type":"FeatureCollection","features":[@,@],"#,
    #"{"type":"FeatureCollection","features":[@,@,]}"#,
    #"{"type":"FeatureCollection","features":[@,@]} x"#,
    #"{"type":"Collection","features":[@,@]}"#, "", "not GeoJSON", "@\n@ x", "{}",
    #"{"type":"FeatureCollection","features":[]}"#, #"{"type":"FeatureCollection","features":[1]}"#,
  ])
  func brokenFileImportsNothing(text: String) async throws {
    _ = try await run(feature(#""id":20000"#, #"{"name":"old"}"#))
    let old = try await all()
    let place = feature(#""id":20000"#, #"{"name":"new"}"#)
    let file = directory.file("broken.geojson")
    try Data(text.replacingOccurrences(of: "@", with: place).utf8).write(to: file)
    let failure = await #expect(throws: FileError.self) {
      try await PlaceImport.run(file, into: database)
    }
    #expect(failure?.description.hasPrefix(file.path + ": ") == true)
    #expect(failure?.description.hasSuffix("; nothing was imported") == true)
    #expect(try await all() == old)
  }

  @Test(arguments: ["", "missing.geojson"])
  func reportsAnUnreadableFile(name: String) async throws {
    let file = name.isEmpty ? directory.url : directory.file(name)
    let failure = await #expect(throws: FileError.self) {
      try await PlaceImport.run(file, into: database)
    }
    #expect(failure?.description.contains("cannot ") == true)
  }

  @Test func sameFileTwiceGivesTheSamePlaces() async throws {
    let features = [
      feature(#""id":"node/1""#, #"{"name":"a"}"#), feature(#""id":7"#, #"{"name":"b"}"#),
      feature("", #"{"name":"c"}"#), feature("", #"{"name":"d","@id":"way/2"}"#),
      feature(#""id":1.5"#, #"{"name":"e"}"#), feature(#""id":-3"#, #"{"name":"f"}"#),
    ]
    let first = try await run(features)
    let places = try await all()
    #expect(first.lines == ["imported 6 places"])
    #expect(
      try await run(features).lines == [
        "imported 6 places", "replaced 6 places of earlier imports",
      ])
    #expect(try await all() == places)
    #expect(places.count == 6)
    // IDs keep clear of the app's own, and are exact for a front end.
    #expect(places.allSatisfy { (1 << 52..<1 << 53).contains($0.id) })
  }

  /// Two cities may number their trees from 1, and a property may be the number of a river basin.
  @Test func propertiesDoNotIdentify() async throws {
    let features = (1...3).map { feature("", #"{"id":\#($0 % 2),"name":"\#($0)"}"#) }
    #expect(try await run(features).lines == ["imported 3 places"])
    let other = try write((1...3).map { feature("", #"{"ID":\#($0)}"#) }, to: "other.geojson")
    #expect(try await PlaceImport.run(other, into: database).lines == ["imported 3 places"])
    #expect(try await all().count == 6)
  }

  @Test(arguments: [
    ("1", "{}", false), ("\"a\"", "{}", false), ("\"node/1\"", "{}", true),
    (nil, #"{"@id":"way/1"}"#, true), (nil, #"{"@id":7,"@type":"node"}"#, true),
    (nil, #"{"@id":7}"#, false),
  ])
  func onlyIDsOfOpenStreetMapIdentifyAcrossFiles(
    id: String?, properties: String, isSame: Bool
  ) async throws {
    let place = feature(id.map { "\"id\":\($0)" } ?? "", properties)
    let moved = feature(id.map { "\"id\":\($0)" } ?? "", properties, "[30,40]")
    _ = try await PlaceImport.run(try write([place], to: "a.geojson"), into: database)
    let second = try await PlaceImport.run(try write([moved], to: "b.geojson"), into: database)
    #expect(second.replaced == (isSame ? 1 : 0))
    #expect(try await all().count == (isSame ? 1 : 2))
    // The same file, compressed or not.
    let third = try await PlaceImport.run(try write([moved], to: "b.json"), into: database)
    #expect(third.replaced == 1)
  }

  @Test func laterImportMovesAPlace() async throws {
    _ = try await run(feature(#""id":20000"#, #"{"name":"old"}"#, "[1,2]"))
    _ = try await run(feature(#""id":20000"#, #"{"name":"new"}"#, "[30,40]"))
    #expect(try await all().map(\.name) == ["new"])
    let there = Bounds(minLat: 1, minLng: 1, maxLat: 3, maxLng: 3)
    #expect(try await all(within: there).isEmpty, "still in the index at the old place")
  }

  /// The tables of an import take the place of the others, with what they are sorted by.
  @CoreActor @Test func anImportCanFollowALargeOne() async throws {
    for batch in 1...2 {
      let features = (1...5_001).map {
        feature("\"id\":\(20_000 + $0)", "{\"name\":\"\(batch) \(10_000 - $0)\"}")
      }
      let report = try await PlaceImport.run(try write(features), into: database)
      #expect(report.imported == 5_001)
      let places = repository.all(in: "en")
      #expect(try await places.count() == 5_001)
      #expect(try await places.rows(in: 0..<1).map(\.name) == ["\(batch) 4999"])
    }
  }

  @Test func builtInPlacesStay() async throws {
    let database = try Database(.memory, execution: .inline)
    let file = try write([feature(#""id":1"#, #"{"name":"mine"}"#)])
    _ = try await PlaceImport.run(file, into: database)
    let repository = SQLitePlaceRepository(database: database)
    #expect(try await repository.details(of: 1).current()?.place == BuiltInPlaces.all[0])
    #expect(try await repository.ids(named: "mine").count == 1)
  }

  @Test func reportsProgress() async throws {
    // Of several pieces.
    let features = (1...20_000).map {
      feature("\"id\":\(20_000 + $0)", #"{"name":"some place with a name"}"#)
    }
    let file = try write(features)
    let told = Progress()
    let report = try await PlaceImport.run(file, into: database) { told.note($0) }
    #expect(report.imported == 20_000)
    let values = told.values
    #expect(values.count > 2)
    #expect(values == values.sorted())
    #expect(values.last == 1)
  }

  // MARK: Real files

  @Test(
    arguments: [
      (
        #"{"NAME":"Zürich","ADM0NAME":"Switzerland","FEATURECLA":"Populated place"}"#,
        "Zürich", "Populated place", "Switzerland"
      ),
      (
        #"{"Name":"A","addr:city":"Bern","addr:country":"CH","shop":"bakery"}"#, "A", "bakery",
        "Bern, CH"
      ),
      (
        #"{"title":"M 4.5","place":"10km SSW of Idyllwild, CA","type":"earthquake"}"#,
        "M 4.5", "earthquake", nil
      ),
      (#"{"name:de":"Köln","name:fr":"Cologne","place":"city"}"#, "Köln", "city", nil),
      (#"{"NAME_EN":"Rome","NAME":"Roma"}"#, "Rome", "other", nil),
      (#"{"amenity":"drinking_water"}"#, "", "drinking_water", nil),
      (
        #"{"EMD_CD":"11","EMD_KOR_NM":"대방동","EMD_ENG_NM":"Daebang-dong"}"#, "Daebang-dong", "other",
        nil
      ),
      (#"{"SIG_ENG_NM":"Jongno-gu","EMD_ENG_NM":"Sajik-dong"}"#, "Sajik-dong", "other", nil),
      (#"{"CTP_KOR_NM":"서울특별시","CTP_ENG_NM":"Seoul"}"#, "Seoul", "other", nil),
      (#"{"LI_KOR_NM":"신리"}"#, "신리", "other", nil),
      (#"{"name":"길동","name_eng":"Gil-dong"}"#, "Gil-dong", "other", nil),
      (
        #"{"ID":1,"url":"http://x","x":"yes","on":"2015-03-01T00:00:00Z","BotName":"Acer rubrum"}"#,
        "Acer rubrum", "other", nil
      ),
      (#"{"name":"B","building":"yes","historic":"castle"}"#, "B", "castle", nil),
      (#"{"name":"B","building":"yes"}"#, "B", "building", nil), ("{}", "", "other", nil),
    ] as [(String, String, String, String?)])
  func readsNamesCategoriesAndRegions(
    properties: String, name: String, category: String, region: String?
  ) async throws {
    _ = try await run(feature("", properties))
    let place = try #require(try await all().first)
    #expect(place.name == name)
    #expect(place.category == category)
    #expect(place.region == region)
  }

  @Test(arguments: [
    (#"{"EMD_KOR_NM":"대방동","EMD_ENG_NM":"Daebang-dong"}"#, "대방동"),
    (#"{"name":"길동","name_eng":"Gil-dong"}"#, "길동"), (#"{"CTP_KOR_NM":"서울"}"#, nil),
  ])
  func readsKoreanNames(properties: String, localName: String?) async throws {
    _ = try await run(feature("", properties))
    #expect(try await all().map(\.localName) == [localName])
  }

  /// The tags of OpenStreetMap do not count as names.
  @Test(arguments: [
    (#""id":"AFG""#, "{}", "AFG"), (#""id":"AFG""#, #"{"x":"Kabul"}"#, "Kabul"),
    (#""id":7"#, "{}", ""),
    (#""id":"node/7""#, #"{"amenity":"bench","source":"Bing"}"#, ""),
  ])
  func placeWithoutANameHasItsFirstTextOrID(
    id: String, properties: String, name: String
  ) async throws {
    _ = try await run(feature(id, properties))
    #expect(try await all().map(\.name) == [name])
  }

  @Test(arguments: [
    (#"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, 2, 1),
    (#"{"type":"LineString","coordinates":[[0,0],[4,0],[4,1]]}"#, 0, 2.5),
    (#"{"type":"MultiLineString","coordinates":[[[9,9],[9,8]],[[0,0],[4,0]]]}"#, 0, 2),
    (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,2],[0,2],[0,0]]]}"#, 1, 2),
    (
      #"{"type":"MultiPolygon","coordinates":[[[[9,9],[9,8],[8,8],[9,9]]],[[[0,0],[4,0],[4,2],[0,2],[0,0]]]]}"#,
      1, 2
    ),
    (
      #"{"type":"GeometryCollection","geometries":[{"type":"Polygon"},{"type":"Point","coordinates":[5,6]}]}"#,
      6, 5
    ),
  ])
  func placesGeometriesAtAPointOnThem(geometry: String, lat: Double, lng: Double) async throws {
    _ = try await run(#"{"type":"Feature","properties":{},"geometry":\#(geometry)}"#)
    let place = try #require(try await all().first)
    #expect(place.lat == lat)
    #expect(place.lng == lng)
  }

  /// A ring that surrounds its centroid, and a polygon with a hole there.
  @Test(arguments: [
    "[[0,0],[10,0],[10,10],[9,10],[9,1],[1,1],[1,10],[0,10],[0,0]]",
    "[[0,0],[10,0],[10,10],[0,10],[0,0]],[[1,1],[9,1],[9,9],[1,9],[1,1]]",
  ])
  func pointOfAPolygonLiesInside(rings: String) async throws {
    _ = try await run(
      #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[\#(rings)]}}"#)
    let place = try #require(try await all().first)
    #expect((0...10).contains(place.lat))
    #expect((0...10).contains(place.lng))
    #expect(place.lng < 1 || place.lng > 9 || place.lat < 1 || place.lat > 9)
  }

  @Test(arguments: ["", "\n", "\n\u{1e}"]) func importsSequences(separator: String) async throws {
    let features = [feature(#""id":20000"#), feature(#""id":20001"#), feature(#""id":20002"#)]
    let file = directory.file("places.geojsonl")
    try Data(features.joined(separator: separator).utf8).write(to: file)
    #expect(try await PlaceImport.run(file, into: database).imported == 3)
  }

  @Test func importsGzipOfSeveralMembers() async throws {
    let file = directory.file("places.geojson.gz")
    try (Self.gzip + Self.gzip + Data("ignored".utf8)).write(to: file)
    #expect(
      try await PlaceImport.run(file, into: database).lines == [
        "imported 1 place", "skipped 1: same ID as an earlier feature, first at line 2, byte 160",
      ])
  }

  @Test(arguments: [1, 40, 90]) func reportsATruncatedGzipFile(missing: Int) async throws {
    let file = directory.file("places.geojson.gz")
    try Self.gzip.dropLast(missing).write(to: file)
    let error = await #expect(throws: FileError.self) {
      try await PlaceImport.run(file, into: database)
    }
    #expect(error?.description.contains("unexpected end of the gzip data") == true)
  }

  @Test func keepsAllProperties() async throws {
    _ = try await run(feature(#""id":20000"#, #"{"name":"a","phone":"1","x":[1,{}]}"#))
    _ = try await run(feature(#""id":20000"#, #"{"name":"b"}"#))
    let json: [String] = try await database.read {
      try $0.rows("SELECT json FROM places_properties") { try $0[0] }
    }
    #expect(json == [#"{"name":"b"}"#])
  }

  /// Past the limit for merging, tables are swapped.
  @Test(arguments: [10, 6000]) func replacesAndRemovesImports(count: Int) async throws {
    let database = try Database(.memory, execution: .inline)
    let builtIn = BuiltInPlaces.all.count
    func places() async throws -> [Int] {
      try await database.read { connection in
        let tables = ["places", "places_rtree", "sqlite_schema WHERE name LIKE '%staged%'"]
        return try tables.map { table in
          try connection.row("SELECT count(*) FROM \(table)") { try $0[0] } ?? -1
        }
      }
    }
    func run(_ ids: Range<Int>, replacing: Bool) async throws {
      let file = try write(ids.map { feature("\"id\":\($0)") })
      _ = try await PlaceImport.run(file, into: database, replacing: replacing)
    }
    try await run(20_000..<20_000 + count, replacing: false)
    try await run(20_001..<20_001 + count, replacing: false)
    #expect(try await places() == [builtIn + count + 1, builtIn + count + 1, 0])
    try await run(30_000..<30_000 + count, replacing: true)
    #expect(try await places() == [builtIn + count, builtIn + count, 0])
    #expect(try await PlaceImport.removeAll(from: database) == count)
    #expect(try await places() == [builtIn, builtIn, 0])
    #expect(try database.problems(PlaceTables.problems) == [])
  }

  /// Every write of an import is short, and reads never see a part of it.
  @Test func importDoesNotBlockOthers() async throws {
    let location = Database.Location.directory(directory.url)
    let importing = try Database(location, execution: .background)
    let other = try Database(location, execution: .background)
    let file = try write((0..<8000).map { feature("\"id\":\(20_000 + $0)") })
    let counts = Mutex<Set<Int>>([])
    let imported = Task { try await PlaceImport.run(file, into: importing).imported }
    let isOver = Flag()
    async let writes: Void = {
      while !isOver.isSet {
        _ = try await other.write { try $0.execute("UPDATE settings SET value = value") }
        let count: Int? = try await other.read { connection in
          try connection.row("SELECT count(*) FROM places WHERE batch = 1") { try $0[0] }
        }
        counts.withLock { _ = $0.insert(count ?? -1) }
      }
    }()
    #expect(try await imported.value == 8000)
    isOver.set()
    try await writes
    #expect(counts.withLock { $0 }.isSubset(of: [0, 8000]))
  }

  @Test func laterImportTakesOver() async throws {
    let first = try await PlaceStaging.begin(.places, database)
    let second = try await PlaceStaging.begin(.places, database)
    let failure = await #expect(throws: LoadFailure.self) { try await first.commit(keeping: .all) }
    #expect(failure?.detail == "Another import has taken over.")
    try await second.commit(keeping: .all)
  }

  /// The places are there from the swap on, whatever becomes of the old tables.
  @Test func canceledCleanupIsNoFailure() async throws {
    let database = try Database(.memory, execution: .inline)
    let place = try Array(feature("\"id\":20000").utf8).withUnsafeBytes {
      try PlaceFeature().read($0)
    }
    let importing = Task {
      let staging = try await PlaceStaging.begin(.downloadedPlaces, database)
      _ = try await staging.add([place])
      try await staging.commit(keeping: .none) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    try await importing.value
    let counts = try await database.read { connection in
      try ["hot_places", "sqlite_schema WHERE name LIKE '%staged%' OR name LIKE '%retired%'"].map {
        try connection.row("SELECT count(*) FROM \($0)") { try $0[0] as Int } ?? -1
      }
    }
    #expect(counts == [1, 0])
  }

  // MARK: Helpers

  /// A FeatureCollection of one place with the ID 20000, and a line feed.
  private static let gzip = Data(
    base64Encoded:
      "H4sIAAAAAAACA6tWKqksSFWyUnJLTSwpLUp1zs/JSU0uyczPU9JRSoOIFStZRVejqQPKZqYoWRkZAIGOUnpqfm5qSVGlkhVcXUB+Zl4JUFVyfn5RSmZeYgnYGEMdo9ja2thaLgAZfAI7eAAAAA=="
  )!

  private func run(_ features: String...) async throws -> PlaceImportReport {
    try await run(features)
  }

  private func run(_ features: [String]) async throws -> PlaceImportReport {
    try await PlaceImport.run(try write(features), into: database)
  }

  /// A file with a feature a line.
  private func write(_ features: [String], to name: String = "places.geojson") throws -> URL {
    let file = directory.file(name)
    let text = #"{"type":"FeatureCollection","features":["# + "\n"
    try Data((text + features.joined(separator: ",\n") + "]}").utf8).write(to: file)
    return file
  }

  private func feature(
    _ id: String, _ properties: String = "{}", _ coordinates: String = "[1,2]"
  ) -> String {
    #"{"type":"Feature",\#(id)\#(id.isEmpty ? "" : ",")"#
      + #""geometry":{"type":"Point","coordinates":\#(coordinates)},"properties":\#(properties)}"#
  }

  private func all(
    within bounds: Bounds = Bounds(minLat: -90, minLng: -180, maxLat: 90, maxLng: 180)
  ) async throws -> [Place] {
    let query = PlaceQuery(bounds: bounds, sort: .distance, center: Coordinate(lat: 2, lng: 1))
    return try await repository.places(query, page: 0, size: 100).current().items.sorted {
      ($0.name, $0.lat) < ($1.name, $1.lat)
    }
  }
}
