package import Offstage

extension Dependencies.Key<any AccountRepository> {
  package static let accounts = Self("accounts")
}

extension Dependencies.Key<any PlaceRepository> {
  package static let places = Self("places")
}

/// One repository for the three place screens, each of which sees a part of it.
package typealias PlaceRepository = MapRepository & PlaceSearchRepository

extension Dependencies.Key<PersonLocation> {
  /// Set by `CoreBuilder.app`.
  static let person = Self("person")
}

extension Dependencies.Key<any PokemonRepository> {
  package static let pokemon = Self("pokemon")
}

extension Dependencies.Key<any ImageRepository> {
  package static let images = Self("images")
}

extension Dependencies.Key<any ResourceSource> {
  /// The pictures behind the `resource:` URIs.
  package static let resources = Self("resources")
}

extension Dependencies.Key<any LibraryRepository> {
  package static let library = Self("library")
}

extension Dependencies.Key<LibraryChanges> {
  /// Set by `CoreBuilder.app`.
  static let libraryChanges = Self("libraryChanges")
}

extension Dependencies.Key<any AvatarRepository> {
  package static let avatars = Self("avatars")
}

extension Dependencies.Key<any ChatRepository> {
  package static let chats = Self("chats")
}

extension Dependencies.Key<AppScope> {
  /// Set by `CoreBuilder.app`.
  static let scope = Self("scope")
}

extension Dependencies.Key<Conversations> {
  /// Set by `CoreBuilder.app`.
  static let conversations = Self("conversations")
}

extension Dependencies.Key<any ReplySource> {
  package static let replies = Self("replies")
}

extension Dependencies.Key<any SessionRepository> {
  package static let session = Self("session")
}

extension Dependencies.Key<any SettingsRepository> {
  package static let settings = Self("settings")
}

extension Dependencies.Key<any ReminderRepository> {
  package static let reminders = Self("reminders")
}

extension Dependencies.Key<[any EventSink]> {
  package static let sinks = Self("sinks")
}

extension Dependencies.Key<any EventHistory> {
  package static let history = Self("history")
}

extension Dependencies.Key<CoreClock> {
  package static let clock = Self("clock")
}
