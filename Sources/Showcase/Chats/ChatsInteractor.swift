internal import Offstage

/// What the list of chats needs to know of the world.
@CoreActor
protocol ChatsInteractor {
  func chats() async throws -> [Chat]
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: ChatsInteractor {}
