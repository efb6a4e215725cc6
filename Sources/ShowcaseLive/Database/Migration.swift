/// One step in the history of the schema. Its position in ``all`` is the version it leads to.
///
/// A released migration never changes or moves. Every later change is a new migration at the end.
package struct Migration: Sendable {
  let apply: @Sendable (Connection) throws -> Void

  /// The app's schema; append only.
  package static let all: [Migration] = [
    .accounts, .offlineAnswers, .images,
    .library,
    .places, .builtInPlaces,
    .avatars, .chats, .settings, .session, .reminders, .trackedEvents,
    .imageLeftovers, .placeSearch, .downloadedPlaces, .profiles, .offlineVersions, .cutReasons,
    .answerTimes, .downloadTimes, .travelers,
    .servedPlaceIDs, .answersByTime, .eventOwners, .newestPlaceIDs,
    .listedLeftovers, .checkedPictures, .chatDeletions,
  ]
}

extension Migration {
  /// Creates a step that runs SQL.
  /// - Parameter script: Any number of statements.
  init(_ script: String) { apply = { try $0.execute(script: script) } }
}
