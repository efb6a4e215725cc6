import Offstage

/// Creates an avatar.
final class CreateAvatarPresenter: Screen {
  static let kind = "createAvatar"

  typealias Result = Avatar

  struct Input: Ports {
    let nameText = In<String>("")
    let descriptionText = In<String>("")
    let categoryPicked = In<AvatarCategory>(.cooks)
    let save = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {
    let categories = Out(AvatarCategory.allCases)
    let category = Out(AvatarCategory.cooks)
    /// The image of the avatar, as a URL that opens without the network.
    let portrait = Out("")
    let isSaveEnabled = Out(false)
    let isSaving = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any CreateAvatarInteractor
  private let router: any CreateAvatarRouter

  init(interactor: any CreateAvatarInteractor, router: any CreateAvatarRouter) {
    self.interactor = interactor
    self.router = router
    output.isSaving.bind(effects.activity("save"))
    output.category.bind(input.categoryPicked)
    output.portrait.bind(
      combineLatest(input.nameText, input.categoryPicked).map { name, category in
        interactor.portrait(name: name, category: category)
      })
    output.isSaveEnabled.bind(
      combineLatest(input.nameText, output.isSaving).map { name, isSaving in
        !name.isBlank && !isSaving
      })
    input.save.observe { [self] in save() }
    input.cancel.observe { [self] in cancel() }
  }

  /// True if leaving would lose text.
  private var hasText: Bool {
    !(input.nameText.value ?? "").isBlank || !(input.descriptionText.value ?? "").isBlank
  }

  private func save() {
    guard output.isSaveEnabled.value, let name = input.nameText.value else { return }
    let description = input.descriptionText.value ?? ""
    let category = output.category.value
    interactor.trackEvent(.init("createAvatar.save", ["category": category.rawValue]))
    effects.run("save", .keepFirst) { [self] in
      finish(
        try await interactor.createAvatar(
          name: name, category: category, description: description))
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  /// Asks before discarding text, as `cancel` does.
  func mayLeave() -> Bool {
    if hasText { cancel() }
    return !hasText
  }

  private func cancel() {
    guard hasText else { return router.dismissScreen() }
    effects.run("cancel", .keepFirst) { [self] in
      if try await router.confirmDiscard() { router.dismissScreen() }
    } catch: { _ in
      // Dismissed without an answer: the text stays.
    }
  }
}

extension String {
  /// True if the string is empty or white space only.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// The data of the form.
@CoreActor
protocol CreateAvatarInteractor {
  func portrait(name: String, category: AvatarCategory) -> String
  func createAvatar(
    name: String, category: AvatarCategory, description: String
  ) async throws -> Avatar
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: CreateAvatarInteractor {}

/// The ways out of the form.
@CoreActor
protocol CreateAvatarRouter {
  /// Asks for confirmation.
  /// - Throws: `PromptError` if there is no answer.
  func confirmDiscard() async throws -> Bool
  func dismissScreen()
  func showAlert(_ error: any Error)
}

extension CoreRouter: CreateAvatarRouter {}
