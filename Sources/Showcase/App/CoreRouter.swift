internal import Offstage

/// Every way from one screen to another, in one place: only it knows what is pushed and what is
/// presented. Screens see no more of it than the protocols that they state.
@CoreActor
final class CoreRouter {
  let router = Router()
  private let prompts = Prompts()
  private let effects = Effects()
  /// The kinds that were shown from here and have not ended.
  private var shown: Set<String> = []

  // MARK: Pushed

  /// The search is moved to the top where it is below already, as it is. The stack is swapped without
  /// the platform's own animation; what moves is this.
  func showSearch(into outcome: In<Outcome<Place>>) {
    let transition = Transition(.fade, .fromRight, duration: 0.2, curve: .easeInEaseOut)
    router.pushUnique(PlaceSearch.self, Empty(), transition: transition).deliver(to: outcome)
  }

  func showPlace(id: Int) { router.push(PlaceDetail.self, .init(id: id)) }

  func showTitle(_ selection: Selection) {
    router.push(TitleDetail.self, .init(key: selection.key))
  }

  func showPokemon(id: Int) { router.push(PokemonDetail.self, .init(id: id)) }

  func showCategoryList(_ delegate: CategoryListDelegate) {
    showOnce(CategoryListPresenter.self) {
      router.push(CategoryListPresenter.self, delegate)
    }
  }

  func showChat(_ delegate: ChatDelegate) {
    showOnce(ChatPresenter.self) { router.push(ChatPresenter.self, delegate) }
  }

  // MARK: Sheets and covers

  func showCreateAccount(
    _ delegate: CreateAccountDelegate, onDisappear: @escaping @CoreActor () -> Void
  ) {
    showOnce(CreateAccountPresenter.self) {
      router.present(CreateAccountPresenter.self, delegate, as: .sheet([.medium]))
    } onEnd: { _ in
      onDisappear()
    }
  }

  func showSignUp(onSignedUp: @escaping @CoreActor (Account) -> Void) {
    showOnce(SignUp.self) {
      router.present(SignUp.self, .init(), as: .sheet)
    } onEnd: { outcome in
      if case .finished(let account) = outcome { onSignedUp(account) }
    }
  }

  func showCreateAvatar(onDisappear: @escaping @CoreActor () -> Void) {
    showOnce(CreateAvatarPresenter.self) {
      router.present(CreateAvatarPresenter.self, Empty(), as: .fullScreenCover)
    } onEnd: { _ in
      onDisappear()
    }
  }

  func showSettings(onDisappear: @escaping @CoreActor () -> Void) {
    showOnce(SettingsPresenter.self) {
      router.present(SettingsPresenter.self, Empty(), as: .sheet)
    } onEnd: { _ in
      onDisappear()
    }
  }

  func showDevSettings(onDisappear: @escaping @CoreActor () -> Void) {
    showOnce(DevSettingsPresenter.self) {
      router.present(DevSettingsPresenter.self, Empty(), as: .sheet([.medium, .large]))
    } onEnd: { _ in
      onDisappear()
    }
  }

  // MARK: Modals

  func showPushPermissionModal(
    onEnablePressed: @escaping @CoreActor () -> Void,
    onCancelPressed: @escaping @CoreActor () -> Void
  ) {
    let delegate = CustomModalDelegate(
      title: "Enable push notifications?", subtitle: "We'll send you reminders and updates!",
      primaryButton: "Enable", secondaryButton: "Cancel")
    showOnce(CustomModalPresenter.self) {
      router.showModal(
        CustomModalPresenter.self, delegate, background: .init(color: "#000000", opacity: 0.6),
        transition: Transition(.moveIn, .fromBottom))
    } onEnd: { outcome in
      switch outcome {
      case .finished(.primary): onEnablePressed()
      case .finished(.secondary): onCancelPressed()
      case .dismissed: break
      }
    }
  }

  // MARK: Dialogs

  func showAlert(_ error: any Error) {
    let message = (error as? LoadFailure)?.message ?? "\(error)"
    // One after the other: several things can go wrong at once.
    effects.run("alert", .queue) { [prompts] in
      _ = try await prompts.ask(.alert(Dialog("Error", message)))
    } catch: { _ in
      // Closed without a button, which says the same.
    }
  }

  func confirmSignOut() async throws -> Bool {
    try await confirm("Sign out?", "Your chats stay on this device.", "Sign out")
  }

  func confirmDiscard() async throws -> Bool {
    try await confirm("Discard this avatar?", "What you typed is not saved.", "Discard")
  }

  // MARK: Away

  func dismissScreen() { router.close() }

  func closeSignUp() { router.close() }

  // MARK: Helpers

  /// Shows a screen unless one of its kind, shown from here, is still there: a second tap on the
  /// way changes nothing.
  /// - Parameter onEnd: called once, however the screen went away.
  private func showOnce<S: Screen>(
    _ screen: S.Type, _ show: () -> PresentedScreen<S.Result>,
    onEnd: @escaping @CoreActor (Outcome<S.Result>) -> Void = { _ in }
  ) {
    guard shown.insert(S.kind).inserted else { return }
    show().onEnd { [self] outcome in
      shown.remove(S.kind)
      onEnd(outcome)
    }
  }

  private func confirm(_ title: String, _ message: String, _ action: String) async throws -> Bool {
    let buttons = [
      Dialog.Button("confirm", action, role: .destructive),
      Dialog.Button("cancel", "Cancel", role: .cancel),
    ]
    let dialog = Dialog(title, message, buttons: buttons)
    return try await prompts.ask(.confirmationDialog(dialog)).button == "confirm"
  }
}

extension CoreRouter: MapCoordinator {}
extension CoreRouter: PokedexCoordinator {}
extension CoreRouter: LibraryCoordinator {}
extension CoreRouter: SignUpCoordinator {}
