// Wraps SQLite's default file system and allocator. Both pass every call through unless the thread is
// armed, so that other tests in the process are not affected.

#include "Fault.h"

#include <sqlite3.h>

// Files

static sqlite3_vfs *real_vfs;

/// SQLite allocates `szOsFile` bytes: this struct, and the real file behind it.
typedef struct {
  sqlite3_file base;
} fault_file;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((fault_file *)file + 1); }

static int x_close(sqlite3_file *f) { return real(f)->pMethods->xClose(real(f)); }
static int x_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at) {
  return real(f)->pMethods->xRead(real(f), p, n, at);
}
static int x_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at) {
  if (fault_hits(FAULT_WRITE)) {
    // Write half of the bytes, as on a full disk.
    real(f)->pMethods->xWrite(real(f), p, n / 2, at);
    return SQLITE_FULL;
  }
  return real(f)->pMethods->xWrite(real(f), p, n, at);
}
static int x_truncate(sqlite3_file *f, sqlite3_int64 size) {
  return real(f)->pMethods->xTruncate(real(f), size);
}
static int x_sync(sqlite3_file *f, int flags) {
  if (fault_hits(FAULT_SYNC)) return SQLITE_IOERR_FSYNC;
  // An armed thread makes thousands of runs. None of them loses power.
  return fault_armed() ? SQLITE_OK : real(f)->pMethods->xSync(real(f), flags);
}
static int x_size(sqlite3_file *f, sqlite3_int64 *size) {
  return real(f)->pMethods->xFileSize(real(f), size);
}
static int x_lock(sqlite3_file *f, int lock) { return real(f)->pMethods->xLock(real(f), lock); }
static int x_unlock(sqlite3_file *f, int lock) { return real(f)->pMethods->xUnlock(real(f), lock); }
static int x_reserved(sqlite3_file *f, int *out) {
  return real(f)->pMethods->xCheckReservedLock(real(f), out);
}
static int x_control(sqlite3_file *f, int op, void *p) {
  return real(f)->pMethods->xFileControl(real(f), op, p);
}
static int x_sector(sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); }
static int x_device(sqlite3_file *f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); }
static int x_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **p) {
  if (fault_hits(FAULT_SHM)) return SQLITE_IOERR_SHMMAP;
  return real(f)->pMethods->xShmMap(real(f), page, size, extend, p);
}
static int x_shm_lock(sqlite3_file *f, int at, int n, int flags) {
  return real(f)->pMethods->xShmLock(real(f), at, n, flags);
}
static void x_shm_barrier(sqlite3_file *f) { real(f)->pMethods->xShmBarrier(real(f)); }
static int x_shm_unmap(sqlite3_file *f, int delete) {
  return real(f)->pMethods->xShmUnmap(real(f), delete);
}

// Version 2: with shared memory, which the write-ahead log needs, and without memory mapping.
static const sqlite3_io_methods methods = {
    2,          x_close,   x_read,   x_write,    x_truncate, x_sync,    x_size,     x_lock,
    x_unlock,   x_reserved, x_control, x_sector, x_device,   x_shm_map, x_shm_lock, x_shm_barrier,
    x_shm_unmap};

static int x_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  file->pMethods = 0;
  if (fault_hits(FAULT_OPEN)) return SQLITE_CANTOPEN;
  int code = real_vfs->xOpen(real_vfs, name, real(file), flags, out_flags);
  if (real(file)->pMethods) file->pMethods = &methods;
  return code;
}

// Memory

static sqlite3_mem_methods real_memory;

static void *x_malloc(int n) { return fault_hits(FAULT_MALLOC) ? 0 : real_memory.xMalloc(n); }
static void *x_realloc(void *p, int n) {
  return fault_hits(FAULT_MALLOC) ? 0 : real_memory.xRealloc(p, n);
}

/// Runs before any other use of SQLite, after which the allocator cannot be replaced.
__attribute__((constructor)) static void install(void) {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory);
  static sqlite3_mem_methods memory;
  memory = real_memory;
  memory.xMalloc = x_malloc;
  memory.xRealloc = x_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
  static sqlite3_vfs vfs;
  real_vfs = sqlite3_vfs_find(0);
  vfs = *real_vfs;
  vfs.zName = "faults";
  vfs.szOsFile = (int)sizeof(fault_file) + real_vfs->szOsFile;
  vfs.pNext = 0;
  vfs.xOpen = x_open;
  sqlite3_vfs_register(&vfs, 1);
}
