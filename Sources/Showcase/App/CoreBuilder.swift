public import Offstage

/// Makes every screen of the app from what the world offers.
public enum CoreBuilder {
  /// The app.
  /// - Parameter dependencies: every key that `ShowcaseDependencies.swift` names.
  @CoreActor
  public static func app(_ dependencies: Dependencies) -> App {
    App(
      root: .tabs([
        Tab("explore", title: "Explore", icon: "eyes", Route(ExplorePresenter.self)),
        Tab("chats", title: "Chats", icon: "bubble.left", Route(ChatsPresenter.self)),
        Tab("pokedex", title: "Pokédex", icon: "circle.grid.3x3", Route(Pokedex.self)),
        Tab("profile", title: "Profile", icon: "person", Route(ProfilePresenter.self)),
      ]),
      dependencies: dependencies,
      links: [
        pokemonLink,
        chatLink,
      ],
      prompts: .notifications,
      screens: [
        signUp, pokedex, pokemonDetail,
        explore, categoryList, chats, chat, createAvatar, createAccount, profile, settings,
        devSettings, customModal,
      ])
  }

  private static var pokemonLink: Link {
    Link("showcase://pokedex/:id", tab: "pokedex") { match in
      guard let id = Int(match["id"]) else { return nil }
      return [Route(PokemonDetail.self, .init(id: id))]
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
}
