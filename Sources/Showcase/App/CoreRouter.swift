internal import Offstage

/// Every way from one screen to another, in one place: only it knows what is pushed and what is
/// presented. Screens see no more of it than the protocols that they state.
@CoreActor
final class CoreRouter {
  let router = Router()

  func showPokemon(id: Int) { router.push(PokemonDetail.self, .init(id: id)) }

  func showTitle(_ selection: Selection) {
    router.push(TitleDetail.self, .init(key: selection.key))
  }

  func closeSignUp() { router.close() }
}

extension CoreRouter: PokedexCoordinator {}
extension CoreRouter: LibraryCoordinator {}
extension CoreRouter: SignUpCoordinator {}
