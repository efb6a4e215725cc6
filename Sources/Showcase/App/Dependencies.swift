public import Offstage

extension Dependencies.Key<any AccountRepository> {
  public static let accounts = Self("accounts")
}

extension Dependencies.Key<any PlaceRepository> {
  public static let places = Self("places")
}

/// One repository for the three place screens, each of which sees a part of it.
public typealias PlaceRepository = MapRepository & PlaceSearchRepository & PlaceDetailRepository

extension Dependencies.Key<any PokemonRepository> {
  public static let pokemon = Self("pokemon")
}

extension Dependencies.Key<any ImageRepository> {
  public static let images = Self("images")
}

extension Dependencies.Key<any LibraryRepository> {
  public static let library = Self("library")
}

extension Dependencies.Key<LibraryChanges> {
  /// Set by `CoreBuilder.app`.
  static let libraryChanges = Self("libraryChanges")
}

extension Dependencies.Key<any AvatarRepository> {
  public static let avatars = Self("avatars")
}

extension Dependencies.Key<any ChatRepository> {
  public static let chats = Self("chats")
}

extension Dependencies.Key<Conversations> {
  /// Set by `CoreBuilder.app`.
  static let conversations = Self("conversations")
}

extension Dependencies.Key<any ReplySource> {
  public static let replies = Self("replies")
}

extension Dependencies.Key<any SessionRepository> {
  public static let session = Self("session")
}

extension Dependencies.Key<any SettingsRepository> {
  public static let settings = Self("settings")
}

extension Dependencies.Key<any ReminderRepository> {
  public static let reminders = Self("reminders")
}

extension Dependencies.Key<any EventTracker> {
  public static let tracker = Self("tracker")
}

extension Dependencies.Key<CoreClock> {
  public static let clock = Self("clock")
}
