import Foundation
import Offstage
import OffstageLive
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

@Suite struct ServedPlacesTests {
  private static let collection = #"""
    {"type":"FeatureCollection","features":[
      {"type":"Feature","id":20000,"properties":{"name":"Far"},
       "geometry":{"type":"Point","coordinates":[1.5,1.5]}},
      {"type":"Feature","id":20001,"properties":{"name":"Near"},
       "geometry":{"type":"Point","coordinates":[1,1]}}]}
    """#
  private static let query = PlaceQuery(
    bounds: Bounds(minLat: 0, minLng: 0, maxLat: 2, maxLng: 2), sort: .distance,
    center: Coordinate(lat: 1, lng: 1))

  @Test func answersFromOneFetch() async throws {
    let server = try LoopbackServer { _ in .json(Self.collection) }
    defer { server.stop() }
    let repository = try repository(server.base)
    #expect(
      try await repository.places(Self.query, page: 0, size: 1).current() == near(hasMore: true))
    let rest = try await repository.places(Self.query, page: 1, size: 1).current()
    #expect(rest.items.map(\.name) == ["Far"])
    #expect(!rest.hasMore)
    let search = PlaceSearchQuery(text: "fa", center: Self.query.center)
    #expect(
      try await repository.places(search, page: 0, size: 9).current().items.map(\.id) == [20000])
    #expect(try await repository.details(of: 20001).current()?.place.name == "Near")
    #expect(
      try await repository.details(of: 1).current() == nil, "the app's own places are not there")
    #expect(server.requests == ["/places.geojson"])
  }

  @Test func concurrentQueriesShareOneFetch() async throws {
    let server = try LoopbackServer { _ in .json(Self.collection) }
    defer { server.stop() }
    let repository = try repository(server.base)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...5 {
        group.addTask {
          try await repository.places(Self.query, page: 0, size: 9).current().items.count
        }
      }
      for try await count in group { #expect(count == 2) }
    }
    #expect(try await repository.places(Self.query, page: 0, size: 9).current().items.count == 2)
  }

  /// Panning the map cancels a query and makes another.
  @Test func downloadGoesOnWhenAQueryIsCanceled() async throws {
    let mayAnswer = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _ in
      mayAnswer.wait()
      return .json(Self.collection)
    }
    defer { server.stop() }
    let repository = try repository(server.base)
    let query = Task { try await repository.places(Self.query, page: 0, size: 9).current() }
    await server.next(.received(path: "/places.geojson"))
    query.cancel()
    await #expect(throws: CancellationError.self) { try await query.value }
    for _ in 1...2 { mayAnswer.signal() }
    #expect(try await repository.places(Self.query, page: 0, size: 9).current().items.count == 2)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    (LoopbackReply.status(404), LoadFailure.Reason.notFound), (.json("{}"), .malformed),
    (.json(#"{"type":"FeatureCollection","features":[{}"#), .malformed), (.status(500), .server),
  ])
  func failureIsRememberedUntilRetry(
    reply: LoopbackReply, reason: LoadFailure.Reason
  ) async throws {
    let isMended = Flag()
    let server = try LoopbackServer { _ in isMended.isSet ? .json(Self.collection) : reply }
    defer { server.stop() }
    let repository = try repository(server.base)
    var counts: [Int] = []
    for _ in 1...3 {
      let failure = await #expect(throws: LoadFailure.self) {
        try await repository.places(Self.query, page: 0, size: 9).current()
      }
      #expect(failure?.reason == reason)
      counts.append(server.requests.count)
    }
    #expect(Set(counts).count == 1, "panning fetches the file again")
    isMended.set()
    repository.retry()
    #expect(try await repository.places(Self.query, page: 0, size: 9).current().items.count == 2)
  }

  @Test func storedFileAnswersWithoutTheServer() async throws {
    let directory = try TemporaryDirectory()
    let port = try LoopbackPort()
    let server = try LoopbackServer(port: port) { _ in .json(Self.collection) }
    let url = server.base
    let location = Database.Location.directory(directory.url)
    let first = try repository(url, try Database(location, execution: .background))
    #expect(try await first.places(Self.query, page: 0, size: 9).current().items.count == 2)
    server.stop()
    let second = try repository(url, try Database(location, execution: .background))
    await #expect(throws: LoadFailure.self) {
      try await second.places(Self.query, page: 0, size: 9).current()
    }
    let cached = try #require(try await second.places(Self.query, page: 0, size: 9).cached())
    #expect(cached.value.items.count == 2)
    #expect(cached.loadedAt > .seconds(1_700_000_000))
    #expect(try await second.details(of: 20001).cached()?.value?.place.name == "Near")
    let other = try PlaceFileRepository(
      url: url.appendingPathComponent("other.geojson"),
      client: NotedWaits(mapError: LoadFailure.map).client(),
      database: Database(location, execution: .background))
    await #expect(throws: LoadFailure.self) { try await other.details(of: 20000).current() }
  }

  @Test(arguments: [
    ([], false), (Array(" \n".utf8), false), ([0xEF, 0xBB, 0xBF], false), ([0x1E], false),
    (Gzip.empty, false), (Array(#"{"type":"FeatureCollection","features":[]}"#.utf8), true),
  ])
  func onlyAnEmptyCollectionReplacesTheStoredPlaces(body: [UInt8], isCollection: Bool) async throws
  {
    let isSecond = Flag()
    let server = try LoopbackServer { _ in
      isSecond.isSet
        ? .answer(LoopbackAnswer(contentType: "application/geo+json", body: body))
        : .json(Self.collection)
    }
    defer { server.stop() }
    let database = try Database(.memory, execution: .background)
    _ = try await repository(server.base, database).places(Self.query, page: 0, size: 9).current()
    isSecond.set()
    let second = try repository(server.base, database)
    if isCollection {
      #expect(try await second.places(Self.query, page: 0, size: 9).current().items.isEmpty)
      return
    }
    let failure = await #expect(throws: LoadFailure.self) {
      try await second.places(Self.query, page: 0, size: 9).current()
    }
    #expect(failure?.reason == .malformed)
    #expect(try await second.places(Self.query, page: 0, size: 9).cached()?.value.items.count == 2)
  }

  private enum Gzip {
    /// The output of `gzip` for no input.
    static let empty: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
  }

  @Test func unchangedFileIsNotSentAgain() async throws {
    let directory = try TemporaryDirectory()
    let server = try LoopbackServer { request in
      request.headers["if-none-match"] == "\"1\""
        ? .status(304)
        : .answer(
          LoopbackAnswer(
            headers: ["ETag": "\"1\""], contentType: "application/json",
            body: Array(Self.collection.utf8)))
    }
    defer { server.stop() }
    for count in 1...2 {
      let database = try Database(.directory(directory.url), execution: .background)
      let repository = try repository(server.base, database)
      #expect(try await repository.places(Self.query, page: 0, size: 9).current().items.count == 2)
      await server.next(.received(path: "/places.geojson"))
      #expect(server.requests.count == count)
    }
  }

  @Test func serviceAnswersForAPartOfTheMap() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/api/places?bbox=0.0,0.0,2.0,2.0&center=1.0,1.0&page=1&size=9&sort=distance":
        .json(Self.collection.replacing("\"features\"", with: "\"hasMore\":true,\"features\""))
      case "/api/places?center=1.0,1.0&page=0&q=s%C3%A9oul&size=5": .json(Self.collection)
      case "/api/places/20000":
        .json(
          #"""
          {"type":"Feature","id":20000,"properties":{"name":"Far","phone":"02","floors":[1,2],
          "empty":null},"geometry":{"type":"Point","coordinates":[1.5,1.5]}}
          """#)
      default: .status(404)
      }
    }
    let database = try Database(.memory, execution: .background)
    let service = PlaceAPIRepository(
      base: server.base.appendingPathComponent("api"),
      client: NotedWaits(mapError: LoadFailure.map).client(), database: database)
    let page = try await service.places(Self.query, page: 1, size: 9).current()
    #expect(page.items.map(\.name) == ["Far", "Near"])
    #expect(page.hasMore)
    let search = PlaceSearchQuery(text: "séoul", center: Self.query.center)
    #expect(try await service.places(search, page: 0, size: 5).current().items.count == 2)
    let details = try await service.details(of: 20000).current()
    #expect(details?.place.name == "Far")
    #expect(
      details?.properties == [
        PlaceProperty(name: "name", value: "Far"), PlaceProperty(name: "phone", value: "02"),
        PlaceProperty(name: "floors", value: "1, 2"),
      ])
    #expect(try await service.details(of: 1).current() == nil)
    server.stop()
    await #expect(throws: LoadFailure.self) {
      try await service.places(Self.query, page: 1, size: 9).current()
    }
    #expect(try await service.places(Self.query, page: 1, size: 9).cached()?.value == page)
    #expect(try await service.places(search, page: 0, size: 5).cached()?.value.items.count == 2)
    #expect(try await service.details(of: 20000).cached()?.value == details)
    #expect(try await service.details(of: 1).cached() == nil)
  }

  /// The app has a number for each place; the server's own ID outlives the process.
  @Test func placesAreRequestedByTheServersIDs() async throws {
    let place = #"""
      {"type":"Feature","id":"node/7","properties":{"name":"Gate"},
       "geometry":{"type":"Point","coordinates":[1,1]}}
      """#
    let server = try LoopbackServer { request in
      switch request.path {
      case "/places": .json(#"{"type":"FeatureCollection","features":[\#(place)]}"#)
      case "/places/node%2F7": .json(place)
      default: .status(404)
      }
    }
    defer { server.stop() }
    let directory = try TemporaryDirectory()
    let service = { () throws -> PlaceAPIRepository in
      PlaceAPIRepository(
        base: server.base, client: NotedWaits(mapError: LoadFailure.map).client(),
        database: try Database(.directory(directory.url), execution: .background))
    }
    let first = try service()
    let id = try #require(
      try await first.places(Self.query, page: 0, size: 9).current().items.first?.id)
    #expect(try await first.details(of: id).current()?.place.name == "Gate")
    let second = try service()
    #expect(try await second.details(of: id).cached()?.value?.place.name == "Gate")
    #expect(try await second.details(of: id).current()?.place.name == "Gate")
  }

  @Test func pageIsShownAlthoughItsIDsCannotBeKept() async throws {
    let server = try LoopbackServer { _ in
      .json(
        #"""
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"node/7","properties":
        {"name":"Gate"},"geometry":{"type":"Point","coordinates":[1,1]}}]}
        """#)
    }
    defer { server.stop() }
    let database = try Database(.memory, execution: .background)
    try await database.write { try $0.execute(script: "DROP TABLE served_place_ids") }
    let service = PlaceAPIRepository(
      base: server.base, client: NotedWaits(mapError: LoadFailure.map).client(), database: database)
    let page = try await service.places(Self.query, page: 0, size: 9).current()
    #expect(page.items.map(\.name) == ["Gate"])
  }

  @Test func newestServerIDsAreKept() async throws {
    let places = (1...3).map { number in
      #"""
      {"type":"Feature","id":"node/\#(number)","properties":{"name":"\#(number)"},
       "geometry":{"type":"Point","coordinates":[1,1]}}
      """#
    }
    let server = try LoopbackServer { request in
      request.path == "/places"
        ? .json(#"{"type":"FeatureCollection","features":[\#(places.joined(separator: ","))]}"#)
        : .status(404)
    }
    defer { server.stop() }
    let service = PlaceAPIRepository(
      base: server.base, client: NotedWaits(mapError: LoadFailure.map).client(),
      database: try Database(.memory, execution: .background), idLimit: 2)
    let ids = try await service.places(Self.query, page: 0, size: 9).current().items.map(\.id)
    for id in ids { _ = try await service.details(of: id).current() }
    #expect(
      server.requests.dropFirst() == [
        "/places/\(ids[0])", "/places/node%2F2", "/places/node%2F3",
      ])
  }

  private func near(hasMore: Bool) -> Page<Place> {
    Page(
      [Place(id: 20001, name: "Near", category: "other", lat: 1, lng: 1)], hasMore: hasMore)
  }

  private func repository(_ base: URL, _ database: Database? = nil) throws -> PlaceFileRepository {
    PlaceFileRepository(
      url: base.appendingPathComponent("places.geojson"),
      client: NotedWaits(mapError: LoadFailure.map).client(),
      database: try database ?? Database(.memory, execution: .background))
  }
}
