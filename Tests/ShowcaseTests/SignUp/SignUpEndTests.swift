import Offstage
import OffstageTesting
import Showcase
import Testing

/// How the form ends for the screen that presented it, and that nothing of it is left.
@Suite @CoreActor struct SignUpEndTests {
  private let accounts = MockAccounts()

  @Test func confirmingGivesTheAccountExactlyOnce() async throws {
    let (core, host) = try start()
    let form = present(core, host)
    form.object?.input.nameText.send("Kim")
    form.object?.input.emailText.send("kim@example.com")
    form.object?.input.confirm.send()
    await accounts.creations.next().reply(.kim)
    await turns()
    #expect(host.outcomes == [.finished(.kim)])
    check(form, isGoneFrom: core)
    core.back()
    core.closeAll()
    #expect(host.outcomes.count == 1)
  }

  @Test func cancellingDismisses() throws {
    let (core, host) = try start()
    let form = present(core, host)
    form.object?.input.cancel.send()
    #expect(host.outcomes == [.dismissed])
    check(form, isGoneFrom: core)
  }

  @Test func goingBackWhileSavingSavesNothing() async throws {
    let (core, host) = try start()
    let form = present(core, host)
    form.object?.input.nameText.send("Kim")
    form.object?.input.emailText.send("kim@example.com")
    form.object?.input.confirm.send()
    let creation = await accounts.creations.next()
    core.back()
    #expect(creation.isCancelled)
    creation.reply(.kim)
    await turns()
    #expect(host.outcomes == [.dismissed])
    #expect(core.faults.isEmpty)
    check(form, isGoneFrom: core)
  }

  @Test func aLateReplyOfStubbornAccountsIsIgnored() async throws {
    let accounts = StubbornAccounts()
    let (core, host) = try start(accounts)
    let form = present(core, host)
    form.object?.input.nameText.send("Kim")
    form.object?.input.emailText.send("kim@example.com")
    form.object?.input.confirm.send()
    let creation = await accounts.creations.next()
    core.back()
    creation.reply(.kim)
    await turns()
    #expect(host.outcomes == [.dismissed])
    check(form, isGoneFrom: core)
  }

  private func start(
    _ accounts: (any AccountRepository)? = nil
  ) throws -> (TestCore, Presenter) {
    var dependencies = Dependencies()
    dependencies.set(.accounts, to: accounts ?? self.accounts)
    let core = TestCore(
      App(
        root: .stack(Route(Presenter.self)), dependencies: dependencies,
        screens: try CoreBuilder.app(dependencies).screens + [
          ScreenFactory(Presenter.self) { _ in Presenter() }
        ]))
    try core.start()
    return (core, try #require(core.screen(Presenter.self)))
  }

  private func present(_ core: TestCore, _ host: Presenter) -> Weak<SignUp> {
    host.input.signUp.send()
    #expect(core.kinds == ["presenter", "signUp"])
    return Weak(core.screen(SignUp.self))
  }

  private func check(_ form: Weak<SignUp>, isGoneFrom core: TestCore) {
    #expect(form.object == nil)
    #expect(core.kinds == ["presenter"])
    #expect(core.liveCounts == (1, 0, 0))
  }
}

/// Presents the form and notes how it ended.
private final class Presenter: Screen {
  static let kind = "presenter"

  struct Input: Ports {
    let signUp = In<Trigger>()
    let signedUp = In<Outcome<Account>>()
  }

  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()
  private(set) var outcomes: [Outcome<Account>] = []

  init() {
    input.signUp.observe { [self] in
      router.present(SignUp.self, .init()).deliver(to: input.signedUp)
    }
    input.signedUp.observe { [self] in outcomes.append($0) }
  }
}

/// Accounts that are created even for who has gone.
private final class StubbornAccounts: AccountRepository {
  let creations = Asked<String, Account>(heedsCancellation: false)

  func create(name: String, email: String) async throws -> Account { try await creations(name) }
}
