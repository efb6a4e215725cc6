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

  @Test func theDeviceDoesNotDelayTheSettings() async {
    mock.signedIn = .kim
    mock.status = .on
    mock.isSlow = true
    let settings = await show()
    let renewal = await mock.renewals.next()
    #expect(!settings.output.isLoading.value)
    #expect(settings.output.account.value == .kim)
    #expect(settings.output.reminders.count == 7)
    settings.input.notificationsSwitched.send(false)
    await turns()
    #expect(settings.output.notifications.value == .off)
    #expect(settings.output.reminders.isEmpty)
    #expect(renewal.isCancelled)
  }

  @Test func signOutIsIgnoredForAGuest() async {
    let settings = await show()
    settings.input.signOutTapped.send()
    await turns()
    #expect(mock.questions.questions.isEmpty)
  }

  @Test func switchingOnAsksTheDeviceAndSchedules() async {
    let settings = await show()
    settings.input.notificationsSwitched.send(true)
    await turns()
    #expect(
      mock.calls.all == [
        "track settings.notificationsSwitched on=true", "requestAuthorization", "schedule",
      ])
    #expect(settings.output.notifications.value == .on)
    #expect(settings.output.areNotificationsOn.value)
    #expect(settings.output.reminders.count == 7)
  }

  @Test func deniedPermissionKeepsRemindersOffAndSaysSo() async {
    mock.isGranted = false
    let settings = await show()
    settings.input.notificationsSwitched.send(true)
    await turns()
    #expect(mock.calls.all.suffix(2) == ["requestAuthorization", "showAlert denied"])
    #expect(settings.output.notifications.value == .off)
    #expect(!settings.output.areNotificationsOn.value)
    #expect(settings.output.reminders.isEmpty)
  }

  @Test func switchingOffCancelsTheReminders() async {
    mock.status = .on
    let settings = await show()
    settings.input.notificationsSwitched.send(false)
    await turns()
    #expect(mock.calls.all.last == "cancelReminders")
    #expect(settings.output.notifications.value == .off)
    #expect(settings.output.reminders.isEmpty)
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

  @Test func failureShowsAlert() async {
    mock.failure = LoadFailure.diskFull
    _ = await show()
    #expect(mock.calls.all == ["showAlert The disk is full."])
  }

  private func show() async -> SettingsPresenter {
    let settings = core.show { SettingsPresenter(interactor: mock, router: mock) }
    await turns()
    return settings
  }
}

/// The mock interactor and router of the settings.
@CoreActor
private final class MockSettings: SettingsInteractor, SettingsRouter {
  let calls = Calls()
  let questions = Asked<String, Bool>()
  let renewals = Asked<String, Void>()
  let session = Out<Account?>(nil)
  var signedIn: Account? {
    get { session.value }
    set { session.value = newValue }
  }
  var status = NotificationStatus.notAsked
  var isGranted = true
  /// True if the device takes its time.
  var isSlow = false
  var failure: (any Error)?

  var accountChanges: Signal<Account?> { session.signal }
  var isGuest: Signal<Bool> { session.map { $0 == nil } }
  var accountSwitches: Signal<Trigger> { Relay<Trigger>().signal }
  func refreshAccount() {}

  func signOut(_ account: Account) async throws {
    if let failure { throw failure }
    calls.note("signOut")
  }

  func deleteAccount(_ account: Account) async throws {
    if let failure { throw failure }
    calls.note("deleteAccount")
  }

  func renewReminders() async throws { if isSlow { try await renewals("renew") } }
  func notificationStatus() async throws -> NotificationStatus {
    if let failure { throw failure }
    return status
  }
  func reminders() async throws -> [Reminder] {
    status == .on ? Reminder.week(from: 0, Format(words: English(), locale: UserLocale())) : []
  }

  func requestAuthorization() async throws -> Bool {
    calls.note("requestAuthorization")
    guard isGranted else {
      status = .off
      throw PromptError.refused(message: "denied")
    }
    return true
  }

  func schedulePushNotificationsForTheNextWeek() async throws {
    status = .on
    calls.note("schedule")
  }

  func cancelReminders() async throws {
    status = .off
    calls.note("cancelReminders")
  }

  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }

  func showCreateAccount(onDisappear: @escaping @CoreActor () -> Void) {}

  func confirm(_ question: Question) async throws -> Bool { try await questions(question.title) }
  func dismissScreen() { calls.note("dismissScreen") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
