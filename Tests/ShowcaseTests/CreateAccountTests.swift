import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The invitation to create an account with a mock interactor and a mock router.
@Suite @CoreActor struct CreateAccountPresenterTests {
  private let core = TestCore()
  private let mock = MockCreateAccount()

  @Test func showsTheTextsOfItsDelegate() {
    let invitation = show()
    #expect(invitation.output.title.value == "Join?")
    #expect(invitation.output.subtitle.value == "It is free.")
  }

  @Test func signUpTappedShowsSignUpAndSignsIn() async {
    let invitation = show()
    invitation.input.signUpTapped.send()
    #expect(
      mock.calls.all == [
        "track createAccount.didAppear", "track createAccount.signUpTapped", "showSignUp",
      ])
    mock.signedUp?(.kim)
    #expect(invitation.output.isSigningIn.value)
    let call = await mock.signIns.next()
    #expect(call.question == .kim)
    call.reply(())
    await turns()
    #expect(!invitation.output.isSigningIn.value)
  }

  @Test func failureShowsAlert() async {
    let invitation = show()
    invitation.input.signUpTapped.send()
    mock.signedUp?(.kim)
    await mock.signIns.next().fail(LoadFailure.diskFull)
    await turns()
    #expect(mock.calls.all.last == "showAlert The disk is full.")
  }

  @Test func notNowDismisses() {
    show().input.notNowTapped.send()
    #expect(
      mock.calls.all == [
        "track createAccount.didAppear", "track createAccount.notNowTapped", "dismissScreen",
      ])
  }

  private func show() -> CreateAccountPresenter {
    core.show {
      CreateAccountPresenter(
        delegate: CreateAccountDelegate(title: "Join?", subtitle: "It is free."),
        interactor: mock, router: mock)
    }
  }
}

/// The mock interactor and router of the invitation.
@CoreActor
private final class MockCreateAccount: CreateAccountInteractor, CreateAccountRouter {
  let calls = Calls()
  let signIns = Asked<Account, Void>()
  private(set) var signedUp: (@CoreActor (Account) -> Void)?

  func signIn(_ account: Account) async throws { try await signIns(account) }
  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }

  func showSignUp(onSignedUp: @escaping @CoreActor (Account) -> Void) {
    signedUp = onSignedUp
    calls.note("showSignUp")
  }

  func dismissScreen() { calls.note("dismissScreen") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
