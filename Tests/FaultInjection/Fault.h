#pragma once

#include "FaultInjection.h"

/// Counts a call on this thread. Returns true if the call must fail.
int fault_hits(enum fault_kind kind);

/// True between `fault_arm` and `fault_disarm`.
int fault_armed(void);
