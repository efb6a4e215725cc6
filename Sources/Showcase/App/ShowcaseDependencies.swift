public import Offstage

extension Dependencies.Key<any AccountRepository> {
  public static let accounts = Self("accounts")
}

extension Dependencies.Key<any PokemonRepository> {
  public static let pokemon = Self("pokemon")
}

extension Dependencies.Key<any ImageRepository> {
  public static let images = Self("images")
}

extension Dependencies.Key<any LibraryRepository> {
  public static let library = Self("library")
}
