package import Offstage
import OffstageJSON
import OffstageLive
package import Showcase

/// The newest tracked events, in the database.
package struct StoredEventTracker: EventSink {
  private let database: PersonalDatabase
  private let limit: Int

  /// - Parameter limit: The number of events to keep of each owner, within one percent.
  package init(database: PersonalDatabase, limit: Int = 10_000) {
    self.database = database
    self.limit = limit
  }

  package nonisolated func track(
    _ name: String, _ parameters: [String: String], at: Int, as owner: Owner
  ) {
    let parameters = JSON(encoding: parameters).description
    database.enqueue(as: owner) { [limit] connection, owner in
      let id: Int = try connection.value(
        """
        INSERT INTO tracked_events (owner, name, parameters, at) VALUES (?, ?, ?, ?) RETURNING id
        """, owner, name, parameters, at)
      guard id % max(limit / 100, 1) == 0 else { return }
      try connection.execute(
        """
        DELETE FROM tracked_events WHERE owner = ?1 AND id <=
          (SELECT id FROM tracked_events WHERE owner = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
        """, owner, limit)
    }
  }

  /// The events in the database, newest first.
  @CoreActor package var events: any RowProvider<TrackedEventRow> {
    let stored = DatabaseRows(
      in: database.database,
      """
      SELECT id, name, parameters, at FROM tracked_events
      WHERE owner IN (SELECT owner FROM owners WHERE visitor = ?)
      """, database.visitor, by: "id", descending: true
    ) { row in
      TrackedEventRow(
        id: try row[0], name: try row[1],
        parameters: (try? JSON(parsing: row[2]).decode([String: String].self)) ?? [:],
        at: try row[3])
    }
    return LateRows(stored: stored) { [database] in
      // Wait for earlier writes: writes run in order, but reads do not wait for them.
      try? await database.write(as: .device) { _, _ in }
    }
  }
}
