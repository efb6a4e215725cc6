package import Offstage

/// The keys of the screens' dependencies.
extension Dependencies.Key {
  package static var accounts: Dependencies.Key<any AccountRepository> { .init("accounts") }
  package static var settings: Dependencies.Key<any SettingsRepository> { .init("settings") }
  package static var reminders: Dependencies.Key<any ReminderRepository> { .init("reminders") }
  package static var places: Dependencies.Key<any PlaceRepository> { .init("places") }
  package static var pokemon: Dependencies.Key<any PokemonRepository> { .init("pokemon") }
  package static var library: Dependencies.Key<any LibraryRepository> { .init("library") }
  package static var avatars: Dependencies.Key<any AvatarRepository> { .init("avatars") }
  package static var chats: Dependencies.Key<any ChatRepository> { .init("chats") }
  package static var replies: Dependencies.Key<any ReplySource> { .init("replies") }
  package static var images: Dependencies.Key<any ImageRepository> { .init("images") }
  /// The pictures behind the `resource:` URIs.
  package static var resources: Dependencies.Key<@Sendable (String) async throws -> Resource?> {
    .init("resources")
  }
  package static var sinks: Dependencies.Key<[any EventSink]> { .init("sinks") }
  /// All tracked events, newest first. They fail with `LoadFailure`.
  package static var history: Dependencies.Key<@CoreActor () -> any RowProvider<TrackedEventRow>> {
    .init("history")
  }
  /// True if the app shows what its developers need.
  package static var isForDevelopers: Dependencies.Key<Bool> { .init("isForDevelopers") }
  package static var clock: Dependencies.Key<CoreClock> { .init("clock") }

  // Set by `CoreBuilder.app`.
  static var scope: Dependencies.Key<AppScope> { .init("scope") }
}
