#include "FaultInjection.h"

#include "Fault.h"

static _Thread_local struct {
  int armed;
  enum fault_kind kind;
  long n;
  int repeats;
  long seen;
  long failed;
} state;

void fault_arm(enum fault_kind kind, long n, int repeats) {
  state.kind = kind;
  state.n = n;
  state.repeats = repeats;
  state.seen = state.failed = 0;
  state.armed = 1;
}

long fault_disarm(void) {
  state.armed = 0;
  return state.failed;
}

int fault_armed(void) { return state.armed; }

int fault_hits(enum fault_kind kind) {
  if (!state.armed || state.kind != kind) return 0;
  state.seen += 1;
  if (state.repeats ? state.seen < state.n : state.seen != state.n) return 0;
  state.failed += 1;
  return 1;
}
