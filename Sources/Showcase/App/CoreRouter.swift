internal import Offstage

/// Every way from one screen to another, in one place: only it knows what is pushed and what is
/// presented. Screens see no more of it than the protocols that they state.
@CoreActor
final class CoreRouter {
  let router = Router()

  /// The search is moved to the top where it is below already, as it is. The stack is swapped without
  /// the platform's own animation; what moves is this.
  func showSearch(into outcome: In<Outcome<Place>>) {
    let transition = Transition(.fade, .fromRight, duration: 0.2, curve: .easeInEaseOut)
    router.pushUnique(PlaceSearch.self, None(), transition: transition).deliver(to: outcome)
  }

  func showPlace(id: Int) { router.push(PlaceDetail.self, .init(id: id)) }

  func showPokemon(id: Int) { router.push(PokemonDetail.self, .init(id: id)) }

  func showTitle(_ selection: Selection) {
    router.push(TitleDetail.self, .init(key: selection.key))
  }

  func closeSignUp() { router.close() }
}

extension CoreRouter: MapCoordinator {}
extension CoreRouter: PokedexCoordinator {}
extension CoreRouter: LibraryCoordinator {}
extension CoreRouter: SignUpCoordinator {}
