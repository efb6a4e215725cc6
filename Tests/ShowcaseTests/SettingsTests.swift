import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The settings with a mock interactor and a mock router.
@Suite @CoreActor struct SettingsPresenterTests {
  private let core = TestCore()
  private let mock = MockSettings()

  @Test func signOutAsksAndThenCloses() async {
    mock.signedIn = .kim
    let settings = await show()
    #expect(settings.output.account.value == .kim)
    settings.input.signOutTapped.send()
    settings.input.signOutTapped.send()
    await mock.questions.next().reply(true)
    await turns()
    #expect(mock.calls.all == ["signOut", "track settings.signedOut", "dismissScreen"])
  }

  @Test func confirmedSignOutIsDoneIfTheScreenCloses() async {
    mock.signedIn = .kim
    let settings = await show()
    settings.input.signOutTapped.send()
    await mock.questions.next().reply(true)
    core.closeAll()
    await turns()
    #expect(mock.calls.all.first == "signOut")
  }

  @Test func failureIsNotTracked() async {
    mock.signedIn = .kim
    let settings = await show()
    mock.failure = LoadFailure.diskFull
    for (tapped, question) in [
      (settings.input.signOutTapped, "Sign out?"),
      (settings.input.deleteAccountTapped, "Delete your account?"),
    ] {
      tapped.send()
      let call = await mock.questions.next()
      #expect(call.question == question)
      call.reply(true)
      await turns()
    }
    #expect(
      mock.calls.all == ["showAlert The disk is full.", "showAlert The disk is full."])
  }

  @Test func canceledConfirmationStays() async {
    mock.signedIn = .kim
    let settings = await show()
    settings.input.signOutTapped.send()
    await mock.questions.next().reply(false)
    await turns()
    #expect(mock.calls.all.isEmpty)
  }

  @Test func signOutIsIgnoredForAGuest() async {
    let settings = await show()
    settings.input.signOutTapped.send()
    await turns()
    #expect(mock.questions.questions.isEmpty)
  }

  @Test func showsTheStatusAndTheReminders() async {
    let settings = core.show { SettingsPresenter(interactor: mock, router: mock) }
    #expect(mock.calls.all == ["renewReminders"])
    mock.notifications.value = .on
    mock.reminders.value = Reminder.week(from: 0, Format(words: .english, locale: UserLocale()))
    #expect(settings.output.notifications.value == .on)
    #expect(settings.output.areNotificationsOn.value)
    #expect(settings.output.reminders.count == 7)
  }

  @Test(arguments: [true, false])
  func switchTurnsRemindersOnAndOff(on: Bool) async {
    let settings = await show()
    mock.refusal = on ? PromptError.refused(message: "denied") : nil
    settings.input.notificationsSwitched.send(on)
    #expect(
      mock.calls.all == [
        "track settings.notificationsSwitched on=\(on)", "turnReminders \(on)",
      ] + (on ? ["showAlert denied"] : []))
  }

  @Test func choicesOfTheDisplayAreShownAndMade() async {
    mock.languageChoice.value = .ko
    mock.appearanceChoice.value = .dark
    let settings = await show()
    #expect(settings.input.languagePicked.value == .ko)
    #expect(settings.input.appearancePicked.value == .dark)
    mock.refusal = LoadFailure.diskFull
    settings.input.languagePicked.send(.system)
    settings.input.appearancePicked.send(.light)
    #expect(
      mock.calls.all == [
        "track settings.languagePicked option=system", "choose system",
        "showAlert The disk is full.",
        "track settings.appearancePicked option=light", "choose light",
        "showAlert The disk is full.",
      ])
    // A choice that could not be saved has been undone by the interactor.
    for language in [LanguageOption.system, .ko] { mock.languageChoice.value = language }
    #expect(settings.input.languagePicked.value == .ko)
  }

  @Test func anotherAccountIsShownAtOnce() async {
    let settings = await show()
    #expect(settings.output.canCreateAccount.value)
    #expect(!settings.output.canSignOut.value)
    mock.signedIn = .kim
    #expect(settings.output.account.value == .kim)
    #expect(!settings.output.canCreateAccount.value)
    #expect(settings.output.canSignOut.value)
    #expect(settings.output.canDeleteAccount.value)
  }

  @Test func closeDismisses() async {
    await show().input.closeTapped.send()
    #expect(mock.calls.all == ["dismissScreen"])
  }

  @Test func failureShowsAlert() {
    mock.failure = LoadFailure.diskFull
    _ = core.show { SettingsPresenter(interactor: mock, router: mock) }
    #expect(mock.calls.all == ["renewReminders", "showAlert The disk is full."])
  }

  private func show() async -> SettingsPresenter {
    let settings = core.show { SettingsPresenter(interactor: mock, router: mock) }
    await turns()
    mock.calls.removeAll()
    return settings
  }
}

/// The mock interactor and router of the settings.
@CoreActor
private final class MockSettings: SettingsInteractor, SettingsRouter {
  let calls = Calls()
  let questions = Asked<String, Bool>()
  let session = Out<Account?>(nil)
  var signedIn: Account? {
    get { session.value }
    set { session.value = newValue }
  }
  let notifications = Out(NotificationStatus.notAsked)
  let reminders = Out<[Reminder]>([])
  var refusal: (any Error)?
  var failure: (any Error)?

  var accountChanges: Signal<Account?> { session.signal }
  var isGuest: Signal<Bool> { session.map { $0 == nil } }
  func refreshAccount() {}

  func signOut(_ account: Account) async throws {
    try Task.checkCancellation()
    if let failure { throw failure }
    calls.note("signOut")
  }

  func deleteAccount(_ account: Account) async throws {
    if let failure { throw failure }
    calls.note("deleteAccount")
  }

  var notificationStatus: Signal<NotificationStatus> { notifications.signal }
  var scheduledReminders: Signal<[Reminder]> { reminders.signal }
  var isChangingReminders: Signal<Bool> { Out(false).signal }
  var isLoadingReminders: Signal<Bool> { Out(false).signal }

  func renewReminders(catch handle: @escaping @CoreActor (any Error) -> Void) {
    calls.note("renewReminders")
    if let failure { handle(failure) }
  }

  func turnReminders(on: Bool, catch handle: @escaping @CoreActor (any Error) -> Void) {
    calls.note("turnReminders \(on)")
    if let refusal { handle(refusal) }
  }

  let languageChoice = Out(LanguageOption.system)
  let appearanceChoice = Out(AppearanceOption.system)
  var language: Signal<LanguageOption> { languageChoice.signal }
  var appearance: Signal<AppearanceOption> { appearanceChoice.signal }

  func choose(
    _ language: LanguageOption, catch handle: @escaping @CoreActor (any Error) -> Void
  ) {
    calls.note("choose \(language)")
    if let refusal { handle(refusal) }
  }

  func choose(
    _ appearance: AppearanceOption, catch handle: @escaping @CoreActor (any Error) -> Void
  ) {
    calls.note("choose \(appearance)")
    if let refusal { handle(refusal) }
  }

  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }

  func showCreateAccount() {}

  func confirm(_ question: Question) async throws -> Bool { try await questions(question.title) }
  func dismissScreen() { calls.note("dismissScreen") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
