internal import Offstage

/// What the dev settings need to know of the world.
@CoreActor
protocol DevSettingsInteractor {
  /// The options in force.
  func abTests() async throws -> ABTests
  func abOverrides() async throws -> ABOverrides
  func setABOverrides(_ overrides: ABOverrides) async throws
  func account() async throws -> Account?
  /// What was tracked last, the newest first.
  func newestEvents(_ limit: Int) async throws -> [TrackedEventRow]
}

extension CoreInteractor: DevSettingsInteractor {}
