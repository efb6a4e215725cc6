package import OffstageLive
internal import OffstagePostgreSQL

extension Migration {
  /// The schema of the database on the machine; append only.
  package static let all = [
    people(key: "INTEGER PRIMARY KEY AUTOINCREMENT"), places, servedPlaces, pictureCache,
    responseCache,
  ]

  /// The schema of what belongs to people on a PostgreSQL server; append only.
  package static let people = [
    people(key: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"), sessions,
  ]

  /// What belongs to people, in words that both database systems understand. Each table has its owner's
  /// id, by which a larger site can distribute the rows.
  /// - Parameter key: Declares a key that the system counts up.
  private static func people(key: String) -> Migration {
    Migration(
      """
      CREATE TABLE accounts (
        id \(key),
        visitor BIGINT NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        address TEXT NOT NULL,
        picture TEXT NOT NULL,
        UNIQUE (visitor, address)
      );
      CREATE TABLE visitors (
        number \(key),
        name TEXT NOT NULL UNIQUE,
        account BIGINT REFERENCES accounts ON DELETE SET NULL
      );
      CREATE INDEX visitors_by_account ON visitors (account);
      CREATE VIEW owners AS
        SELECT accounts.id AS owner, visitors.name AS visitor
          FROM accounts JOIN visitors ON visitors.number = accounts.visitor
        UNION ALL SELECT -2 * number, name FROM visitors
        UNION ALL SELECT -2 * number - 1, name FROM visitors;

      CREATE TABLE settings (
        owner BIGINT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name)
      );
      CREATE TABLE reminders (
        owner BIGINT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL,
        at BIGINT NOT NULL, PRIMARY KEY (owner, id)
      );
      CREATE TABLE tracked_events (
        id \(key),
        owner BIGINT NOT NULL,
        name TEXT NOT NULL,
        parameters TEXT NOT NULL,
        at BIGINT NOT NULL
      );
      CREATE INDEX tracked_events_by_owner ON tracked_events (owner, id);

      CREATE TABLE library_bookmarks (
        owner BIGINT NOT NULL, title TEXT NOT NULL, PRIMARY KEY (owner, title)
      );
      CREATE TABLE library_progress (
        owner BIGINT NOT NULL, title TEXT NOT NULL,
        progress DOUBLE PRECISION NOT NULL CHECK (progress > 0 AND progress < 1),
        PRIMARY KEY (owner, title)
      );

      CREATE TABLE avatars (
        id \(key),
        owner BIGINT NOT NULL,
        name TEXT NOT NULL,
        category TEXT NOT NULL,
        description TEXT NOT NULL
      );
      CREATE INDEX avatars_by_owner ON avatars (owner);

      CREATE TABLE chats (
        id \(key),
        owner BIGINT NOT NULL,
        avatar TEXT NOT NULL,
        name TEXT NOT NULL,
        image TEXT NOT NULL,
        category TEXT NOT NULL,
        description TEXT NOT NULL,
        deleted_at DOUBLE PRECISION,
        UNIQUE (owner, avatar)
      );
      CREATE TABLE messages (
        id \(key),
        owner BIGINT NOT NULL,
        chat BIGINT NOT NULL REFERENCES chats ON DELETE CASCADE,
        author TEXT NOT NULL CHECK (author IN ('me', 'avatar')),
        text TEXT NOT NULL,
        at BIGINT NOT NULL,
        is_finished BOOLEAN NOT NULL,
        cut_reason TEXT
      );
      CREATE INDEX messages_by_chat ON messages (chat, id);
      CREATE INDEX messages_by_owner ON messages (owner);
      CREATE TABLE reply_pieces (
        id \(key),
        owner BIGINT NOT NULL,
        message BIGINT NOT NULL REFERENCES messages ON DELETE CASCADE,
        text TEXT NOT NULL
      );
      CREATE INDEX reply_pieces_by_message ON reply_pieces (message, id)
      """)
  }

  /// The places of the app, and what servers have told of theirs.
  private static let places = Migration { connection in
    for tables in [PlaceTables.places, .downloadedPlaces] { try tables.create(connection) }
    for place in BuiltInPlaces.all {
      _ = try PlaceTables.places.insert(place, batch: 0, connection)
    }
    for tables in [PlaceTables.places, .downloadedPlaces] {
      for key in PlaceTables.sortKeys { try tables.sort(by: key, named: tables.name, connection) }
    }
  }

  /// The newest GeoJSON file of a server, and the server's ids of places whose ids in the app are
  /// hashes, numbered so that the newest ones can be kept.
  private static let servedPlaces = Migration(
    """
    CREATE TABLE hot_place_files (
      url TEXT PRIMARY KEY, etag TEXT, fetched_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE served_place_ids (
      number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, source TEXT NOT NULL
    ) STRICT
    """)
}
