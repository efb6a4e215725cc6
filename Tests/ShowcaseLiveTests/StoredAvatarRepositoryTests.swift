import Foundation
import Offstage
import OffstageLive
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

@Suite struct StoredAvatarRepositoryTests {
  @Test func tableIsConsistent() {
    let all = Avatar.builtIn
    #expect(all.count == 20)
    #expect(Set(all.map(\.id)).count == 20)
    #expect(all.allSatisfy { $0.description.hasSuffix(".") && !$0.name.isEmpty })
    #expect(Set(all.map(\.category)) == Set(AvatarCategory.allCases))
    #expect(Set(Avatar.featuredIDs + Avatar.popularIDs).isSubset(of: all.map(\.id)))
    #expect(Set(Avatar.featuredIDs).isDisjoint(with: Avatar.popularIDs))
  }

  @Test func picturesOpenWithoutANetwork() throws {
    for avatar in Avatar.builtIn {
      #expect(URL(string: avatar.image) != nil)
      #expect(Portrait(uri: avatar.image) != nil)
    }
  }

  @Test func everyCharacterHasAFaceOfItsOwn() throws {
    let faces = try Avatar.builtIn.map { try #require(Portrait(uri: $0.image)).svg }
    #expect(Set(faces).count == faces.count)
  }

  @Test func listsAvatars() async throws {
    let avatars = try repository()
    #expect(try await avatars.featured().map(\.id) == Avatar.featuredIDs)
    #expect(try await avatars.popular().current().map(\.id) == Avatar.popularIDs)
    #expect(try await avatars.avatars(in: .animals).map(\.id) == ["bori", "misty", "otto"])
    #expect(try await avatars.avatar(id: "ada").name == "Ada")
    let failure = await #expect(throws: LoadFailure.self) { try await avatars.avatar(id: "x") }
    #expect(failure?.reason == .notFound)
  }

  @Test(arguments: [Store.file, .server])
  func createdAvatarsSurviveARestart(store: Store) async throws {
    let place = try Store.Place(store)
    let zoe = try await repository(place.open()).create(
      name: "Zoe", category: .artists, description: "She draws.")
    let avatars = try repository(place.open())
    let max = try await avatars.create(name: "Max", category: .cooks, description: "")
    #expect(zoe.id == "created-1")
    #expect(max.id == "created-2")
    #expect(try await avatars.created() == [max, zoe])
    #expect(try await avatars.avatar(id: "created-1") == zoe)
    #expect(try await avatars.avatars(in: .artists).first == zoe)
  }

  @Test func serverRanksAndItsLastRankingIsKept() async throws {
    let list =
      #"[{"id":"zed","name":"Zed","category":"machines","description":"A robot."}]"#
    let server = try LoopbackServer { request in
      request.path == "/api/popular" ? .json(list) : .status(404)
    }
    let database = try Database(.memory, execution: .background)
    let avatars = try StoredAvatarRepository(
      database: PersonalDatabase(database), server: server.base.appendingPathComponent("api"),
      client: NotedWaits(mapError: LoadFailure.map).client())
    #expect(try await avatars.popular().current().map(\.id) == ["zed"])
    server.stop()
    await #expect(throws: LoadFailure.self) { try await avatars.popular().current() }
    #expect(try await avatars.popular().cached()?.value.map(\.id) == ["zed"])
    #expect(try await avatars.avatar(id: "zed").name == "Zed")
  }

  @Test func failsWithoutARankingFromNowOrBefore() async throws {
    let server = try LoopbackServer { _ in .json(#"[{"id":"zed"}]"#) }
    defer { server.stop() }
    let avatars = try StoredAvatarRepository(
      database: PersonalDatabase(try Database(.memory, execution: .background)),
      server: server.base,
      client: NotedWaits(mapError: LoadFailure.map).client())
    let failure = await #expect(throws: LoadFailure.self) { try await avatars.popular().current() }
    #expect(failure?.reason == .malformed)
    #expect(try await avatars.featured().count == 6)
  }

  private func repository(_ database: Database? = nil) throws -> StoredAvatarRepository {
    try StoredAvatarRepository(
      database: PersonalDatabase(database ?? Database(.memory, execution: .background)),
      client: .showcase())
  }
}
