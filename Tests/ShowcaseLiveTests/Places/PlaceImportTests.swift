import Foundation
import Offstage
import Showcase
import Testing

@testable import ShowcaseLive

@Suite struct PlaceImportTests {
  private let directory: TemporaryDirectory
  private let database: Database
  private let repository: SQLitePlaceRepository

  init() throws {
    directory = try TemporaryDirectory()
    database = try Database(.memory, execution: .inline, migrations: [.places])
    repository = SQLitePlaceRepository(database: database)
  }

  @Test func takesPlaces() async throws {
    let report = try await run(
      feature(#""id":20000"#, #"{"name":"Park","name:ko":"공원","category":"park","rating":4.5}"#),
      feature(#""id":20001"#, #"{"name:en":"Café","name":"카페","amenity":"cafe"}"#, "[-180,90,5]"),
      feature(#""id":20002"#, #"{"name":"  ","rating":9}"#, "[1e2,-0.5]"),
      feature(#""id":20003"#, "null"))
    #expect(report.lines == ["Imported 4 places."])
    #expect(
      try await all() == [
        Place(
          id: 20000, name: "Park", localName: "공원", category: "park", lat: 2, lng: 1, rating: 4.5),
        Place(id: 20001, name: "Café", localName: "카페", category: "cafe", lat: 90, lng: -180),
        Place(id: 20002, name: "Unnamed", category: "other", lat: -0.5, lng: 100),
        Place(id: 20003, name: "Unnamed", category: "other", lat: 2, lng: 1),
      ])
  }

  @Test func passesOverWhatIsNoPlaceAndSaysWhy() async throws {
    let report = try await run(
      feature(#""id":20000"#),
      "null", #"{"type":"feature"}"#, #"{"type":"Feature","a":}"#,
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}"#,
      #"{"type":"Feature","geometry":null}"#,
      feature(#""id":1"#, "{}", "[1]"), feature(#""id":2"#, "{}", #"["1","2"]"#),
      feature(#""id":3"#, "{}", "[181,0]"), feature(#""id":4"#, "{}", "[0,-90.1]"),
      feature(#""id":20000"#, #"{"name":"again"}"#),
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[]}}"#)
    #expect(
      report.lines == [
        "Imported 1 place.",
        "Skipped 2: not of the type Feature; the first at line 3, byte 136.",
        "Skipped 1: not JSON; the first at line 5, byte 162.",
        "Skipped 2: of the type LineString, not Point; the first at line 6, byte 187.",
        "Skipped 3: without the coordinates of a point; the first at line 7, byte 268.",
        "Skipped 2: coordinates that are not on the earth; the first at line 10, byte 488.",
        "Skipped 1: with an id that came before; the first at line 12, byte 676.",
      ])
    #expect(try await all().map(\.name) == ["Unnamed"])
  }

  @Test func countsStrangeTypesTogetherAtSomePoint() async throws {
    let report = try await run(
      (1...50).map { #"{"type":"Feature","geometry":{"type":"Strange\#($0)"}}"# })
    #expect(report.lines.count == 1 + 21)
    #expect(report.lines.last?.hasPrefix("Skipped 30: for other reasons") == true)
  }

  /// Files that turn out to be broken once their places have been read; `@` is a place.
  @Test(arguments: [
    #"{"type":"FeatureCollection","features":[@,@"#,
    #"{"type":"FeatureCollection","features":[@,@]"#,
    #"{"type":"FeatureCollection","features":[@,@],"#,
    #"{"type":"FeatureCollection","features":[@,@,]}"#,
    #"{"type":"FeatureCollection","features":[@,@]} x"#,
    #"{"type":"Collection","features":[@,@]}"#, "", "@", "not GeoJSON",
  ])
  func allOrNothing(text: String) async throws {
    _ = try await run(feature(#""id":20000"#, #"{"name":"old"}"#))
    let old = try await all()
    let place = feature(#""id":20000"#, #"{"name":"new"}"#)
    let file = directory.file("broken.geojson")
    try Data(text.replacingOccurrences(of: "@", with: place).utf8).write(to: file)
    let failure = await #expect(throws: PlaceImportFailure.self) {
      try await PlaceImport(file, into: database).run()
    }
    #expect(failure?.description.hasPrefix(file.path + ": ") == true)
    #expect(failure?.description.hasSuffix(". Nothing was imported.") == true)
    #expect(try await all() == old)
  }

  @Test(arguments: ["", "missing.geojson"])
  func aFileThatCannotBeRead(name: String) async throws {
    let file = name.isEmpty ? directory.url : directory.file(name)
    let failure = await #expect(throws: PlaceImportFailure.self) {
      try await PlaceImport(file, into: database).run()
    }
    #expect(failure?.description.contains("it cannot be") == true)
  }

  @Test func theSameFileTwiceIsNoPlaceTwice() async throws {
    let features = [
      feature(#""id":"node/1""#, #"{"name":"a"}"#), feature(#""id":7"#, #"{"name":"b"}"#),
      feature("", #"{"name":"c"}"#), feature("", #"{"name":"d","@id":"way/2"}"#),
      feature(#""id":1.5"#, #"{"name":"e"}"#), feature(#""id":-3"#, #"{"name":"f"}"#),
    ]
    let first = try await run(features)
    let places = try await all()
    #expect(try await run(features) == first)
    #expect(try await all() == places)
    #expect(places.count == 6)
    // Whatever has no number of its own is out of the way of what has, and exact for a front end.
    #expect(places.allSatisfy { (1 << 52..<1 << 53).contains($0.id) })
  }

  @Test func aLaterImportReplacesAPlaceWhereverItWas() async throws {
    _ = try await run(feature(#""id":20000"#, #"{"name":"old"}"#, "[1,2]"))
    _ = try await run(feature(#""id":20000"#, #"{"name":"new"}"#, "[30,40]"))
    #expect(try await all().map(\.name) == ["new"])
    let there = Bounds(minLat: 1, minLng: 1, maxLat: 3, maxLng: 3)
    #expect(try await all(within: there).isEmpty, "the tree has forgotten the old place")
  }

  @Test func theAppsOwnPlacesStay() async throws {
    let database = try Database(.memory, execution: .inline)
    let file = try write([feature(#""id":1"#, #"{"name":"mine"}"#)])
    _ = try await PlaceImport(file, into: database).run()
    let repository = SQLitePlaceRepository(database: database)
    #expect(try await repository.place(id: 1) == BuiltInPlaces.all[0])
    #expect(try await repository.places(named: "mine", limit: 1).count == 1)
  }

  @Test func tellsHowFarItIs() async throws {
    // Of several pieces.
    let features = (1...20_000).map {
      feature("\"id\":\(20_000 + $0)", #"{"name":"some place with a name"}"#)
    }
    let file = try write(features)
    let told = Progress()
    let report = try await PlaceImport(file, into: database).run { told.note($0) }
    #expect(report.imported == 20_000)
    let values = told.values
    #expect(values.count > 2 && values == values.sorted() && values.last == 1)
  }

  // MARK: Helpers

  private func run(_ features: String...) async throws -> PlaceImportReport {
    try await run(features)
  }

  private func run(_ features: [String]) async throws -> PlaceImportReport {
    try await PlaceImport(try write(features), into: database).run()
  }

  /// A file with a feature a line.
  private func write(_ features: [String]) throws -> URL {
    let file = directory.file("places.geojson")
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
    return try await repository.places(query, page: 0, size: 100).items.sorted { $0.id < $1.id }
  }
}
