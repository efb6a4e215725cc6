package import OffstageLive
internal import OffstagePostgreSQL

extension Migration {
  /// The schema of what belongs to people in a PostgreSQL database; append only. Its tables are those of
  /// SQLite, so that one set of repositories works with both. Each has its owner's id, by which a larger
  /// site can distribute the rows.
  package static let people: [Migration] = [peopleTables, .sessions]

  private static let peopleTables = Migration(
    """
    CREATE TABLE accounts (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      visitor BIGINT NOT NULL,
      name TEXT NOT NULL,
      email TEXT NOT NULL,
      address TEXT NOT NULL,
      picture TEXT NOT NULL,
      UNIQUE (visitor, address)
    );
    CREATE TABLE visitors (
      number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      account BIGINT REFERENCES accounts ON DELETE SET NULL
    );
    CREATE INDEX visitors_by_account ON visitors (account);
    \(Migration.ownersView);

    CREATE TABLE settings (
      owner BIGINT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name)
    );
    CREATE TABLE reminders (
      owner BIGINT NOT NULL, id TEXT COLLATE "C" NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL,
      at BIGINT NOT NULL, PRIMARY KEY (owner, id)
    );
    CREATE TABLE tracked_events (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner BIGINT NOT NULL,
      name TEXT NOT NULL,
      category TEXT NOT NULL,
      description TEXT NOT NULL
    );
    CREATE INDEX avatars_by_owner ON avatars (owner);

    CREATE TABLE chats (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner BIGINT NOT NULL,
      chat BIGINT NOT NULL REFERENCES chats ON DELETE CASCADE,
      author TEXT NOT NULL CHECK (author IN ('me', 'avatar')),
      text TEXT NOT NULL,
      at BIGINT NOT NULL,
      is_finished BOOLEAN NOT NULL,
      cut_reason TEXT
    );
    CREATE INDEX messages_by_chat ON messages (chat, id);
    CREATE TABLE reply_pieces (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner BIGINT NOT NULL,
      message BIGINT NOT NULL REFERENCES messages ON DELETE CASCADE,
      text TEXT NOT NULL
    );
    CREATE INDEX reply_pieces_by_message ON reply_pieces (message, id)
    """)
}
