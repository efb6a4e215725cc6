#define _GNU_SOURCE
#include "OffstageLibc.h"

#ifdef __linux__
#include <features.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>
#include <spawn.h>

void offstage_share_free_memory(void) { mallopt(M_ARENA_MAX, 1); }

void offstage_return_free_memory(void) { malloc_trim(0); }

void offstage_spawn_close_from(void *actions, int first) {
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(actions, first);
#endif
}
#else
void offstage_share_free_memory(void) {}
void offstage_return_free_memory(void) {}
void offstage_spawn_close_from(void *actions, int first) {}
#endif
