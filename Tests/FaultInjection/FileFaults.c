// Replaces system calls on files, and one that starting a thread needs. A program's definitions
// take precedence over those of its libraries, so Foundation uses these, too. They pass every call
// through unless the thread is armed.

#ifdef __linux__

#define _GNU_SOURCE
#include "Fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// The next definition, from a sanitizer or the C library.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int fails(enum fault_kind kind, int error) {
  if (!fault_hits(kind)) return 0;
  errno = error;
  return 1;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return fails(FAULT_FILE_OPEN, EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return fails(FAULT_FILE_OPEN, EMFILE) ? -1 : REAL(open64)(path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE(flags)
  return fails(FAULT_FILE_OPEN, EMFILE) ? -1 : REAL(openat)(directory, path, flags, mode);
}

int mkstemp(char *path) { return fails(FAULT_FILE_OPEN, ENOSPC) ? -1 : REAL(mkstemp)(path); }

/// Writes half of the bytes, as on a full disk. Pipes and sockets always work.
ssize_t write(int file, const void *bytes, size_t count) {
  struct stat status;
  if (fault_armed() && fstat(file, &status) == 0 && S_ISREG(status.st_mode)
      && fault_hits(FAULT_FILE_WRITE)) {
    REAL(write)(file, bytes, count / 2);
    errno = ENOSPC;
    return -1;
  }
  return REAL(write)(file, bytes, count);
}

int fsync(int file) {
  if (fails(FAULT_FILE_SYNC, EIO)) return -1;
  // No run of an armed thread loses power.
  return fault_armed() ? 0 : REAL(fsync)(file);
}

int rename(const char *from, const char *to) {
  return fails(FAULT_FILE_RENAME, EIO) ? -1 : REAL(rename)(from, to);
}

int mkdir(const char *path, mode_t mode) {
  return fails(FAULT_FILE_MKDIR, ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  return fault_hits(FAULT_THREAD) ? EAGAIN : REAL(pthread_attr_setstacksize)(attributes, size);
}

#endif
