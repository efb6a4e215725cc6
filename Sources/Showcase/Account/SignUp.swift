import Offstage

/// The sign-up form: a name and an email address.
final class SignUp: FormScreen {
  static let kind = "signUp"

  enum Action: LoggableEvent {
    static let screen = "signUp"
    case created, confirm, cancel
  }

  /// The initial text of the fields.
  struct Argument: Codable, Sendable {
    var name: String?
    var email: String?
  }

  struct Dependency {
    var initial = Argument()
    let accounts: any AccountRepository
    /// Called when the account is saved, even if the form has closed.
    let signedIn: @CoreActor (Account) -> Void
    let coordinator: any FormRouter
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let nameText = Field<String?>(nil, .nameRequired, .nameLength)
    let emailText = Field<String?>(nil)
    let confirm = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {
    let isConfirmEnabled = Out(false)
    let failed = Event<Failure>()
  }

  typealias Result = Account

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let localizer = Localizer()
  let form: Form
  var formRouter: any FormRouter { dependency.coordinator }

  init(dependency: Dependency) {
    self.dependency = dependency
    form = Form(input, effects)
    dependency.tracker.trackEvent(Action.created)
    dependency.tracker.track(input.confirm, as: Action.confirm)
    dependency.tracker.track(input.cancel, as: Action.cancel)
    input.nameText.reset(to: dependency.initial.name)
    input.emailText.reset(to: dependency.initial.email)
    // Only checks for text, without trimming it or validating its format.
    output.isConfirmEnabled.derive { [input] in
      input.nameText.value?.isEmpty == false && input.emailText.value?.isEmpty == false
    }
    input.confirm.observe { [self] in
      if output.isConfirmEnabled.value { confirm() }
    }
    input.cancel.observe { dependency.coordinator.dismissScreen() }
  }

  private func confirm() {
    guard input.nameText.validate(),
      let name = try? NameField.name(from: input.nameText.value ?? "")
    else { return }
    let email = input.emailText.value ?? ""
    form.submit(outlivesScreen: true) { [self] in
      let account = try await dependency.accounts.signUp(name: name, email: email)
      finish(account)
      dependency.signedIn(account)
    } catch: { [self] error in
      output.failed.send(localizer.report(error, .signUp))
    }
  }

  var hasContent: Bool {
    [input.nameText, input.emailText].contains { $0.value?.isEmpty == false }
  }
}
