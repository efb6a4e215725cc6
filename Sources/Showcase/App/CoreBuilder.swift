public import Offstage

/// Makes every screen of the app from what the world offers.
public enum CoreBuilder {
  /// The app.
  /// - Parameter dependencies: every key that `ShowcaseDependencies.swift` names.
  @CoreActor
  public static func app(_ dependencies: Dependencies) -> App {
    App(
      root: .tabs([Tab("pokedex", title: "Pokédex", icon: "circle.grid.3x3", Route(Pokedex.self))]),
      dependencies: dependencies, links: [pokemonLink], screens: [signUp, pokedex, pokemonDetail])
  }

  private static var pokemonLink: Link {
    Link("showcase://pokedex/:id", tab: "pokedex") { match in
      guard let id = Int(match["id"]) else { return nil }
      return [Route(PokemonDetail.self, .init(id: id))]
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
