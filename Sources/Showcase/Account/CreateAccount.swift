import Offstage

/// Invites the user to create an account and leads to the sign-up form.
final class CreateAccountPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "createAccount"
    case created, signUpTapped, notNowTapped
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
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()

  init(
    _ delegate: CreateAccountDelegate, interactor: any CreateAccountInteractor,
    router: any CreateAccountRouter
  ) {
    output.title.derive { [localizer] in
      delegate.title ?? localizer.words.createAccount.title
    }
    output.subtitle.derive { [localizer] in
      delegate.subtitle ?? localizer.words.createAccount.subtitle
    }
    interactor.trackEvent(Action.created)
    interactor.track(input.notNowTapped, as: Action.notNowTapped)
    interactor.track(input.signUpTapped, as: Action.signUpTapped)
    input.signUpTapped.observe { router.showSignUp() }
    input.notNowTapped.observe { router.dismissScreen() }
    interactor.invitationOpened()
    effects.onClose { interactor.invitationClosed() }
    // Finishes even if the form closed before the account was saved.
    interactor.accountChanges.observe { [self] account in
      if let account { finish(account) }
    }
  }
}

/// The texts of the invitation; nil for the usual ones.
struct CreateAccountDelegate: Codable, Hashable, Sendable {
  var title: String?
  var subtitle: String?
}

protocol CreateAccountInteractor: EventTracker {
  var accountChanges: Signal<Account?> { get }
  func invitationOpened()
  /// Declines the link that waits for an account, unless one was created.
  func invitationClosed()
}

@CoreActor
protocol CreateAccountRouter: AnyObject {
  func showSignUp()
  func dismissScreen()
}
