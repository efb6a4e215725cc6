import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The invitation to create an account with a mock interactor and a mock router.
@Suite @CoreActor struct CreateAccountPresenterTests {
  private let core = TestCore()
  private let mock = MockCreateAccount()

  @Test func showsTheTextsOfItsDelegate() {
    let invitation = show(CreateAccountDelegate(title: "Join?", subtitle: "It is free."))
    #expect(invitation.output.title.value == "Join?")
    #expect(invitation.output.subtitle.value == "It is free.")
  }

  @Test func textsFollowTheLanguage() {
    let invitation = show()
    #expect(invitation.output.title.value == "Create an account?")
    core.locale.language = "ko"
    #expect(invitation.output.title.value == "계정을 만들까요?")
    #expect(invitation.output.subtitle.value == "아바타와 채팅을 내 계정에 저장할 수 있어요.")
  }

  @Test func signUpTappedShowsSignUp() {
    let invitation = show()
    invitation.input.signUpTapped.send()
    #expect(
      mock.calls.all == [
        "track createAccount.created", "track createAccount.signUpTapped", "showSignUp",
      ])
  }

  /// Even if the form has closed before the account was saved.
  @Test func anAccountEndsTheInvitation() throws {
    let core = TestCore(
      App(
        root: .stack(Route(Host.self)),
        screens: [
          ScreenFactory(Host.self) { _ in Host() },
          ScreenFactory(CreateAccountPresenter.self) { [mock] delegate, _ in
            CreateAccountPresenter(delegate, interactor: mock, router: mock)
          },
        ]))
    try core.start()
    let host = try #require(core.screen(Host.self))
    host.input.invite.send()
    #expect(core.kinds == ["host", "createAccount"])
    mock.account.value = .kim
    #expect(core.kinds == ["host"])
    #expect(host.results == [.kim])
    #expect(mock.closed == 1)
  }

  @Test func notNowDismisses() {
    show().input.notNowTapped.send()
    #expect(
      mock.calls.all == [
        "track createAccount.created", "track createAccount.notNowTapped", "dismissScreen",
      ])
  }

  private func show(
    _ delegate: CreateAccountDelegate = .init()
  ) -> CreateAccountPresenter {
    core.show { CreateAccountPresenter(delegate, interactor: mock, router: mock) }
  }
}

/// Presents the invitation and records its result.
private final class Host: Screen {
  static let kind = "host"

  struct Input: Ports {
    let invite = In<Trigger>()
  }

  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()
  private let ended = In<Account?>()
  private(set) var results: [Account?] = []

  init() {
    input.invite.observe { [self] in
      router.present(CreateAccountPresenter.self, .init()).deliver(to: ended)
    }
    ended.observe { [self] in results.append($0) }
  }
}

/// The mock interactor and router of the invitation.
@CoreActor
private final class MockCreateAccount: CreateAccountInteractor, CreateAccountRouter {
  let calls = Calls()
  let account = Out<Account?>(nil)
  private(set) var closed = 0

  var accountChanges: Signal<Account?> { account.signal }
  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }
  func invitationOpened() {}
  func invitationClosed() { closed += 1 }
  func showSignUp() { calls.note("showSignUp") }
  func dismissScreen() { calls.note("dismissScreen") }
}
