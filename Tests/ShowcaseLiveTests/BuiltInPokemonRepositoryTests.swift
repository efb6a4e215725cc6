import Foundation
import Offstage
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct BuiltInPokemonRepositoryTests {
  private let repository = BuiltInPokemonRepository()

  @Test func has151InOrder() {
    #expect(BuiltInPokemonRepository.all.map(\.entry.id) == Array(1...151))
    #expect(Set(BuiltInPokemonRepository.all.map(\.entry.name)).count == 151)
  }

  /// Those that are easily got wrong.
  @Test(arguments: [
    (1, "bulbasaur", ["grass", "poison"], 7, 69),
    (29, "nidoran-f", ["poison"], 4, 70),
    (35, "clefairy", ["fairy"], 6, 75),
    (39, "jigglypuff", ["normal", "fairy"], 5, 55),
    (81, "magnemite", ["electric", "steel"], 3, 60),
    (83, "farfetchd", ["normal", "flying"], 8, 150),
    (122, "mr-mime", ["psychic", "fairy"], 13, 545),
    (151, "mew", ["psychic"], 4, 40),
  ])
  func pokemonHaveTheirTypesAndSizes(
    id: Int, name: String, types: [String], height: Int, weight: Int
  ) async throws {
    let pokemon = try await repository.pokemon(id: id).current()
    #expect(pokemon.entry.name == name)
    #expect(pokemon.types == types)
    #expect(pokemon.height == height)
    #expect(pokemon.weight == weight)
  }

  @Test(arguments: [
    ("mew", [1, 0]), ("ＭＥＷ", [1, 0]), ("뮤", [1, 0]), ("ㅁㅇ", [2]), ("마", [2]), ("mr. m", [2]),
    ("mr-m", [2]),
    ("MR M", [2]), ("ﾒ", [2]), ("x", []), ("", []), (" ", []),
  ])
  func searchesNamesInAnyWidth(text: String, expected: [Int]) {
    let names = [
      ["mewtwo", "뮤츠"], ["mew", "뮤"], ["mr-mime", "mr mime", "Mr. Mime", "마임맨", "メモ"],
    ]
    #expect(repository.search(text, in: names.map(repository.searchKey)) == expected)
  }

  @Test(arguments: [Int.min, 0, 152, .max]) func unknownNumberIsNotFound(id: Int) async {
    let failure = await #expect(throws: LoadFailure.self) {
      try await repository.pokemon(id: id).current()
    }
    #expect(failure?.reason == .notFound)
  }

  @Test(arguments: [
    (0, 20, 1...20, true),
    (131, 20, 132...151, false),
    (140, 20, 141...151, false),
    (0, .max, 1...151, false),
  ])
  func pageHasTheRequestedRange(offset: Int, limit: Int, ids: ClosedRange<Int>, hasMore: Bool)
    async throws
  {
    let page = try await repository.page(offset: offset, limit: limit).current()
    #expect(page.items.map(\.id) == Array(ids))
    #expect(page.hasMore == hasMore)
  }

  @Test func pageBeyondTheEndIsEmpty() async throws {
    let page = try await repository.page(offset: 151, limit: 20).current()
    #expect(page == Page([], hasMore: false))
  }

  @Test func everyTileIsASmallURLOfItsOwn() throws {
    let tiles = try BuiltInPokemonRepository.all.map { try #require($0.entry.imageURL) }
    #expect(Set(tiles).count == 151)
    for tile in tiles {
      #expect(tile.utf8.count < 60)
      let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/,;=+%")
      #expect(tile.unicodeScalars.allSatisfy(allowed.contains))
      #expect(try #require(Tile(uri: tile)).svg.hasSuffix("</text></svg>"))
      #expect(tile.contains("dddddd") == false, "A type without a color of its own.")
    }
  }
}
