#pragma once

// The functions of glibc's <malloc.h>, which Swift's module of the C library lacks. Other C libraries do
// not have them.

#ifdef __linux__
__attribute__((weak)) extern int mallopt(int option, int value);
__attribute__((weak)) extern int malloc_trim(unsigned long kept);

static inline void offstage_share_free_memory(void) {
  const int arena_max = -8;
  if (mallopt) mallopt(arena_max, 1);
}

static inline void offstage_return_free_memory(void) {
  if (malloc_trim) malloc_trim(0);
}
#else
static inline void offstage_share_free_memory(void) {}
static inline void offstage_return_free_memory(void) {}
#endif
