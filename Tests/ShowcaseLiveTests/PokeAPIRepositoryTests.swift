import Foundation
import Showcase
import Testing

@testable import ShowcaseLive

@Suite struct PokeAPIRepositoryTests {
  private let database: Database

  init() throws {
    database = try Database(.memory, execution: .inline)
  }

  @Test func readsEveryPage() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let repository = repository(server.base, sprites: "http://x/{id}.png")
    var entries: [PokemonEntry] = []
    while true {
      let page = try await repository.page(offset: entries.count, limit: 60)
      entries += page.entries
      if !page.hasMore { break }
    }
    #expect(server.requests.count == 3)
    #expect(
      entries
        == BuiltInPokemonRepository.all.map {
          PokemonEntry(id: $0.id, name: $0.name, imageURL: "http://x/\($0.id).png")
        })
  }

  @Test(arguments: [(1, "art.png"), (6, "front.png"), (122, "front.png")])
  func readsADetail(id: Int, image: String) async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    var expected = BuiltInPokemonRepository.all[id - 1]
    expected.imageURL = image
    #expect(try await repository(server.base).pokemon(id: id) == expected)
  }

  @Test func listsShowThePublicSprites() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let page = try await repository(server.base).page(offset: 24, limit: 1)
    #expect(
      page.entries.first?.imageURL
        == "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon/25.png")
  }

  @Test func worksOfflineAndIsBackAfterwards() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let repository = repository(server.base)
    let page = try await repository.page(offset: 0, limit: 20)
    let pokemon = try await repository.pokemon(id: 1)

    server.stop()
    #expect(try await repository.page(offset: 0, limit: 20) == page)
    #expect(try await repository.pokemon(id: 1) == pokemon)
    let failure = await failure { try await repository.pokemon(id: 2) }
    #expect(failure?.reason == .offline)

    let again = try LoopbackServer(port: server.port, respond: PokeAPIStub.respond)
    defer { again.stop() }
    #expect(try await repository.pokemon(id: 2).name == "ivysaur")
    #expect(try await repository.page(offset: 0, limit: 20) == page)
    #expect(again.requests == ["/pokemon/2", "/pokemon?offset=0&limit=20"])
  }

  /// What the server does after the first answer, and whether that answer is given again.
  @Test(arguments: [
    (LoopbackReply.status(500), LoadFailure.Reason?.none),
    (.status(429), nil),
    (.hangUp, nil),
    (.status(404), .notFound),
    (.json("[]"), .malformed),
    (.truncated(LoopbackAnswer(body: [0x7b])), .malformed),
  ])
  func onlyAnOutageShowsOldData(reply: LoopbackReply, reason: LoadFailure.Reason?) async throws {
    let isBroken = Flag()
    let server = try LoopbackServer { isBroken.isSet ? reply : PokeAPIStub.respond($0) }
    defer { server.stop() }
    let repository = repository(server.base)
    let good = try await repository.pokemon(id: 7)
    isBroken.set()
    if let reason {
      let failure = await failure { try await repository.pokemon(id: 7) }
      #expect(failure?.reason == reason)
    } else {
      #expect(try await repository.pokemon(id: 7) == good)
    }
    server.stop()
    #expect(try await repository.pokemon(id: 7) == good, "A failure is not kept.")
  }

  @Test func aTimeOutIsAnOutage() async throws {
    let isBroken = Flag()
    let server = try LoopbackServer { isBroken.isSet ? .silence : PokeAPIStub.respond($0) }
    defer { server.stop() }
    let waits = Waits()
    let repository = repository(server.base, waits: waits)
    let good = try await repository.pokemon(id: 7)
    isBroken.set()
    for _ in 1...3 { waits.expire() }
    #expect(try await repository.pokemon(id: 7) == good)
  }

  @Test func unknownNumber() async throws {
    let server = try LoopbackServer(respond: PokeAPIStub.respond)
    defer { server.stop() }
    let failure = await failure { try await repository(server.base).pokemon(id: 152) }
    #expect(failure?.reason == .notFound)
    #expect(failure?.message == "There is nothing at \(server.base)/pokemon/152.")
  }

  @Test func namesTheLinkWithoutANumber() async throws {
    let server = try LoopbackServer { _ in
      .json(#"{"next":null,"results":[{"name":"a","url":"http://x/pokemon/mew/"}]}"#)
    }
    defer { server.stop() }
    let failure = await failure { try await repository(server.base).page(offset: 0, limit: 1) }
    #expect(failure?.message.contains("results[0].url is wrong") == true)
  }

  private func repository(
    _ base: URL, sprites: String = PokeAPIRepository.publicSprites, waits: Waits = Waits()
  ) -> PokeAPIRepository {
    PokeAPIRepository(base: base, sprites: sprites, client: waits.client(), database: database)
  }

  private func failure(_ body: () async throws -> some Sendable) async -> LoadFailure? {
    await #expect(throws: LoadFailure.self) { _ = try await body() }
  }
}
