#pragma once
#include <sqlite3.h>

// Swift cannot import a macro that casts an integer to a function, nor call variadic functions.

/// Makes SQLite copy bound memory, since Swift's buffers end with the call.
static inline sqlite3_destructor_type showcase_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Keeps the write-ahead log when the connection closes, so that a rejected database stays as it was.
static inline int showcase_sqlite_keep_log_on_close(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
