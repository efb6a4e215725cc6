import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The sign-up form with a mock repository.
@Suite @CoreActor struct SignUpTests {
  private let core = TestCore()
  private let accounts = MockAccounts()
  private let coordinator = MockSignUpCoordinator()

  @Test func initialValuesCount() {
    #expect(!show().output.isConfirmEnabled.value)
    #expect(!show(name: "Kim").output.isConfirmEnabled.value)
    #expect(!show(name: "", email: "kim@example.com").output.isConfirmEnabled.value)
    #expect(show(name: "Kim", email: "kim@example.com").output.isConfirmEnabled.value)
  }

  @Test func initialValuesAreSaved() async {
    let form = show(name: "Kim", email: "kim@example.com")
    form.input.confirm.send()
    let creation = await accounts.creations.next()
    #expect(creation.question == .init(name: "Kim", email: "kim@example.com"))
    creation.reply(.kim)
    await turns()
  }

  @Test func confirmWhileDisabledIsIgnored() async {
    let form = show(name: "Kim")
    form.input.confirm.send()
    await turns()
    #expect(accounts.creations.questions.isEmpty)
  }

  @Test func clearingDisablesConfirmAgain() async {
    let form = show(name: "Kim", email: "kim@example.com")
    form.input.emailText.send("")
    form.input.confirm.send()
    await turns()
    #expect(!form.output.isConfirmEnabled.value)
    #expect(accounts.creations.questions.isEmpty)
  }

  @Test func doubleConfirmSavesOnce() async {
    let form = show(name: "Kim", email: "kim@example.com")
    form.input.confirm.send()
    form.input.confirm.send()
    let creation = await accounts.creations.next()
    form.input.confirm.send()
    creation.reply(.kim)
    await turns()
    #expect(accounts.creations.questions.count == 1)
  }

  @Test func confirmSavesTheTextOfTheTap() async {
    let form = show(name: "Kim", email: "kim@example.com")
    form.input.confirm.send()
    form.input.nameText.send("Lee")
    let creation = await accounts.creations.next()
    #expect(creation.question.name == "Kim")
    creation.reply(.kim)
    await turns()
  }

  @Test func failureIsEmittedAndConfirmCanBeRepeated() async {
    let form = show(name: "Kim", email: "kim@example.com")
    let failures = Events(of: form.output.failed)
    form.input.confirm.send()
    await accounts.creations.next().fail(LoadFailure.diskFull)
    await turns()
    #expect(failures.values.map(\.reason) == [.storage])
    #expect(form.output.isConfirmEnabled.value)

    form.input.confirm.send()
    await accounts.creations.next().reply(.kim)
    await turns()
    #expect(accounts.creations.questions.count == 2)
    #expect(failures.values.count == 1)
    #expect(core.faults.isEmpty)
  }

  @Test func cancelClosesTheForm() {
    let form = show()
    form.input.cancel.send()
    #expect(coordinator.calls == ["dismissScreen was called"])
  }

  private func show(name: String? = nil, email: String? = nil) -> SignUp {
    core.show {
      SignUp(
        dependency: .init(
          initial: .init(name: name, email: email), accounts: accounts, session: MockSession(),
          coordinator: coordinator, tracker: MockTracker()))
    }
  }
}

extension Account {
  static let kim = Account(id: 1, name: "Kim", email: "kim@example.com")
}

extension LoadFailure {
  static let diskFull = LoadFailure(.storage, "The disk is full.", retryable: true)
  static let offline = LoadFailure(.offline, "Nothing answers.", retryable: true)
}

/// The result of the form, and that closing releases everything.
@Suite @CoreActor struct SignUpEndTests {
  private let accounts = MockAccounts()
  private let session = MockSession()

  @Test func confirmFinishesWithTheAccountOnce() async throws {
    let (core, host) = try start()
    let form = present(core, host)
    form.object?.input.nameText.send("Kim")
    form.object?.input.emailText.send("kim@example.com")
    form.object?.input.confirm.send()
    await accounts.creations.next().reply(.kim)
    await turns()
    #expect(host.results == [.kim])
    check(form, isGoneFrom: core)
    core.back()
    core.closeAll()
    #expect(host.results.count == 1)
  }

  @Test func cancelingDismisses() throws {
    let (core, host) = try start()
    let form = present(core, host)
    form.object?.input.cancel.send()
    #expect(host.results == [nil])
    check(form, isGoneFrom: core)
  }

  @Test func goingBackWhileSavingSignsIn() async throws {
    let (core, host) = try start()
    let form = present(core, host)
    form.object?.input.nameText.send("Kim")
    form.object?.input.emailText.send("kim@example.com")
    form.object?.input.confirm.send()
    let creation = await accounts.creations.next()
    core.back()
    #expect(host.results.isEmpty)
    #expect(!creation.isCancelled)
    creation.reply(.kim)
    await turns()
    #expect(host.results == [.kim])
    #expect(session.shown == [.kim])
    #expect(core.faults.isEmpty)
    check(form, isGoneFrom: core)
  }

  private func start() throws -> (TestCore, Presenter) {
    let (accounts, session) = (accounts, session)
    let core = TestCore(
      App(
        root: .stack(Route(Presenter.self)),
        screens: [
          ScreenFactory(SignUp.self) { _, _ in
            SignUp(
              dependency: .init(
                accounts: accounts, session: session, coordinator: CoreRouter(),
                tracker: MockTracker()))
          },
          ScreenFactory(Presenter.self) { _ in Presenter() },
        ]))
    try core.start()
    return (core, try #require(core.screen(Presenter.self)))
  }

  private func present(_ core: TestCore, _ host: Presenter) -> Weak<SignUp> {
    host.input.signUp.send()
    #expect(core.kinds == ["presenter", "signUp"])
    return Weak(core.screen(SignUp.self))
  }

  private func check(
    _ form: Weak<SignUp>, isGoneFrom core: TestCore, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(form.object == nil, sourceLocation: location)
    #expect(core.kinds == ["presenter"], sourceLocation: location)
    #expect(core.liveCounts == (1, 0, 0), sourceLocation: location)
  }
}

/// Presents the form and records its result.
private final class Presenter: Screen {
  static let kind = "presenter"

  struct Input: Ports {
    let signUp = In<Trigger>()
    let signedUp = In<Account?>()
  }

  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()
  private(set) var results: [Account?] = []

  init() {
    input.signUp.observe { [self] in
      router.present(SignUp.self, .init()).deliver(to: input.signedUp)
    }
    input.signedUp.observe { [self] in results.append($0) }
  }
}

/// Creates accounts when the test replies.
final class MockAccounts: AccountRepository {
  struct Creation: Equatable { var name: String, email: String }

  let creations = Asked<Creation, Account>()

  func signUp(name: String, email: String, as owner: Owner) async throws -> Account {
    try await creations(Creation(name: name, email: email))
  }
}

/// Records the accounts that are shown.
@CoreActor
final class MockSession: SignUpSession {
  let owner = Owner.guest
  private(set) var shown: [Account?] = []

  func write<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    try await body()
  }
  func show(_ account: Account?) { shown.append(account) }
}

/// Records the coordinator calls.
@CoreActor
final class MockSignUpCoordinator: FormRouter {
  private(set) var calls: [String] = []

  func confirmDiscard() async throws -> Bool { true }
  func dismissScreen() { calls.append("dismissScreen was called") }
  func leaveScreen() { calls.append("leaveScreen was called") }
}

/// What most tests do not need.
extension AccountRepository {
  func account() async throws -> Account? { nil }
  func signOut(_ account: Account) async throws {}

  func signUp(name: String, email: String, as owner: Owner) async throws -> Account {
    throw CancellationError()
  }

  func update(
    _ account: Account, name: String, picture: AvatarCategory
  ) async throws -> Account { account }

  func delete(_ account: Account) async throws {}
}
