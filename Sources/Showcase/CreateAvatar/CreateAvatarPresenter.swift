internal import Offstage

/// Makes up somebody to talk to.
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
    /// What the avatar would look like, as a URL that opens without the network.
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

  /// Whether anything was typed that would be lost.
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

  /// What was typed is not lost by going back either: it is asked for first, as by `cancel`.
  func mayLeave() -> Bool {
    if hasText { cancel() }
    return !hasText
  }

  private func cancel() {
    guard hasText else { return router.dismissScreen() }
    effects.run("cancel", .keepFirst) { [self] in
      if try await router.confirmDiscard() { router.dismissScreen() }
    } catch: { _ in
      // Closed without an answer: the text stays.
    }
  }
}

extension String {
  /// Whether there is nothing to read in it.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
