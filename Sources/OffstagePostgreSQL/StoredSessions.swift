public import OffstageHost
public import OffstageLive

/// Keeps the sessions of hosts in a PostgreSQL database.
///
/// Its tables come with the app's migrations. A transaction that writes what belongs to a visitor begins with
/// ``OffstageLive/Connection/check(_:)``: a host that was stopped for a while, and whose session has gone on
/// at another one, then overwrites nothing.
/// ```swift
/// let database = try Database(server, migrations: [.sessions, .notes])
/// Program(
///   "notes", version: "1.0", sharing: { _ in database },
///   keepingSessionsIn: { StoredSessions($0) }, app: { … }
/// ).run()
/// ```
public struct StoredSessions: SessionStore {
  private let database: Database
  /// The writes run in order: they are few, and each has many changes.
  private static let lane = 0

  public init(_ database: Database) { self.database = database }

  public func take(_ session: String, of visitor: String) async throws -> KeptSession? {
    // Waits for a host that was stopped in a transaction, which must not hold up the writes.
    let lane = Self.lane + 1 + abs(session.hashValue % 7)
    return try await database.write(on: lane) { connection -> KeptSession? in
      try connection.lockRowsOnly()
      let taken = try connection.row(
        """
        UPDATE offstage_sessions SET epoch = epoch + 1, starts = starts + 1, used = now()
          WHERE id = ? AND visitor = ? RETURNING epoch, starts
        """, session, visitor
      ) { (epoch: try $0[0] as Int, starts: try $0[1] as Int) }
      guard let taken else { return nil }
      let changes = try connection.rows(
        "SELECT number, patch FROM offstage_changes WHERE session = ? ORDER BY number", session
      ) { (number: try $0[0] as Int, patch: try $0[1] as String) }
      return KeptSession(
        epoch: taken.epoch, changes: changes.map(\.patch), last: changes.last?.number ?? 0,
        starts: taken.starts)
    }
  }

  public func write(_ changes: [SessionChange]) async throws -> Set<String> {
    try await database.write(on: Self.lane) { connection in
      try connection.lockRowsOnly()
      var lost: Set<String> = []
      for change in changes where change.kind == .rest || !lost.contains(change.lease.session) {
        if try !connection.write(change) { lost.insert(change.lease.session) }
      }
      return lost
    }
  }

  public func unused(for seconds: Int) async throws -> [(session: String, visitor: String)] {
    try await database.read(on: Self.lane) { connection in
      try connection.rows(
        "SELECT id, visitor FROM offstage_sessions WHERE used < now() - ? * interval '1 second'",
        seconds
      ) { (session: try $0[0], visitor: try $0[1]) }
    }
  }

  public func isLast(_ session: String, of visitor: String) async throws -> Bool {
    try await database.read(on: Self.lane) { connection in
      try !connection.exists(
        "SELECT 1 FROM offstage_sessions WHERE visitor = ? AND id <> ?", visitor, session)
    }
  }

  public func remove(_ session: String) async throws {
    try await database.write(on: Self.lane) { connection in
      try connection.execute("DELETE FROM offstage_changes WHERE session = ?", session)
      try connection.execute("DELETE FROM offstage_sessions WHERE id = ?", session)
    }
  }
}

/// Another host has taken the session.
public struct SessionTaken: Error, CustomStringConvertible {
  public let description = "another host has the session"
}

extension Connection {
  /// Ends a transaction for a session that another host has.
  /// - Parameter lease: See `Environment.lease`; nil in a process with one session.
  /// - Throws: ``SessionTaken``, or ``SQLError``.
  public func check(_ lease: SessionLease?) throws {
    guard let lease else { return }
    // Until the end of the transaction, no host can take the session.
    let epoch: Int? = try first(
      "SELECT epoch FROM offstage_sessions WHERE id = ? FOR SHARE", lease.session)
    if let epoch, epoch > lease.epoch { throw SessionTaken() }
  }

  /// Lets a transaction conflict only with those that write the same sessions. Each statement sees what
  /// was committed before it, and locks the rows that it depends on.
  fileprivate func lockRowsOnly() throws {
    try execute(script: "SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
  }

  /// Writes a change of a session, or writes it again: the connection may have been lost after the commit.
  /// - Returns: False if another host has the session.
  fileprivate func write(_ change: SessionChange) throws -> Bool {
    switch change.kind {
    case .rest:
      let epoch: Int? = try first(
        """
        UPDATE offstage_sessions SET starts = LEAST(starts, epoch - ?1)
          WHERE id = ?2 AND epoch >= ?1 RETURNING epoch
        """, change.lease.epoch, change.lease.session)
      return epoch == change.lease.epoch
    case .whole:
      let count = try execute(
        """
        INSERT INTO offstage_sessions (id, visitor, epoch) VALUES (?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET used = now()
          WHERE offstage_sessions.epoch = excluded.epoch
        """, change.lease.session, change.visitor, change.lease.epoch)
      guard count == 1 else { return false }
      try execute("DELETE FROM offstage_changes WHERE session = ?", change.lease.session)
    case .part: break
    }
    let count = try execute(
      """
      INSERT INTO offstage_changes (session, number, patch)
        SELECT id, ?, ? FROM offstage_sessions WHERE id = ? AND epoch = ? FOR SHARE
        ON CONFLICT (session, number) DO UPDATE SET patch = excluded.patch
      """, change.number, change.patch, change.lease.session, change.lease.epoch)
    return count == 1
  }
}

extension Migration {
  /// The tables of ``StoredSessions``.
  public static let sessions = Migration(
    """
    CREATE TABLE offstage_sessions (
      id TEXT PRIMARY KEY,
      visitor TEXT NOT NULL,
      epoch BIGINT NOT NULL,
      starts BIGINT NOT NULL DEFAULT 1,
      used TIMESTAMPTZ NOT NULL DEFAULT now()
    );
    CREATE INDEX offstage_sessions_by_visitor ON offstage_sessions (visitor);
    CREATE INDEX offstage_sessions_by_time ON offstage_sessions (used);
    CREATE TABLE offstage_changes (
      session TEXT NOT NULL,
      number BIGINT NOT NULL,
      patch TEXT NOT NULL,
      PRIMARY KEY (session, number)
    )
    """)
}
