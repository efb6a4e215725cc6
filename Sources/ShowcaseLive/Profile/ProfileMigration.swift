import OffstageLive

extension Migration {
  /// Gives every account its own avatars, chats, bookmarks, progress, and settings. Existing rows
  /// belong to the signed-in account, or to the guest.
  static let profiles = Migration(
    """
    ALTER TABLE accounts ADD COLUMN address TEXT;
    ALTER TABLE accounts ADD COLUMN picture TEXT NOT NULL DEFAULT '';
    UPDATE accounts SET address = lower(trim(email))
      WHERE id IN (SELECT min(id) FROM accounts GROUP BY lower(trim(email)));
    CREATE UNIQUE INDEX accounts_by_address ON accounts (address);

    ALTER TABLE avatars ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
    UPDATE avatars SET owner = \(signedIn);
    CREATE INDEX avatars_by_owner ON avatars (owner);

    ALTER TABLE library_bookmarks RENAME TO old_bookmarks;
    CREATE TABLE library_bookmarks (
      owner INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (owner, title)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO library_bookmarks SELECT \(signedIn), title FROM old_bookmarks;
    DROP TABLE old_bookmarks;

    ALTER TABLE library_progress RENAME TO old_progress;
    CREATE TABLE library_progress (
      owner INTEGER NOT NULL, title TEXT NOT NULL,
      progress REAL NOT NULL CHECK (progress > 0 AND progress < 1),
      PRIMARY KEY (owner, title)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO library_progress SELECT \(signedIn), title, progress FROM old_progress;
    DROP TABLE old_progress;

    ALTER TABLE settings RENAME TO old_settings;
    CREATE TABLE settings (
      owner INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO settings
      SELECT CASE WHEN name = 'notifications' THEN \(signedIn) ELSE -1 END, name, value
      FROM old_settings;
    DROP TABLE old_settings;

    CREATE TABLE new_chats (
      id INTEGER PRIMARY KEY,
      owner INTEGER NOT NULL,
      avatar TEXT NOT NULL,
      name TEXT NOT NULL,
      image TEXT NOT NULL,
      is_deleted INTEGER NOT NULL DEFAULT 0,
      UNIQUE (owner, avatar)
    ) STRICT;
    INSERT INTO new_chats (owner, avatar, name, image)
      SELECT \(signedIn), id, name, image FROM chats;
    CREATE TABLE new_messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      chat INTEGER NOT NULL REFERENCES new_chats ON DELETE CASCADE,
      author TEXT NOT NULL CHECK (author IN ('me', 'avatar')),
      text TEXT NOT NULL,
      at INTEGER NOT NULL,
      is_finished INTEGER NOT NULL
    ) STRICT;
    INSERT INTO new_messages
      SELECT messages.id, new_chats.id, author, text, at, is_finished
      FROM messages JOIN new_chats ON avatar = chat;
    CREATE TABLE new_pieces (
      id INTEGER PRIMARY KEY,
      message INTEGER NOT NULL REFERENCES new_messages ON DELETE CASCADE,
      text TEXT NOT NULL
    ) STRICT;
    INSERT INTO new_pieces SELECT id, message, text FROM reply_pieces;
    DROP TABLE reply_pieces;
    DROP TABLE messages;
    DROP TABLE chats;
    ALTER TABLE new_chats RENAME TO chats;
    ALTER TABLE new_messages RENAME TO messages;
    ALTER TABLE new_pieces RENAME TO reply_pieces;
    CREATE INDEX messages_by_chat ON messages (chat, id);
    CREATE INDEX reply_pieces_by_message ON reply_pieces (message, id)
    """)

  /// The owner of existing rows.
  private static let signedIn = "coalesce((SELECT account FROM session), 0)"
}
