internal import Offstage

/// What the profile needs to know of the world.
@CoreActor
protocol ProfileInteractor {
  func account() async throws -> Account?
  func createdAvatars() async throws -> [Avatar]
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: ProfileInteractor {}
