import Offstage

/// The sign-up form: a name and an email address.
final class SignUp: Screen {
  static let kind = "signUp"

  enum Action: LoggableEvent {
    static let screen = "signUp"
    case didAppear, confirm, cancel
  }

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
    var tracker: (any EventTracker)?
  }

  struct Input: Ports {
    let nameText = Field<String?>(nil)
    let emailText = Field<String?>(nil)
    let confirm = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {
    let isConfirmEnabled = Out(false)
    /// The message beside the field `nameText`.
    let nameError = Out<String?>(nil)
    let failed = Event<Failure>()
  }

  typealias Result = Account

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  private let coordinator: any SignUpCoordinator
  /// The text that would not be lost: the initial one, or that of the last confirmation.
  private var saved: [String] = []
  /// The newest way to leave, taken once the person agrees.
  private var leave: () -> Void = {}

  init(dependency: Dependency) {
    coordinator = dependency.coordinator
    dependency.tracker?.trackEvent(Action.didAppear)
    dependency.tracker?.track(input.confirm, as: Action.confirm)
    dependency.tracker?.track(input.cancel, as: Action.cancel)
    input.nameText.reset(to: dependency.name)
    input.emailText.reset(to: dependency.email)
    // The article's rule to the letter: neither is nil or empty. No trimming, no format check.
    output.isConfirmEnabled.derive { [input] in
      input.nameText.value?.isEmpty == false && input.emailText.value?.isEmpty == false
    }
    input.confirm.observe { [self] in
      if output.isConfirmEnabled.value { confirm(dependency.accounts) }
    }
    input.nameText.observe { [self] _ in output.nameError.value = nil }
    output.nameError.observe { [self] in input.nameText.error = $0 }
    input.cancel.observe { [self] in
      if hasText { ask(then: coordinator.dismissScreen) } else { coordinator.dismissScreen() }
    }
    saved = text
  }

  private func confirm(_ accounts: any AccountRepository) {
    let email = input.emailText.value ?? ""
    let name: String
    do {
      name = try NameField.name(from: input.nameText.value ?? "")
    } catch {
      output.nameError.value = error.message(localizer.words)
      return
    }
    let text = text
    effects.run("confirm", .keepFirst) { [self] in
      let account = try await accounts.signUp(name: name, email: email)
      saved = text
      finish(account)
    } catch: { [self] error in
      output.failed.send(localizer.report(error, .signUp))
    }
  }

  // MARK: Leaving

  private var text: [String] {
    [input.nameText, input.emailText].map { $0.value ?? "" }
  }

  /// True if leaving would lose text without notice.
  private var hasText: Bool {
    // Leaving during the save cancels it.
    !effects.isRunning("confirm") && text != saved && text.contains { !$0.isEmpty }
  }

  /// Asks before discarding text, as `cancel` does.
  func mayLeave() -> Bool {
    if hasText { ask(then: coordinator.leaveScreen) }
    return !hasText
  }

  private func ask(then leave: @escaping () -> Void) {
    self.leave = leave
    effects.run("leave", .keepFirst) { [self] in
      if try await coordinator.confirmDiscard() { self.leave() }
    } catch: { _ in
      // Dismissed without an answer: the text stays.
    }
  }
}

/// The ways out of the form.
@CoreActor
protocol SignUpCoordinator {
  /// - Throws: `PromptError` if there is no answer.
  func confirmDiscard() async throws -> Bool
  func dismissScreen()
  /// Goes on to where the person was headed.
  func leaveScreen()
}
