import Offstage

/// Edits the name and picture of an account.
final class EditProfilePresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "editProfile"
    case created, save, cancel
  }

  typealias Argument = EditProfileDelegate

  struct Input: Ports {
    let nameText = Field("", .nameRequired, .nameLength)
    let picturePicked = Field(AvatarCategory.travelers)
    let save = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {
    /// The name to save: the account's name while the text is not a valid name.
    let name = Out("", .title)
    let pictures = Out(AvatarCategory.allCases)
    let picture = Out(AvatarCategory.travelers)
    /// The account's image, as a URL that opens without the network.
    let image = Out("", .picture(.avatar))
    let isSaving = Out(false)
  }

  let input = Input()
  let output: Output
  let effects = Effects()

  private let account: Account
  private let interactor: any EditProfileInteractor
  private let router: any EditProfileRouter
  private let form: Form

  init(
    delegate: EditProfileDelegate, interactor: any EditProfileInteractor,
    router: any EditProfileRouter
  ) {
    account = delegate.account
    self.interactor = interactor
    self.router = router
    form = Form(input, effects)
    output = Self.bind(input, account)
    output.isSaving.derive { [form] in form.isSubmitting }
    reset()
    // The form belongs to the account that was shown.
    interactor.accountSwitches.observe { [self] (_: Trigger) in
      reset()
      // The user sees first that a save has failed because of it.
      router.afterAlerts { [self] in finish() }
    }
    interactor.trackEvent(Action.created)
    interactor.track(input.cancel, as: Action.cancel)
    input.save.observe { [self] in save() }
    input.cancel.observe { router.dismissScreen() }
  }

  private func reset() {
    input.nameText.reset(to: account.name)
    input.picturePicked.reset(to: account.picture)
  }

  /// Returns outputs that are bound to the inputs. `SignUp` binds its outputs in `init` instead.
  private static func bind(_ input: Input, _ account: Account) -> Output {
    let output = Output()
    output.name.bind(input.nameText.map { NameField.name(from: $0) ?? account.name })
    output.picture.bind(input.picturePicked)
    output.image.bind(combineLatest(output.name, output.picture).map { Portrait($0, $1).uri })
    return output
  }

  func mayLeave() -> Bool { form.mayLeave(router) }

  private func save() {
    guard input.nameText.validate() else { return }
    let (name, picture) = (output.name.value, output.picture.value)
    interactor.trackEvent(Action.save)
    form.submit(outlivesScreen: true) { [self] in
      try await interactor.updateAccount(account, name: name, picture: picture)
      finish()
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}

struct EditProfileDelegate: Identifiable, Codable, Hashable, Sendable {
  let account: Account

  var id: Int { account.id }
}

protocol EditProfileInteractor: EventTracker {
  var accountSwitches: Signal<Trigger> { get }
  func updateAccount(_ account: Account, name: String, picture: AvatarCategory) async throws
}

protocol EditProfileRouter: FormRouter, AlertRouter {
  /// Calls `action` once the user has closed the alerts of the screen.
  func afterAlerts(_ action: @escaping () -> Void)
}
