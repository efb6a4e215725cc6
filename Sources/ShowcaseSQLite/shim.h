#pragma once
#include <sqlite3.h>

// What Swift cannot say itself: a macro that casts an integer to a function, and variadic calls.

/// Tells SQLite to copy what is bound, as Swift's buffers end with the call.
static inline sqlite3_destructor_type showcase_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Leaves the write-ahead log as it is when the connection closes, so that a database that is
/// refused stays as it was found.
static inline int showcase_sqlite_keep_log_on_close(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
