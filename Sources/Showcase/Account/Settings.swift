import Offstage
import OffstageWords

/// The account, the reminders, and the language and the appearance of the app.
final class SettingsPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "settings"
    case didAppear
    case notificationsSwitched(on: Bool)
    case languagePicked(option: LanguageOption)
    case appearancePicked(option: AppearanceOption)
    case signedOut, accountDeleted, createAccountTapped
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// The switch for reminders; its last position wins. It stays where the user has put it while
    /// the device is asked, and then shows the device's word.
    let notificationsSwitched = Field(false)
    let languagePicked = Field(LanguageOption.system)
    let appearancePicked = Field(AppearanceOption.system)
    let signOutTapped = In<Trigger>(.visible(by: \Output.canSignOut))
    /// Deletes the account with everything in it, after a confirmation.
    let deleteAccountTapped = In<Trigger>(.visible(by: \Output.canDeleteAccount))
    let createAccountTapped = In<Trigger>(.visible(by: \Output.canCreateAccount))
    let closeTapped = In<Trigger>()
  }

  struct Output: Ports {
    /// nil for a guest.
    let account = Out<Account?>(nil)
    let canSignOut = Out(false)
    let canDeleteAccount = Out(false)
    let canCreateAccount = Out(false)
    let notifications = Out(NotificationStatus.notAsked)
    let areNotificationsOn = Out(false, .selection(of: \Input.notificationsSwitched))
    let reminders = Rows<ReminderRow>()
    let isLoading = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  private let interactor: any SettingsInteractor
  private let router: any SettingsRouter
  private var reminders: [Reminder] = []
  private lazy var leaving = effects.task(.keepFirst)
  /// True if the question is about the deletion of the account.
  private let isDeleting = Kept(false)

  init(interactor: any SettingsInteractor, router: any SettingsRouter) {
    self.interactor = interactor
    self.router = router
    output.isLoading.bind(interactor.isLoadingReminders)
    output.notifications.bind(interactor.notificationStatus)
    output.areNotificationsOn.bind(output.notifications.map { $0 == .on })
    output.areNotificationsOn.observe { [input] in input.notificationsSwitched.value = $0 }
    interactor.isChangingReminders.observe { [input, output] isChanging in
      if !isChanging { input.notificationsSwitched.value = output.areNotificationsOn.value }
    }
    output.account.bind(interactor.accountChanges)
    output.canSignOut.derive { [output] in output.account.value != nil }
    output.canDeleteAccount.bind(output.canSignOut)
    output.canCreateAccount.bind(interactor.isGuest)
    interactor.scheduledReminders.observe { [self] in
      reminders = $0
      showReminders()
    }
    interactor.track(input.didAppear, as: Action.didAppear)
    input.didAppear.observe { [self] in
      interactor.refreshAccount()
      load()
    }
    localizer.onChange { [self] in
      showReminders()
      load()
    }
    interactor.language.observe { [input] in input.languagePicked.reset(to: $0) }
    interactor.appearance.observe { [input] in input.appearancePicked.reset(to: $0) }
    input.languagePicked.edits.observe { language in
      interactor.trackEvent(Action.languagePicked(option: language))
      interactor.choose(language) { router.showAlert($0) }
    }
    input.appearancePicked.edits.observe { appearance in
      interactor.trackEvent(Action.appearancePicked(option: appearance))
      interactor.choose(appearance) { router.showAlert($0) }
    }
    input.notificationsSwitched.edits.observe { isOn in
      interactor.trackEvent(Action.notificationsSwitched(on: isOn))
      interactor.turnReminders(on: isOn) { router.showAlert($0) }
    }
    input.signOutTapped.observe { [self] in leaveAccount(deleting: false) }
    input.deleteAccountTapped.observe { [self] in leaveAccount(deleting: true) }
    leaving.onRestart("leaving") { [self] in leaveAccount() }
    input.createAccountTapped.observe { [self] in
      guard output.canCreateAccount.value else { return }
      interactor.trackEvent(Action.createAccountTapped)
      router.showCreateAccount()
    }
    input.closeTapped.observe { router.dismissScreen() }
    load()
  }

  private func load() {
    interactor.renewReminders { [router] in router.showAlert($0) }
  }

  private func showReminders() {
    let format = localizer.format
    output.reminders.reset(to: reminders.map { ReminderRow($0, format) })
  }

  private func leaveAccount(deleting isDeleting: Bool) {
    guard output.account.value != nil, !leaving.isRunning else { return }
    self.isDeleting.value = isDeleting
    leaveAccount()
  }

  /// Signs out or deletes the account, after a confirmation, even if the screen closes then.
  private func leaveAccount() {
    let isDeleting = isDeleting.value
    let words = localizer.words
    leaving.run(outlivesScreen: true) { [self] in
      guard try await router.confirm(isDeleting ? words.deleteAccount : words.signOut),
        let account = output.account.value
      else { return }
      if isDeleting {
        try await interactor.deleteAccount(account)
      } else {
        try await interactor.signOut(account)
      }
      interactor.trackEvent(isDeleting ? Action.accountDeleted : .signedOut)
      router.dismissScreen()
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}

/// A scheduled notification in the list.
struct ReminderRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: String
  let title: String
  let body: String
  /// Seconds since 1970.
  let at: Int
  /// For example, `Jan 8, 2026, 9:00 AM`.
  let time: String

  init(_ reminder: Reminder, _ format: Format) {
    id = reminder.id
    title = reminder.title
    body = reminder.body
    at = reminder.at
    time = format.times.dateAndTime(reminder.at)
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.body: .subtitle, \.at: [.unixTime, .hidden], \.time: .accessory]
  }
}

protocol SettingsInteractor: EventTracker {
  var accountChanges: Signal<Account?> { get }
  var isGuest: Signal<Bool> { get }
  func refreshAccount()
  func signOut(_ account: Account) async throws
  func deleteAccount(_ account: Account) async throws
  var notificationStatus: Signal<NotificationStatus> { get }
  var scheduledReminders: Signal<[Reminder]> { get }
  var isChangingReminders: Signal<Bool> { get }
  var isLoadingReminders: Signal<Bool> { get }
  func renewReminders(catch handle: @escaping ErrorHandler)
  func turnReminders(on: Bool, catch handle: @escaping ErrorHandler)
  var language: Signal<LanguageOption> { get }
  var appearance: Signal<AppearanceOption> { get }
  /// Shows the app in a language at once, and keeps the choice, even if the screen closes.
  func choose(_ language: LanguageOption, catch handle: @escaping ErrorHandler)
  func choose(_ appearance: AppearanceOption, catch handle: @escaping ErrorHandler)
}

protocol SettingsRouter: AlertRouter {
  func showCreateAccount()
  func confirm(_ question: Question) async throws -> Bool
  func dismissScreen()
}
