extension Migration {
  /// The app's schema from its first version on; append only.
  public static let all: [Migration] = [
    .accounts,
    .offlineAnswers,
    .images,
    .avatars,
    .chats,
    .settings,
    .session,
    .reminders,
    .trackedEvents,
  ]
}
