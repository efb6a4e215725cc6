import Offstage

/// Shows the variants in force and the tracked events, for developers of the app.
final class DevSettingsPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "devSettings"
    case didAppear
    case overridden(experiment: String)
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// null clears the override.
    let categoryRowPicked = Field<CategoryRowOption?>(nil)
    /// null clears the override.
    let createAccountPromptPicked = Field<Bool?>(nil)
    let closeTapped = In<Trigger>()
  }

  struct Output: Ports {
    let tests = Out(ABTests.control)
    let overrides = Out(ABOverrides())
    let account = Out<Account?>(nil)
    /// Newest first.
    let events = Rows<TrackedEventRow>.windowed()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any DevSettingsInteractor
  private let router: any DevSettingsRouter
  /// Queued, so that each override builds on the previous one and no slow load hides it.
  private lazy var options = effects.task(.queue)

  init(interactor: any DevSettingsInteractor, router: any DevSettingsRouter) {
    self.interactor = interactor
    self.router = router
    interactor.track(input.didAppear, as: Action.didAppear)
    input.didAppear.observe { [self] in
      load()
      output.events.reload()
    }
    input.categoryRowPicked.edits.observe { [self] option in
      override(ABTests.categoryRow.name) { $0.categoryRow = option }
    }
    input.createAccountPromptPicked.edits.observe { [self] option in
      override(ABTests.createAccountPrompt.name) { $0.createAccountPrompt = option }
    }
    input.closeTapped.observe { router.dismissScreen() }
    load()
    output.events.load(from: interactor.events, failure: Localizer().text(of:))
  }

  private func load() {
    options.run { [self] in
      let overrides = try await interactor.abOverrides()
      let tests = try await interactor.abTests()
      let account = try await interactor.account()
      try Task.checkCancellation()
      show(overrides)
      output.tests.value = tests
      output.account.value = account
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  private func override(_ experiment: String, _ change: @escaping (inout ABOverrides) -> Void) {
    interactor.trackEvent(Action.overridden(experiment: experiment))
    options.run(outlivesScreen: true) { [self] in
      var overrides = try await interactor.abOverrides()
      change(&overrides)
      try await interactor.setABOverrides(overrides)
      let tests = try await interactor.abTests()
      show(overrides)
      output.tests.value = tests
    } catch: { [self] error in
      show(output.overrides.value)
      router.showAlert(error)
    }
  }

  private func show(_ overrides: ABOverrides) {
    input.categoryRowPicked.reset(to: overrides.categoryRow)
    input.createAccountPromptPicked.reset(to: overrides.createAccountPrompt)
    output.overrides.value = overrides
  }
}

protocol DevSettingsInteractor: EventTracker {
  func abTests() async throws -> ABTests
  func abOverrides() async throws -> ABOverrides
  func setABOverrides(_ overrides: ABOverrides) async throws
  func account() async throws -> Account?
  /// All tracked events, newest first.
  var events: any RowProvider<TrackedEventRow> { get }
}

protocol DevSettingsRouter: AlertRouter {
  func dismissScreen()
}
