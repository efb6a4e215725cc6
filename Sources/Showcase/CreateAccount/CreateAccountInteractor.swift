internal import Offstage

/// What the invitation needs to know of the world.
@CoreActor
protocol CreateAccountInteractor {
  func signIn(_ account: Account) async throws
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: CreateAccountInteractor {}
