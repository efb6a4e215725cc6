internal import Offstage

/// What making up an avatar needs to know of the world.
@CoreActor
protocol CreateAvatarInteractor {
  func portrait(name: String, category: AvatarCategory) -> String
  func createAvatar(
    name: String, category: AvatarCategory, description: String
  ) async throws -> Avatar
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: CreateAvatarInteractor {}
