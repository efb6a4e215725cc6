/// One step in the history of the schema. Its position in ``all`` is the version it leads to.
///
/// A released migration never changes or moves. Every later change is a new migration at the end.
package struct Migration: Sendable {
  /// Names the step in the message if it fails.
  let name: String
  let apply: @Sendable (Connection) throws -> Void

  /// The app's schema; append only.
  package static let all: [Migration] = [
    .accounts, .offlineAnswers, .images,
    .library,
    .places, .builtInPlaces,
    .avatars, .chats, .settings, .session, .reminders, .trackedEvents,
    .imageLeftovers, .placeSearch, .hotPlaces, .profiles, .offlineVersions, .cutReasons,
    .answerTimes, .hotPlaceTimes, .travelers,
    .servedPlaceIDs, .answersByTime, .eventOwners, .newestPlaceIDs,
    .listedLeftovers,
  ]

  /// A step of SQL alone.
  /// - Parameter script: Any number of statements.
  init(_ name: String, _ script: String) {
    self.init(name) { try $0.execute(script: script) }
  }

  /// A step that computes.
  init(_ name: String, _ apply: @escaping @Sendable (Connection) throws -> Void) {
    self.name = name
    self.apply = apply
  }
}
