#pragma once

/// A kind of call that SQLite makes to the system.
enum fault_kind { FAULT_WRITE, FAULT_SYNC, FAULT_OPEN, FAULT_SHM, FAULT_MALLOC };

/// Makes the n-th call of a kind on this thread fail, counted from 1, and all after it if it repeats.
void fault_arm(enum fault_kind kind, long n, int repeats);

/// Stops failing calls on this thread.
/// Returns the number of calls that have failed since `fault_arm`.
long fault_disarm(void);
