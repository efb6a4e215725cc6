#include "FaultInjection.h"

#include "Fault.h"

#ifdef PRELOADED
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A library for any program: all threads count together, and the environment says what fails.
#define PER_THREAD
#else
#define PER_THREAD _Thread_local
#endif

static PER_THREAD struct {
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

#ifdef PRELOADED
/// Reads the kind of call that fails, n, and 1 for repeats, such as `FAULT="write 3 0"`.
__attribute__((constructor)) static void arm_by_environment(void) {
  static const struct {
    const char *name;
    enum fault_kind kind;
  } kinds[] = {
      {"open", FAULT_FILE_OPEN},
      {"write", FAULT_FILE_WRITE},
      {"sync", FAULT_FILE_SYNC},
      {"rename", FAULT_FILE_RENAME},
  };
  const char *text = getenv("FAULT");
  char name[8];
  int repeats;
  long n;
  if (!text || sscanf(text, "%7s %ld %d", name, &n, &repeats) != 3) return;
  for (int i = 0; i < 4; i++)
    if (strcmp(name, kinds[i].name) == 0) fault_arm(kinds[i].kind, n, repeats);
}
#endif
