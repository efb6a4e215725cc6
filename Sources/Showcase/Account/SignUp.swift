import Offstage

/// The sign-up form: a name and an email address.
final class SignUp: ViewModel {
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
    let session: any SignUpSession
    let coordinator: any FormRouter
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let nameText = Field<String?>(nil, .nameRequired, .nameLength)
    let emailText = Field<String?>(nil, .emailRequired, .email)
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
  private let form: Form

  init(dependency: Dependency) {
    self.dependency = dependency
    form = Form(input, effects)
    dependency.tracker.trackEvent(Action.created)
    dependency.tracker.track(input.confirm, as: Action.confirm)
    dependency.tracker.track(input.cancel, as: Action.cancel)
    input.nameText.reset(to: dependency.initial.name)
    input.emailText.reset(to: dependency.initial.email)
    output.isConfirmEnabled.derive { [input] in
      input.nameText.value?.isEmpty == false && input.emailText.value?.isEmpty == false
    }
    input.confirm.observe { [self] in
      if output.isConfirmEnabled.value { confirm() }
    }
    input.cancel.observe { dependency.coordinator.dismissScreen() }
  }

  private func confirm() {
    // Both say what is wrong with them.
    let isValid = [input.nameText.validate(), input.emailText.validate()] == [true, true]
    guard isValid, let name = NameField.name(from: input.nameText.value ?? "") else { return }
    let email = input.emailText.value ?? ""
    let (accounts, session) = (dependency.accounts, dependency.session)
    let owner = session.owner
    form.submit(outlivesScreen: true) { [self] in
      let account = try await session.write {
        try await accounts.signUp(name: name, email: email, as: owner)
      }
      finish(account)
      session.show(account)
    } catch: { [self] error in
      output.failed.send(localizer.report(error, .signUp))
    }
  }

  func mayLeave() -> Bool {
    let hasContent = [input.nameText, input.emailText].contains { $0.value?.isEmpty == false }
    return form.mayLeave(losing: hasContent, dependency.coordinator)
  }
}

extension Rule where Value == String? {
  fileprivate static var emailRequired: Self {
    .check { $0?.isEmpty == false ? nil : .words { $0.emailIsMissing } }
  }

  /// Text around an `@`. An account has its address without blanks around it.
  fileprivate static var email: Self {
    .matches("^\\s*[^@\\s]+@[^@\\s]+\\s*$", .words { $0.emailIsMissing })
  }
}

/// The part of ``Session`` that the form needs.
@CoreActor
protocol SignUpSession {
  var owner: Owner { get }
  func write<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value
  func show(_ account: Account?)
}

extension Session: SignUpSession {}
