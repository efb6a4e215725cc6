internal import Offstage

/// Edits the name and picture of an account.
final class EditProfilePresenter: Screen {
  static let kind = "editProfile"

  enum Action: LoggableEvent {
    static let screen = "editProfile"
    case didAppear, save, cancel
  }

  typealias Argument = EditProfileDelegate

  struct Input: Ports {
    let nameText = Field("")
    let picturePicked = Field(AvatarCategory.travelers)
    let save = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {
    /// The name to save; that of the account while the text is not a name.
    let name = Out("")
    /// The message beside the field `nameText`.
    let nameError = Out<String?>(nil)
    let pictures = Out(AvatarCategory.allCases)
    let picture = Out(AvatarCategory.travelers)
    /// The image of the account, as a URL that opens without the network.
    let image = Out("", .picture)
    let isSaving = Out(false)
  }

  let input = Input()
  let output: Output
  let effects = Effects()

  private let account: Account
  private let localizer = Localizer()
  private let interactor: any EditProfileInteractor
  private let router: any EditProfileRouter

  init(
    delegate: EditProfileDelegate, interactor: any EditProfileInteractor,
    router: any EditProfileRouter
  ) {
    account = delegate.account
    self.interactor = interactor
    self.router = router
    input.nameText.reset(to: account.name)
    input.picturePicked.reset(to: account.picture)
    output = Self.bind(input, account, interactor)
    output.isSaving.bind(effects.activity("save"))
    input.nameText.observe { [self] _ in output.nameError.value = nil }
    output.nameError.observe { [self] in input.nameText.error = $0 }
    interactor.trackEvent(Action.didAppear)
    interactor.track(input.cancel, as: Action.cancel)
    input.save.observe { [self] in save() }
    input.cancel.observe { router.dismissScreen() }
  }

  /// The outputs as a function of the inputs. `SignUp` wires its own in `init` instead.
  private static func bind(
    _ input: Input, _ account: Account, _ interactor: any EditProfileInteractor
  ) -> Output {
    let output = Output()
    output.name.bind(input.nameText.map(orElse: account.name, NameField.name))
    output.picture.bind(input.picturePicked)
    output.image.bind(
      combineLatest(output.name, output.picture).map {
        interactor.portrait(name: $0, category: $1)
      })
    return output
  }

  private func save() {
    let name: String
    do { name = try NameField.name(from: input.nameText.value) } catch {
      output.nameError.value = error.message(localizer.words)
      return
    }
    interactor.trackEvent(Action.save)
    effects.run("save", .keepFirst) { [self] in
      try await interactor.updateAccount(account, name: name, picture: output.picture.value)
      router.dismissScreen()
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}

/// The argument of the form.
struct EditProfileDelegate: Codable, Hashable, Sendable {
  let account: Account
}

/// The data of the form.
@CoreActor
protocol EditProfileInteractor: EventTracker {
  func portrait(name: String, category: AvatarCategory) -> String
  func updateAccount(_ account: Account, name: String, picture: AvatarCategory) async throws
}

extension CoreInteractor: EditProfileInteractor {}

/// The ways out of the form.
@CoreActor
protocol EditProfileRouter {
  func dismissScreen()
  func showAlert(_ error: any Error)
}

extension CoreRouter: EditProfileRouter {}
