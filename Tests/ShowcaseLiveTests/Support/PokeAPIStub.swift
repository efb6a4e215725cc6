@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

/// Answers in PokéAPI's format from the built-in data. Like PokéAPI's Django server, it redirects a
/// path without a trailing slash to the one with it.
enum PokeAPIStub {
  static func respond(_ request: LoopbackRequest) -> LoopbackReply {
    guard request.path.hasSuffix("/") else {
      let query = request.target.dropFirst(request.path.count)
      return .redirect(301, to: "\(request.path)/\(query)")
    }
    let parts = request.path.split(separator: "/")
    if parts == ["pokemon"] { return page(request.query) }
    guard parts.count == 2, parts[0] == "pokemon", let id = Int(parts[1]),
      (1...BuiltInPokemonRepository.all.count).contains(id)
    else { return .status(404) }
    return detail(id)
  }

  private static func page(_ query: [String: String]) -> LoopbackReply {
    let all = BuiltInPokemonRepository.all.map(\.entry)
    let offset = query["offset"].flatMap { Int($0) } ?? 0
    let limit = query["limit"].flatMap { Int($0) } ?? 20
    let rows = all.dropFirst(offset).prefix(limit).map {
      #"{"name":"\#($0.name)","url":"https://example.org/api/v2/pokemon/\#($0.id)/"}"#
    }
    let next = offset + limit < all.count ? #""https://example.org/next""# : "null"
    return .json(
      """
      {"count":\(all.count),"next":\(next),"previous":null,"results":[\(rows.joined(separator: ","))]}
      """)
  }

  private static func detail(_ id: Int) -> LoopbackReply {
    let pokemon = BuiltInPokemonRepository.all[id - 1]
    // The last slot first, because the repository must sort them.
    let types = pokemon.types.enumerated().reversed().map {
      #"{"slot":\#($0 + 1),"type":{"name":"\#($1)","url":"https://example.org/type"}}"#
    }
    return .json(
      """
      {"id":\(id),"name":"\(pokemon.entry.name)","height":\(pokemon.height),"weight":\(pokemon.weight),
       "abilities":[],"types":[\(types.joined(separator: ","))],"sprites":{"front_default":"http://x/front.png",
       "other":{"official-artwork":{"front_default":\(id % 2 == 0 ? "null" : #""http://x/art.png""#)}}}}
      """)
  }
}
