import Offstage

/// Invites the person to create an account, and leads to the sign-up form.
final class CreateAccountPresenter: Screen {
  static let kind = "createAccount"

  typealias Argument = CreateAccountDelegate
  typealias Result = Account

  struct Input: Ports {
    let signUpTapped = In<Trigger>()
    let notNowTapped = In<Trigger>()
  }

  struct Output: Ports {
    let title = Out("")
    let subtitle = Out("")
    let isSigningIn = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any CreateAccountInteractor
  private let router: any CreateAccountRouter

  init(
    delegate: CreateAccountDelegate, interactor: any CreateAccountInteractor,
    router: any CreateAccountRouter
  ) {
    self.interactor = interactor
    self.router = router
    output.title.value = delegate.title
    output.subtitle.value = delegate.subtitle
    output.isSigningIn.bind(effects.activity("signIn"))
    input.signUpTapped.observe { [self] in
      interactor.trackEvent(.init("createAccount.signUpTapped"))
      router.showSignUp { [self] in signIn($0) }
    }
    input.notNowTapped.observe { router.dismissScreen() }
  }

  private func signIn(_ account: Account) {
    effects.run("signIn", .keepFirst) { [self] in
      try await interactor.signIn(account)
      finish(account)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}

/// The texts of the invitation.
struct CreateAccountDelegate: Codable, Hashable, Sendable {
  let title: String
  let subtitle: String

  init(
    title: String = "Create account?",
    subtitle: String = "Your avatars and chats are kept under your name."
  ) {
    self.title = title
    self.subtitle = subtitle
  }

  /// A missing member has its default.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let texts = Self()
    title = try container.decodeIfPresent(String.self, forKey: .title) ?? texts.title
    subtitle = try container.decodeIfPresent(String.self, forKey: .subtitle) ?? texts.subtitle
  }
}

/// The data of the invitation.
@CoreActor
protocol CreateAccountInteractor {
  func signIn(_ account: Account) async throws
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: CreateAccountInteractor {}

/// The ways out of the invitation.
@CoreActor
protocol CreateAccountRouter {
  /// - Parameter onSignedUp: called once with the account, or never if the form was closed.
  func showSignUp(onSignedUp: @escaping @CoreActor (Account) -> Void)
  func dismissScreen()
  func showAlert(_ error: any Error)
}

extension CoreRouter: CreateAccountRouter {}
