internal import Offstage

/// The account, the reminders, and the way out.
final class SettingsPresenter: Screen {
  static let kind = "settings"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// The switch for reminders.
    let notificationsSwitched = In<Bool>()
    let signOutTapped = In<Trigger>()
    let createAccountTapped = In<Trigger>()
    let closeTapped = In<Trigger>()
  }

  struct Output: Ports {
    /// Nil for who has none, and so cannot sign out.
    let account = Out<Account?>(nil)
    let notifications = Out(NotificationStatus.notAsked)
    let reminders = Rows<Reminder>()
    let isLoading = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any SettingsInteractor
  private let router: any SettingsRouter

  init(interactor: any SettingsInteractor, router: any SettingsRouter) {
    self.interactor = interactor
    self.router = router
    output.isLoading.bind(effects.activity("load"))
    input.didAppear.observe { [self] in load() }
    input.notificationsSwitched.observe { [self] in switchNotifications(on: $0) }
    input.signOutTapped.observe { [self] in signOut() }
    input.createAccountTapped.observe { [self] in
      interactor.trackEvent(.init("settings.createAccountTapped"))
      router.showCreateAccount(CreateAccountDelegate()) { [self] in load() }
    }
    input.closeTapped.observe { router.dismissScreen() }
    load()
  }

  private func load() {
    effects.run("load", .latest) { [self] in
      let account = try await interactor.account()
      let status = try await interactor.notificationStatus()
      let reminders = try await interactor.reminders()
      try Task.checkCancellation()
      output.account.value = account
      output.notifications.value = status
      output.reminders.reset(to: reminders)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  private func switchNotifications(on: Bool) {
    interactor.trackEvent(.init("settings.notificationsSwitched", ["on": "\(on)"]))
    effects.run("notifications", .keepFirst) { [self] in
      if !on {
        try await interactor.cancelReminders()
      } else if try await interactor.requestAuthorization() {
        try await interactor.schedulePushNotificationsForTheNextWeek()
      }
      load()
    } catch: { [self] error in
      router.showAlert(error)
      load()
    }
  }

  private func signOut() {
    guard output.account.value != nil else { return }
    effects.run("signOut", .keepFirst) { [self] in
      guard try await router.confirmSignOut() else { return }
      interactor.trackEvent(.init("settings.signedOut"))
      try await interactor.signOut()
      router.dismissScreen()
    } catch: { [self] error in
      // Closed without an answer: nobody is signed out.
      if error as? PromptError != .dismissed { router.showAlert(error) }
    }
  }
}
