internal import Offstage

/// Invites to create an account; the sign-up form, which it leads to, does the rest.
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
