public import Offstage

/// Makes every screen of the app from what the world offers.
public enum CoreBuilder {
  /// The app.
  /// - Parameter dependencies: every key that `ShowcaseDependencies.swift` names.
  /// - Throws: `CardMatrixError` where a card could come out blank.
  @CoreActor
  public static func app(_ dependencies: Dependencies) throws -> App {
    App(
      root: .tabs([
        Tab("map", title: "Map", icon: "map", Route(Map.self)),
        Tab("explore", title: "Explore", icon: "eyes", Route(ExplorePresenter.self)),
        Tab("chats", title: "Chats", icon: "bubble.left", Route(ChatsPresenter.self)),
        Tab("pokedex", title: "Pokédex", icon: "circle.grid.3x3", Route(Pokedex.self)),
        Tab("library", title: "Library", icon: "books.vertical", Route(Library.self)),
        Tab("profile", title: "Profile", icon: "person", Route(ProfilePresenter.self)),
      ]),
      dependencies: dependencies,
      links: [placeLink, chatLink, pokemonLink, titleLink],
      prompts: [.currentLocation] + .notifications,
      screens: [
        map, placeSearch, placeDetail,
        explore, categoryList, chats, chat, createAvatar,
        pokedex, pokemonDetail,
        library(try CardMatrix.library()), titleDetail,
        profile, createAccount, signUp, settings, devSettings, customModal,
        gallery,
      ])
  }

  private static var placeLink: Link {
    Link("showcase://map/place/:id", tab: "map") { match in
      guard let id = Int(match["id"]) else { return nil }
      return [Route(PlaceDetail.self, .init(id: id))]
    }
  }

  private static var pokemonLink: Link {
    Link("showcase://pokedex/:id", tab: "pokedex") { match in
      guard let id = Int(match["id"]) else { return nil }
      return [Route(PokemonDetail.self, .init(id: id))]
    }
  }

  private static var titleLink: Link {
    Link("showcase://library/:key", tab: "library") { match in
      [Route(TitleDetail.self, .init(key: match["key"]))]
    }
  }

  @CoreActor
  private static var map: ScreenFactory {
    ScreenFactory(Map.self) { dependencies in
      Map(
        dependency: .init(
          repository: try dependencies[.places], coordinator: CoreRouter()))
    }
  }

  @CoreActor
  private static var placeSearch: ScreenFactory {
    ScreenFactory(PlaceSearch.self) { dependencies in
      PlaceSearch(dependency: .init(repository: try dependencies[.places]))
    }
  }

  @CoreActor
  private static var placeDetail: ScreenFactory {
    ScreenFactory(PlaceDetail.self) { argument, dependencies in
      PlaceDetail(
        dependency: .init(id: argument.id, repository: try dependencies[.places]))
    }
  }

  /// A chat has the id of its avatar.
  private static var chatLink: Link {
    Link("showcase://chats/:id", tab: "chats") { match in
      [Route(ChatPresenter.self, ChatDelegate(avatarId: match["id"], chatId: match["id"]))]
    }
  }

  @CoreActor
  private static var signUp: ScreenFactory {
    ScreenFactory(SignUp.self) { argument, dependencies in
      SignUp(
        dependency: .init(
          name: argument.name, email: argument.email, accounts: try dependencies[.accounts],
          coordinator: CoreRouter()))
    }
  }

  @CoreActor
  private static var gallery: ScreenFactory {
    ScreenFactory(Gallery.self) { argument, _ in
      Gallery(label: argument.label ?? "lobby", router: CoreRouter())
    }
  }

  @CoreActor
  private static var pokedex: ScreenFactory {
    ScreenFactory(Pokedex.self) { dependencies in
      Pokedex(
        dependency: .init(
          repository: try dependencies[.pokemon], images: try dependencies[.images],
          coordinator: CoreRouter()))
    }
  }

  @CoreActor
  private static var pokemonDetail: ScreenFactory {
    ScreenFactory(PokemonDetail.self) { argument, dependencies in
      PokemonDetail(
        dependency: .init(
          id: argument.id, repository: try dependencies[.pokemon],
          images: try dependencies[.images]))
    }
  }

  @CoreActor
  private static func library(_ matrix: CardMatrix) -> ScreenFactory {
    ScreenFactory(Library.self) { dependencies in
      Library(
        dependency: .init(
          repository: try dependencies[.library], matrix: matrix, coordinator: CoreRouter()))
    }
  }

  @CoreActor
  private static var titleDetail: ScreenFactory {
    ScreenFactory(TitleDetail.self) { argument, dependencies in
      TitleDetail(
        dependency: .init(key: argument.key, repository: try dependencies[.library]))
    }
  }
}
