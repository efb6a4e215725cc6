import Offstage

/// Invites the person to create an account, and leads to the sign-up form.
final class CreateAccountPresenter: Screen {
  static let kind = "createAccount"

  enum Action: LoggableEvent {
    static let screen = "createAccount"
    case didAppear, signUpTapped, notNowTapped
  }

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

  private let localizer = Localizer()
  private let interactor: any CreateAccountInteractor
  private let router: any CreateAccountRouter

  init(
    delegate: CreateAccountDelegate, interactor: any CreateAccountInteractor,
    router: any CreateAccountRouter
  ) {
    self.interactor = interactor
    self.router = router
    output.title.derive { [localizer] in
      delegate.title ?? localizer.words.createAccount.title
    }
    output.subtitle.derive { [localizer] in
      delegate.subtitle ?? localizer.words.createAccount.subtitle
    }
    output.isSigningIn.bind(effects.activity("signIn"))
    interactor.trackEvent(Action.didAppear)
    interactor.track(input.notNowTapped, as: Action.notNowTapped)
    input.signUpTapped.observe { [self] in
      interactor.trackEvent(Action.signUpTapped)
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

/// The texts of the invitation; nil for the usual ones.
struct CreateAccountDelegate: Codable, Hashable, Sendable {
  var title: String?
  var subtitle: String?
}

/// The data of the invitation.
@CoreActor
protocol CreateAccountInteractor: EventTracker {
  func signIn(_ account: Account) async throws
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
