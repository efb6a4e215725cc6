import Foundation
import Offstage
import OffstageLive
import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

@Suite struct PokeAPIRepositoryTests {
  private let database: Database

  init() throws {
    database = try Database(.memory, execution: .inline)
  }

  @Test func endpointsAreTyped() throws {
    let base = try #require(URL(string: "http://x/api/v2"))
    let page: PokeAPIEndpoint<PokeAPIList> = .pokemon(offset: 20, limit: 10)
    #expect(page.url(at: base).absoluteString == "http://x/api/v2/pokemon/?offset=20&limit=10")
    let species: PokeAPIEndpoint<PokeAPIList> = .species
    #expect(
      species.url(at: base).absoluteString == "http://x/api/v2/pokemon-species/?limit=100000")
    let detail: PokeAPIEndpoint<PokeAPIDetail> = .pokemon(id: 25)
    #expect(detail.url(at: base).absoluteString == "http://x/api/v2/pokemon/25/")
  }

  @Test func readsEveryPage() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let repository = repository(server.base, sprites: URL(string: "http://x"))
    var entries: [PokemonEntry] = []
    while true {
      let page = try await repository.page(offset: entries.count, limit: 60).current()
      entries += page.items
      if !page.hasMore { break }
    }
    #expect(server.requests.count == 3)
    #expect(
      entries
        == BuiltInPokemonRepository.all.map(\.entry).map {
          PokemonEntry(id: $0.id, name: $0.name, imageURL: "http://x/\($0.id).png")
        })
  }

  @Test(arguments: [(1, "http://x/art.png"), (6, "http://x/front.png")])
  func readsADetail(id: Int, image: String) async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    var expected = BuiltInPokemonRepository.all[id - 1]
    expected.entry.imageURL = image
    expected.entry.names = nil
    #expect(try await repository(server.base).pokemon(id: id).current() == expected)
  }

  @Test func listsShowThePublicSprites() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let page = try await repository(server.base).page(offset: 24, limit: 1).current()
    #expect(
      page.items.first?.imageURL
        == "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon/25.png")
  }

  @Test func picturesBesideTheAPIHaveItsQuery() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let base = try #require(URL(string: "\(server.base)?key=1"))
    let page = try await repository(base, sprites: nil).page(offset: 24, limit: 1).current()
    #expect(page.items.first?.imageURL == "\(server.base)/sprites/pokemon/25.png?key=1")
  }

  /// A body is a JSON string of four bytes.
  @Test(arguments: [(2, 1_000, 2), (1_000, 12, 3), (1_000, 11, 2), (1_000, 3, 0)])
  func theNewestResponsesAreKept(limit: Int, byteLimit: Int, kept: Int) async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let cache = ResponseCache(
      client: .showcase(), database: database, limit: limit, byteLimit: byteLimit)
    for id in 1...4 {
      let url = server.base.appendingPathComponent("pokemon/\(id)/")
      _ = try await cache.current(url, accept: "application/json") { _ in "ab" }
    }
    let count = try await database.read { connection in
      try connection.row("SELECT count(*) FROM cached_responses") { try $0[0] as Int }
    }
    #expect(count == kept)
  }

  @Test func worksOfflineAndIsBackAfterwards() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let repository = repository(server.base)
    let page = try await repository.page(offset: 0, limit: 20).current()
    let pokemon = try await repository.pokemon(id: 1).current()

    server.stop()
    let failure = await failure { try await repository.pokemon(id: 1).current() }
    #expect(failure?.reason == .refused)
    #expect(try await repository.page(offset: 0, limit: 20).cached()?.value == page)
    #expect(try await repository.pokemon(id: 1).cached()?.value == pokemon)

    let again = try LoopbackServer(port: server.port, respond: PokeAPIStub.respond)
    defer { again.stop() }
    #expect(try await repository.pokemon(id: 2).current().entry.name == "ivysaur")
    #expect(try await repository.page(offset: 0, limit: 20).current() == page)
    #expect(again.requests == ["/pokemon/2/", "/pokemon/?offset=0&limit=20"])
  }

  /// Old data is better than an outage, a captive portal's page, half a response or a 404.
  @Test(arguments: [
    LoopbackReply.status(500), .status(429), .status(404), .hangUp, .json("[]"),
    .answer(LoopbackAnswer(contentType: "text/html", body: Array("<html>Log in".utf8))),
    .redirect(302, to: "/login/"), .truncated(LoopbackAnswer(body: [0x7b])), .silence,
  ])
  func anyFailureKeepsTheCachedResponse(reply: LoopbackReply) async throws {
    let isBroken = Flag()
    let server = try LoopbackServer { request in
      if request.path == "/login/" { return .json("<html>") }
      return isBroken.isSet ? reply : PokeAPIStub.respond(request)
    }
    defer { server.stop() }
    let good = try await repository(server.base).pokemon(id: 7).current()
    let page = try await repository(server.base).page(offset: 0, limit: 3).current()
    isBroken.set()
    let repository = repository(server.base, timeout: .milliseconds(300))
    _ = await failure { try await repository.pokemon(id: 7).current() }
    _ = await failure { try await repository.page(offset: 0, limit: 3).current() }
    #expect(try await repository.pokemon(id: 7).cached()?.value == good)
    #expect(try await repository.page(offset: 0, limit: 3).cached()?.value == page)
  }

  @Test func cachedResponsesNeedNoRequest() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let repository = repository(server.base)
    #expect(try await repository.page(offset: 0, limit: 20).cached() == nil)
    #expect(try await repository.pokemon(id: 1).cached() == nil)
    let page = try await repository.page(offset: 0, limit: 20).current()
    let pokemon = try await repository.pokemon(id: 1).current()
    let count = server.requests.count
    #expect(try await repository.page(offset: 0, limit: 20).cached()?.value == page)
    #expect(try await repository.pokemon(id: 1).cached()?.value == pokemon)
    #expect(server.requests.count == count)
  }

  @Test func unchangedResponsesAreNotSentAgain() async throws {
    let server = try LoopbackServer { request in
      guard case .answer(var answer) = PokeAPIStub.respond(request) else { return .status(404) }
      let tag = "\"\(request.path)\""
      if request.headers["if-none-match"] == tag {
        return .answer(LoopbackAnswer(status: 304, body: []))
      }
      answer.headers["ETag"] = tag
      return .answer(answer)
    }
    defer { server.stop() }
    let repository = repository(server.base)
    let pokemon = try await repository.pokemon(id: 25).current()
    #expect(try await repository.pokemon(id: 25).current() == pokemon)
    // Kept by an older version of the app, in another shape.
    _ = try await database.write { try $0.execute("UPDATE cached_responses SET body = x'7b7d'") }
    #expect(try await repository.pokemon(id: 25).current() == pokemon)
    let tag = "\"/pokemon/25/\""
    #expect(server.received.map { $0.headers["if-none-match"] } == [nil, tag, nil])
  }

  /// The server redirects to the slash; the canonical path saves that.
  @Test func pathsAreCanonical() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    _ = try await repository(server.base).page(offset: 0, limit: 2).current()
    _ = try await repository(server.base).pokemon(id: 25).current()
    #expect(server.requests == ["/pokemon/?offset=0&limit=2", "/pokemon/25/"])
  }

  @Test(arguments: [
    "file:///etc/passwd", "data:text/html,<script>alert(1)</script>", "javascript:alert(1)",
    "front.png",
  ])
  func picturesAreOnTheWeb(address: String) async throws {
    let server = try LoopbackServer { _ in
      .json(
        """
        {"id":1,"name":"a","height":1,"weight":1,"types":[],
         "sprites":{"front_default":"\(address)","other":null}}
        """)
    }
    defer { server.stop() }
    #expect(try await repository(server.base).pokemon(id: 1).current().entry.imageURL == nil)
  }

  /// Names and numbers of PokéAPI's own tables.
  @Test func formsBelongToTheirSpecies() async throws {
    let server = try LoopbackServer { request in
      let rows =
        request.path == "/pokemon-species/"
        ? [("mr-mime", 122), ("mr-rime", 866), ("deoxys", 386), ("kommo-o", 784)]
        : [
          ("deoxys-attack", 10001), ("mr-mime-galar", 10168), ("kommo-o-totem", 10146),
          ("nobody-knows", 10999), ("iron-crown", 1023),
        ]
      let results = rows.map { #"{"name":"\#($0.0)","url":"http://x/a/\#($0.1)/"}"# }
      return .json(#"{"next":null,"results":[\#(results.joined(separator: ","))]}"#)
    }
    defer { server.stop() }
    let repository = repository(server.base)
    let page = try await repository.page(offset: 0, limit: 20).current()
    #expect(page.items.map(\.speciesID) == [386, 122, 784, 10999, 1023])
    #expect(try await repository.page(offset: 0, limit: 20).cached()?.value == page)
  }

  // MARK: Names

  /// Answers like PokéAPI with one species and one of its forms.
  private static func deoxys(_ request: LoopbackRequest) -> LoopbackReply {
    func list(_ rows: (String, Int)...) -> LoopbackReply {
      let results = rows.map { #"{"name":"\#($0.0)","url":"http://x/a/\#($0.1)/"}"# }
      return .json(#"{"next":null,"results":[\#(results.joined(separator: ","))]}"#)
    }
    func names(_ names: KeyValuePairs<String, String>) -> String {
      "[\(names.map { #"{"name":"\#($1)","language":{"name":"\#($0)"}}"# }.joined(separator: ","))]"
    }
    switch request.path {
    case "/pokemon/": return list(("deoxys-normal", 386), ("deoxys-attack", 10001))
    case "/pokemon-species/": return list(("deoxys", 386))
    case "/pokemon-form/": return list(("deoxys-attack", 10031))
    case "/pokemon-species/386/":
      return .json(#"{"names":\#(names(["ko": "테오키스", "fr": "Deoxys", "en": "Deoxys"]))}"#)
    case "/pokemon-form/10031/":
      let form = names(["ko": "어택폼", "en": "Attack Forme"])
      return .json(
        #"{"form_name":"attack","form_names":\#(form),"names":\#(names(["en": "Attack Deoxys"]))}"#)
    default: return .status(404)
    }
  }

  private static let deoxysNames = ["en": "Deoxys", "ko": "테오키스"]
  private static let attackNames = PokemonNames(
    own: ["en": "Attack Deoxys"], species: deoxysNames,
    form: ["en": "Attack Forme", "ko": "어택폼"], formID: "attack")

  @Test func namesAreRequestedOnce() async throws {
    let server = try LoopbackServer(respond: Self.deoxys)
    defer { server.stop() }
    let repository = repository(server.base)
    let page = try await repository.page(offset: 0, limit: 20).current()
    #expect(page.items.map(\.names) == [nil, nil])
    #expect(page.items.map(\.formID) == [nil, 10031])
    let names = try await withThrowingTaskGroup(of: PokemonNames.self) { group in
      for entry in page.items + page.items {
        group.addTask { try await repository.names(of: entry) }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(names == [PokemonNames(own: Self.deoxysNames), Self.attackNames])
    #expect(server.requests.count { $0 == "/pokemon-species/386/" } == 1)
    #expect(server.requests.count { $0 == "/pokemon-form/10031/" } == 1)
    let known = try await repository.page(offset: 0, limit: 20).cached()?.value.items.map(\.names)
    #expect(known == [PokemonNames(own: Self.deoxysNames), Self.attackNames])
  }

  @Test func searchLoadsTheMissingNames() async throws {
    let server = try LoopbackServer(respond: Self.deoxys)
    defer { server.stop() }
    let repository = repository(server.base)
    #expect(try await repository.allPokemon().cached()?.value.map(\.names) == [nil, nil])
    let all = try await repository.allPokemon().current()
    #expect(all.map(\.names) == [PokemonNames(own: Self.deoxysNames), Self.attackNames])
  }

  @Test(arguments: [404, 500]) func onlyAMissingNameIsLeftOut(status: Int) async throws {
    let server = try LoopbackServer { request in
      request.path == "/pokemon-form/10031/" ? .status(status) : Self.deoxys(request)
    }
    defer { server.stop() }
    let repository = repository(server.base)
    if status == 404 {
      let all = try await repository.allPokemon().current()
      #expect(all.map(\.names) == [PokemonNames(own: Self.deoxysNames), nil])
    } else {
      let failure = await failure { try await repository.allPokemon().current() }
      #expect(failure?.reason == .server)
    }
  }

  @Test func unknownNumberIsNotFound() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let failure = await failure { try await repository(server.base).pokemon(id: 152).current() }
    #expect(failure?.reason == .notFound)
    #expect(failure?.detail == "\(server.base)/pokemon/152/ was not found.")
  }

  @Test(arguments: ["mew", "-1", "9007199254740993"])
  func linkWithoutANumberIsNamed(last: String) async throws {
    let server = try LoopbackServer { _ in
      .json(#"{"next":null,"results":[{"name":"a","url":"http://x/pokemon/\#(last)/"}]}"#)
    }
    defer { server.stop() }
    let failure = await failure {
      try await repository(server.base).page(offset: 0, limit: 1).current()
    }
    #expect(failure?.detail.contains("an address that ends in a number") == true)
  }

  private func repository(
    _ base: URL, sprites: URL? = PokeAPIRepository.publicSprites,
    timeout: Duration = .seconds(600)
  ) -> PokeAPIRepository {
    PokeAPIRepository(
      base: base, sprites: sprites,
      client: NotedWaits(mapError: LoadFailure.map).client(timeout: timeout), database: database)
  }

  private func failure(_ body: () async throws -> some Sendable) async -> LoadFailure? {
    await #expect(throws: LoadFailure.self) { _ = try await body() }
  }
}
