import Foundation

extension Endpoint where Response == PokeAPIPage {
  /// `GET pokemon`: the Pokémon in National Pokédex order.
  static func pokemonPage(offset: Int, limit: Int) -> Endpoint {
    Endpoint(
      path: "pokemon",
      query: [
        URLQueryItem(name: "offset", value: String(offset)),
        URLQueryItem(name: "limit", value: String(limit)),
      ])
  }
}

extension Endpoint where Response == PokeAPIDetail {
  /// `GET pokemon/{id}`: everything about one.
  static func pokemon(id: Int) -> Endpoint {
    Endpoint(path: "pokemon/\(id)")
  }
}

/// A page of the list, with the members that the Pokédex reads; see https://pokeapi.co/docs/v2.
struct PokeAPIPage: Codable, Sendable {
  struct Entry: Codable, Sendable {
    var name: String
    var url: PokeAPILink
  }

  /// The address of the next page; null on the last one.
  var next: String?
  var results: [Entry]
}

/// One Pokémon, with the members that the Pokédex reads.
struct PokeAPIDetail: Codable, Sendable {
  struct TypeSlot: Codable, Sendable {
    struct Kind: Codable, Sendable { var name: String }

    var slot: Int
    var type: Kind
  }

  var id: Int
  var name: String
  var height: Int
  var weight: Int
  var types: [TypeSlot]
  var sprites: PokeAPISprites
}

/// The pictures of one Pokémon; each may be missing.
struct PokeAPISprites: Codable, Sendable {
  struct Other: Codable, Sendable {
    struct Artwork: Codable, Sendable {
      var front: String?

      enum CodingKeys: String, CodingKey { case front = "front_default" }
    }

    var artwork: Artwork?

    enum CodingKeys: String, CodingKey { case artwork = "official-artwork" }
  }

  var front: String?
  var other: Other?

  enum CodingKeys: String, CodingKey {
    case front = "front_default"
    case other
  }

  /// The most detailed one that there is.
  var best: String? { other?.artwork?.front ?? front }
}

/// An address such as `https://pokeapi.co/api/v2/pokemon/25/`, of which only the number counts.
struct PokeAPILink: Codable, Sendable {
  var id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let url = try container.decode(String.self)
    guard let last = url.split(separator: "/").last, let id = Int(last) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the address \(url) does not end in a number")
    }
    self.id = id
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("pokemon/\(id)/")
  }
}
