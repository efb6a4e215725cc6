internal import Offstage

/// What the list of a category needs to know of the world.
@CoreActor
protocol CategoryListInteractor {
  func avatars(in category: AvatarCategory) async throws -> [Avatar]
  /// The picture of a category.
  func portrait(of category: AvatarCategory) -> String
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: CategoryListInteractor {}
