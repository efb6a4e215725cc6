internal import Offstage

/// For those who make the app: which options are in force, and what was tracked.
final class DevSettingsPresenter: Screen {
  static let kind = "devSettings"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// Null leaves the test in force.
    let categoryRowPicked = In<CategoryRowOption?>()
    /// Null leaves the test in force.
    let createAccountPromptPicked = In<Bool?>()
    let closeTapped = In<Trigger>()
  }

  struct Output: Ports {
    /// The options in force.
    let tests = Out(ABTests.control)
    let overrides = Out(ABOverrides())
    let account = Out<Account?>(nil)
    /// What was tracked last, the newest first.
    let events = Rows<TrackedEventRow>()
  }

  /// How many events are shown.
  static let eventLimit = 50

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any DevSettingsInteractor
  private let router: any DevSettingsRouter

  init(interactor: any DevSettingsInteractor, router: any DevSettingsRouter) {
    self.interactor = interactor
    self.router = router
    input.didAppear.observe { [self] in load() }
    input.categoryRowPicked.observe { [self] option in override { $0.categoryRow = option } }
    input.createAccountPromptPicked.observe { [self] option in
      override { $0.createAccountPrompt = option }
    }
    input.closeTapped.observe { router.dismissScreen() }
    load()
  }

  /// Queued with the choices, which a slow load would undo on the screen otherwise.
  private func load() {
    effects.run("options", .queue) { [self] in
      let overrides = try await interactor.abOverrides()
      let tests = try await interactor.abTests()
      let account = try await interactor.account()
      let events = try await interactor.newestEvents(Self.eventLimit)
      try Task.checkCancellation()
      output.overrides.value = overrides
      output.tests.value = tests
      output.account.value = account
      output.events.reset(to: events)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  /// Queued, so that each choice is made on top of the one before.
  private func override(_ change: @escaping (inout ABOverrides) -> Void) {
    effects.run("options", .queue) { [self] in
      var overrides = try await interactor.abOverrides()
      change(&overrides)
      try await interactor.setABOverrides(overrides)
      let tests = try await interactor.abTests()
      output.overrides.value = overrides
      output.tests.value = tests
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}
