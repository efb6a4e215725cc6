import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The dev settings with a mock interactor and a mock router.
@Suite @CoreActor struct DevSettingsPresenterTests {
  private let core = TestCore()
  private let mock = MockDevSettings()

  @Test func showsVariantsAndTrackedEvents() async {
    mock.overrides.categoryRow = .top
    mock.signedIn = .kim
    let settings = await show()
    #expect(settings.output.tests.value.categoryRow == .top)
    #expect(settings.output.overrides.value == ABOverrides(categoryRow: .top))
    #expect(settings.output.account.value == .kim)
    #expect(settings.output.events.values.map(\.name) == ["newest"])
    #expect(settings.output.events.total == 1)
  }

  @Test func overridesAreSetAndCleared() async {
    let settings = await show()
    settings.input.categoryRowPicked.send(.hidden)
    settings.input.createAccountPromptPicked.send(true)
    await turns()
    #expect(mock.overrides == ABOverrides(categoryRow: .hidden, createAccountPrompt: true))
    #expect(
      settings.output.tests.value == ABTests(categoryRow: .hidden, createAccountPrompt: true))
    settings.input.categoryRowPicked.send(nil)
    await turns()
    #expect(mock.overrides == ABOverrides(createAccountPrompt: true))
    #expect(settings.output.tests.value.categoryRow == .original)
  }

  @Test func slowLoadDoesNotUndoAnOverride() async {
    let accounts = Asked<String, Account?>()
    mock.accounts = accounts
    let settings = await show()
    let call = await accounts.next()
    settings.input.categoryRowPicked.send(.top)
    await turns()
    call.reply(nil)
    await turns()
    #expect(settings.output.overrides.value.categoryRow == .top)
    #expect(settings.output.tests.value.categoryRow == .top)
    #expect(settings.input.categoryRowPicked.value == .top)
  }

  @Test func failureShowsAlertAndWhatIsInForce() async {
    let settings = await show()
    mock.failure = LoadFailure.diskFull
    settings.input.categoryRowPicked.send(.top)
    await turns()
    #expect(mock.calls.all == ["showAlert The disk is full."])
    #expect(settings.output.tests.value == .control)
    #expect(settings.input.categoryRowPicked.value == nil)
  }

  @Test func overrideIsSavedIfTheScreenCloses() async {
    let settings = await show()
    settings.input.categoryRowPicked.send(.top)
    core.closeAll()
    await turns()
    #expect(mock.overrides == ABOverrides(categoryRow: .top))
  }

  @Test func closeDismisses() async {
    await show().input.closeTapped.send()
    #expect(mock.calls.all == ["dismissScreen"])
  }

  private func show() async -> DevSettingsPresenter {
    let settings = core.show { DevSettingsPresenter(interactor: mock, router: mock) }
    await turns()
    return settings
  }
}

private struct MockEvents: RowProvider {
  func count() async throws -> Int { 1 }
  func rows(in range: Range<Int>) async throws -> [TrackedEventRow] {
    [TrackedEventRow(id: 1, name: "newest", parameters: [:], at: 0)]
  }
}

/// The mock interactor and router of the dev settings.
@CoreActor
private final class MockDevSettings: DevSettingsInteractor, DevSettingsRouter {
  let calls = Calls()
  var overrides = ABOverrides()
  var signedIn: Account?
  /// Suspends loads, for tests of races.
  var accounts: Asked<String, Account?>?
  var failure: (any Error)?

  func abTests() async throws -> ABTests { .control.overridden(by: overrides) }
  func abOverrides() async throws -> ABOverrides { overrides }

  func setABOverrides(_ overrides: ABOverrides) async throws {
    if let failure { throw failure }
    self.overrides = overrides
  }

  func account() async throws -> Account? {
    if let accounts { return try await accounts("account") }
    return signedIn
  }

  var events: any RowProvider<TrackedEventRow> { MockEvents() }

  func trackEvent(_ event: any LoggableEvent) {}
  func dismissScreen() { calls.note("dismissScreen") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
