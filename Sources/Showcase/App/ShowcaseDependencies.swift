public import Offstage

extension Dependencies.Key<any AccountRepository> {
  public static let accounts = Self("accounts")
}

extension Dependencies.Key<any PlaceRepository> {
  public static let places = Self("places")
}

/// One world of places behind the three screens that each see a part of it.
public typealias PlaceRepository = MapRepository & PlaceSearchRepository & PlaceDetailRepository

extension Dependencies.Key<any PokemonRepository> {
  public static let pokemon = Self("pokemon")
}

extension Dependencies.Key<any ImageRepository> {
  public static let images = Self("images")
}

extension Dependencies.Key<any LibraryRepository> {
  public static let library = Self("library")
}
