#pragma once

/// A kind of call to the system, or to SQLite's own layer above it.
enum fault_kind {
  // Calls of SQLite.
  FAULT_WRITE,
  FAULT_SYNC,
  FAULT_OPEN,
  FAULT_SHM,
  FAULT_MALLOC,
  // Calls of the whole program, on Linux.
  FAULT_FILE_OPEN,
  FAULT_FILE_WRITE,
  FAULT_FILE_SYNC,
  FAULT_FILE_RENAME,
  FAULT_FILE_MKDIR,
  FAULT_THREAD,
};

/// Makes the n-th call of a kind on this thread fail, counted from 1, and all later calls if
/// `repeats`.
void fault_arm(enum fault_kind kind, long n, int repeats);

/// Stops failing calls on this thread.
/// Returns the number of calls that have failed since `fault_arm`.
long fault_disarm(void);
