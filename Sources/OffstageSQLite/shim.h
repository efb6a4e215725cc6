#pragma once
#include <sqlite3.h>

// Swift cannot import a macro that casts an integer to a function, nor call variadic functions.

/// Lets the cache of each connection begin without room for 20 pages, 87 KB. Has no effect after the
/// first connection of the process.
static inline int offstage_sqlite_keep_caches_small(void) {
  return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/// Makes SQLite copy bound memory, since Swift's buffers end with the call.
static inline sqlite3_destructor_type offstage_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Keeps the write-ahead log when the connection closes, so that a rejected database stays as it was.
static inline int offstage_sqlite_keep_log_on_close(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Returns 1 if no other connection, of this or another process, has the database open: each of them
/// holds a shared lock for as long as it lives. Call it before the connection's first transaction.
static inline int offstage_sqlite_is_only_connection(sqlite3 *db) {
  sqlite3_file *file = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  int is_only = file->pMethods->xLock(file, SQLITE_LOCK_SHARED) == SQLITE_OK &&
                file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK;
  file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
  return is_only;
}
