import Offstage

/// The sign-up form: a name and an email address.
final class SignUp: Screen {
  static let kind = "signUp"

  /// The initial text of the fields.
  struct Argument: Codable, Sendable {
    var name: String?
    var email: String?
  }

  struct Dependency {
    var name: String?
    var email: String?
    let accounts: any AccountRepository
    let coordinator: any SignUpCoordinator
  }

  struct Input: Ports {
    let nameText = In<String?>(nil)
    let emailText = In<String?>(nil)
    let confirm = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {
    let isConfirmEnabled = Out(false)
    let failed = Event<LoadFailure>()
  }

  typealias Result = Account

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(dependency: Dependency) {
    input.nameText.send(dependency.name)
    input.emailText.send(dependency.email)
    output.isConfirmEnabled.bind(
      combineLatest(input.nameText, input.emailText).map(Self.isComplete))
    input.confirm.observe { [self] in
      if output.isConfirmEnabled.value { confirm(dependency.accounts) }
    }
    input.cancel.observe { dependency.coordinator.closeSignUp() }
  }

  /// The article's rule to the letter: neither is nil or empty. No trimming, no format check.
  private static func isComplete(name: String?, email: String?) -> Bool {
    name?.isEmpty == false && email?.isEmpty == false
  }

  private func confirm(_ accounts: any AccountRepository) {
    let name = input.nameText.value.flatMap(\.self) ?? ""
    let email = input.emailText.value.flatMap(\.self) ?? ""
    effects.run("confirm", .keepFirst) { [self] in
      finish(try await accounts.create(name: name, email: email))
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }
}

/// The ways out of the form.
@CoreActor
protocol SignUpCoordinator {
  func closeSignUp()
}
