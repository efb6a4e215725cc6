extension Migration {
  /// The app's schema from its first version on; append only.
  public static let all: [Migration] = [
    .accounts, .offlineAnswers, .images,
    .library,
    .places, .builtInPlaces,
    .avatars, .chats, .settings, .session, .reminders, .trackedEvents,
  ]
}
