import Offstage

/// Creates an avatar.
final class CreateAvatarPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "createAvatar"
    case created
    case save(category: AvatarCategory)
    case cancel
  }

  typealias Result = Avatar

  struct Input: Ports {
    let nameText = Field("", .nameRequired, .nameLength)
    let descriptionText = Field("")
    let categoryPicked = Field(AvatarCategory.cooks)
    let save = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {
    let categories = Out(AvatarCategory.allCases)
    /// The avatar's image, as a URL that opens without the network.
    let portrait = Out("", .picture)
    let isSaveEnabled = Out(false)
    let isSaving = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any CreateAvatarInteractor
  private let router: any CreateAvatarRouter
  private let form: Form

  init(interactor: any CreateAvatarInteractor, router: any CreateAvatarRouter) {
    self.interactor = interactor
    self.router = router
    form = Form(input, effects)
    output.isSaving.derive { [form] in form.isSubmitting }
    output.portrait.derive { [input] in
      Portrait(input.nameText.value, input.categoryPicked.value).uri
    }
    output.isSaveEnabled.derive { [input, output] in
      !input.nameText.value.isBlank && !output.isSaving.value
    }
    // A draft belongs to the account that was shown when it was typed.
    interactor.accountSwitches.observe { [input] (_: Trigger) in
      input.nameText.value = ""
      input.descriptionText.value = ""
    }
    interactor.trackEvent(Action.created)
    interactor.track(input.cancel, as: Action.cancel)
    input.save.observe { [self] in save() }
    input.cancel.observe { router.dismissScreen() }
  }

  func mayLeave() -> Bool {
    let hasContent = ![input.nameText.value, input.descriptionText.value].allSatisfy(\.isBlank)
    return form.mayLeave(losing: hasContent, router)
  }

  private func save() {
    guard !output.isSaving.value, input.nameText.validate(),
      let name = NameField.name(from: input.nameText.value)
    else { return }
    let description = input.descriptionText.value
    let category = input.categoryPicked.value
    let owner = interactor.owner
    interactor.trackEvent(Action.save(category: category))
    form.submit(outlivesScreen: true) { [self] in
      let avatar = try await interactor.createAvatar(
        name: name, category: category, description: description, as: owner)
      finish(avatar)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}

protocol CreateAvatarInteractor: EventTracker {
  var owner: Owner { get }
  var accountSwitches: Signal<Trigger> { get }
  func createAvatar(
    name: String, category: AvatarCategory, description: String, as owner: Owner
  ) async throws -> Avatar
}

protocol CreateAvatarRouter: FormRouter, AlertRouter {}
