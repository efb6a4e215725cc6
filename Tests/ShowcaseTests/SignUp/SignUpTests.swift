import Offstage
import OffstageTesting
import Showcase
import Testing

/// The sign-up form, with accounts that are created when the test says so.
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

  @Test func twoConfirmationsSaveOnce() async {
    let form = show(name: "Kim", email: "kim@example.com")
    form.input.confirm.send()
    form.input.confirm.send()
    let creation = await accounts.creations.next()
    form.input.confirm.send()
    creation.reply(.kim)
    await turns()
    #expect(accounts.creations.questions.count == 1)
  }

  @Test func whatIsSavedIsWhatStoodThereWhenItWasConfirmed() async {
    let form = show(name: "Kim", email: "kim@example.com")
    form.input.confirm.send()
    form.input.nameText.send("Lee")
    let creation = await accounts.creations.next()
    #expect(creation.question.name == "Kim")
    creation.reply(.kim)
    await turns()
  }

  @Test func aFailureIsToldAndCanBeTriedAgain() async {
    let form = show(name: "Kim", email: "kim@example.com")
    let failures = Events(of: form.output.failed)
    form.input.confirm.send()
    await accounts.creations.next().fail(LoadFailure.diskFull)
    await turns()
    #expect(failures.values == [.diskFull])
    #expect(form.output.isConfirmEnabled.value)

    form.input.confirm.send()
    await accounts.creations.next().reply(.kim)
    await turns()
    #expect(accounts.creations.questions.count == 2)
    #expect(failures.values.count == 1)
    #expect(core.faults.isEmpty)
  }

  @Test func cancelGoesToTheCoordinator() {
    let form = show()
    form.input.cancel.send()
    #expect(coordinator.calls == ["closeSignUp was called"])
  }

  private func show(name: String? = nil, email: String? = nil) -> SignUp {
    core.show {
      SignUp(
        dependency: .init(name: name, email: email, accounts: accounts, coordinator: coordinator))
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
