import Offstage

/// Navigates between the screens of the app.
///
/// Only this router knows which screens are pushed and which are presented. Each screen sees only
/// the methods of the protocol that it declares.
@CoreActor
final class CoreRouter {
  private let router = Router()
  private let effects = Effects()
  private let localizer = Localizer()
  /// Queued: several loads can fail at once.
  private lazy var alerts = effects.task(.queue)
  /// The alerts that the user has not closed, to show them again after a restart.
  private let openAlerts = Kept<[Dialog]>([], name: "alerts")
  private lazy var sharing = effects.task(.keepFirst)

  init() {
    for alert in openAlerts.value { show(alert) }
  }

  var isVisible: Bool { router.isVisible }

  func showExplore() { router.selectTab("explore") }

  // MARK: Pushed

  /// Pushes the search, or moves the open search to the top and keeps its query. Front ends play
  /// this transition instead of their own animation.
  func showSearch(from center: Coordinate, into result: In<PlaceSearchResult?>) {
    let transition = Transition(.fade, .fromRight, duration: 0.2, curve: .easeInEaseOut)
    router.pushUnique(PlaceSearch.self, .init(center: center), transition: transition)
      .deliver(to: result)
  }

  func showAllPlaces() { router.push(AllPlaces.self) }
  func showPlace(id: Int) { router.push(PlaceDetail.self, .init(id: id)) }
  func showTitle(_ selection: Selection) {
    router.push(TitleDetail.self, .init(key: selection.key))
  }
  func showPokemon(id: Int) { router.push(PokemonDetail.self, .init(id: id)) }
  func showChat(_ delegate: ChatDelegate) { router.push(ChatPresenter.self, delegate) }

  func showCategoryList(_ delegate: CategoryListDelegate) {
    router.push(CategoryListPresenter.self, delegate)
  }

  // MARK: Sheets and covers

  func showCreateAccount() {
    router.present(CreateAccountPresenter.self, .init(), as: .sheet([.medium]))
  }

  func showCreateAccount(into result: In<Account?>) {
    router.present(CreateAccountPresenter.self, .init(), as: .sheet([.medium]))
      .deliver(to: result)
  }

  func showSignUp() { router.present(SignUp.self, .init(), as: .sheet) }

  func showCreateAvatar(into result: In<Avatar?>) {
    router.present(CreateAvatarPresenter.self, as: .fullScreenCover).deliver(to: result)
  }

  func showEditProfile(_ delegate: EditProfileDelegate) {
    router.present(EditProfilePresenter.self, delegate, as: .sheet)
  }

  func showSettings() { router.present(SettingsPresenter.self) }

  func showDevSettings(into result: In<Empty?>) {
    router.present(DevSettingsPresenter.self, as: .sheet([.medium, .large])).deliver(to: result)
  }

  // MARK: Modals

  func showPushPermissionModal(into result: In<CustomModalResult?>) {
    let words = localizer.words
    let delegate = CustomModalDelegate(
      title: words.enablePush.title, subtitle: words.enablePush.message,
      primaryButton: words.enablePush.action, secondaryButton: words.cancel)
    router.present(
      CustomModalPresenter.self, delegate, as: .modal(color: "#000000", opacity: 0.6),
      transition: Transition(.moveIn, .fromBottom)
    ).deliver(to: result)
  }

  // MARK: Dialogs

  func showAlert(_ error: any Error) {
    let message = localizer.message(error)
    let words = localizer.words
    let alert = Dialog(words.error, message, buttons: [.init("ok", words.ok)])
    openAlerts.value.append(alert)
    show(alert)
  }

  func afterAlerts(_ action: @escaping () -> Void) { alerts.run { action() } }

  private func show(_ alert: Dialog) {
    alerts.run { [effects, openAlerts] in
      defer { openAlerts.value.removeFirst() }
      _ = try await effects.ask(.alert(alert))
    } catch: { _ in
      // Dismissing an alert is the same as pressing OK.
    }
  }

  func share(_ text: String) {
    sharing.run { [effects] in
      _ = try await effects.ask(.share(text))
    } catch: { [self] error in
      if error as? PromptError != .dismissed { showAlert(error) }
    }
  }

  func confirmDiscard() async throws -> Bool { try await confirm(localizer.words.discard) }

  /// - Throws: `PromptError` if the device cannot ask.
  func confirm(_ question: Question) async throws -> Bool {
    let buttons = [
      Dialog.Button("confirm", question.action, role: .destructive),
      Dialog.Button("cancel", localizer.words.cancel, role: .cancel),
    ]
    let dialog = Dialog(question.title, question.message, buttons: buttons)
    do {
      return try await effects.ask(.confirmationDialog(dialog)).button == "confirm"
    } catch PromptError.dismissed { return false }
  }

  // MARK: Closing

  /// Closes the screen, unless it is the root of a stack. A form with content asks first.
  func dismissScreen() {
    if router.canClose { router.close() }
  }

  /// Continues the navigation for which `mayLeave` returned false.
  func leaveScreen() { router.leave() }

  /// Forgets the link that waits, on behalf of the app's scope.
  func declineLink() { router.stay() }
}

/// The protocols that the screens declare.
extension CoreRouter:
  CreateAccountRouter, DevSettingsRouter, EditProfileRouter, ProfileRouter, SettingsRouter,
  ChatRouter, ChatsRouter, CategoryListRouter, CreateAvatarRouter, ExploreRouter,
  MapCoordinator, AllPlacesCoordinator, PokedexCoordinator, LibraryCoordinator, AppScopeRouter
{}
