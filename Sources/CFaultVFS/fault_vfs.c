#include "fault_vfs.h"

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum operation {
  OPEN, CREATE, DELETE, ACCESS, READ, WRITE, TRUNCATE, SYNC, SIZE, LOCK, SHM_MAP, SHM_LOCK, OPERATIONS,
};

static const char *const names[OPERATIONS] = {
  "open", "create", "delete", "access", "read", "write", "truncate", "sync", "size", "lock", "shared memory",
  "shared lock",
};

/// What SQLite is told; 0 where a fault does not concern an operation.
static const int codes[][OPERATIONS] = {
  [FAULT_FULL] = {
    [CREATE] = SQLITE_CANTOPEN, [WRITE] = SQLITE_FULL, [SYNC] = SQLITE_IOERR_FSYNC, [SHM_MAP] = SQLITE_IOERR_SHMSIZE,
  },
  [FAULT_INPUT_OUTPUT] = {
    [OPEN] = SQLITE_CANTOPEN, [CREATE] = SQLITE_CANTOPEN, [DELETE] = SQLITE_IOERR_DELETE,
    [ACCESS] = SQLITE_IOERR_ACCESS, [READ] = SQLITE_IOERR_READ, [WRITE] = SQLITE_IOERR_WRITE,
    [TRUNCATE] = SQLITE_IOERR_TRUNCATE, [SYNC] = SQLITE_IOERR_FSYNC, [SIZE] = SQLITE_IOERR_FSTAT,
    [LOCK] = SQLITE_IOERR_LOCK, [SHM_MAP] = SQLITE_IOERR_SHMMAP, [SHM_LOCK] = SQLITE_IOERR_SHMLOCK,
  },
  [FAULT_BUSY] = { [LOCK] = SQLITE_BUSY, [SHM_LOCK] = SQLITE_BUSY },
  [FAULT_READ_ONLY] = {
    [CREATE] = SQLITE_CANTOPEN, [DELETE] = SQLITE_IOERR_DELETE, [WRITE] = SQLITE_READONLY,
    [TRUNCATE] = SQLITE_READONLY,
  },
};

struct fault_site {
  fault_site *next;
  char folder[PATH_MAX];
  size_t length;
  /// One of the test, and one of each open file.
  int references;
  /// 0 while nothing fails.
  enum fault_kind kind;
  int64_t first, times, operations, failures;
  /// Bytes that files may grow by; below 0: any.
  int64_t room;
  const char *last;
};

/// A file of a site; that of the file system below follows it in memory.
struct fault_file {
  sqlite3_file base;
  fault_site *site;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static fault_site *sites;
static sqlite3_vfs *below;

static sqlite3_file *inner(sqlite3_file *file) {
  return (sqlite3_file *)((struct fault_file *)file + 1);
}

// MARK: - Sites

/// The site of a path, with a reference to it; `NULL` where there is none.
static fault_site *site_of(const char *path) {
  fault_site *site = NULL;
  pthread_mutex_lock(&mutex);
  for (site = path ? sites : NULL; site; site = site->next) {
    if (!strncmp(path, site->folder, site->length) && path[site->length] == '/') {
      site->references++;
      break;
    }
  }
  pthread_mutex_unlock(&mutex);
  return site;
}

static void release(fault_site *site) {
  pthread_mutex_lock(&mutex);
  int left = --site->references;
  pthread_mutex_unlock(&mutex);
  if (!left) free(site);
}

/// Counts an operation; what SQLite is to be told, `SQLITE_OK` for that it works.
static int verdict(fault_site *site, enum operation operation) {
  int code = SQLITE_OK;
  pthread_mutex_lock(&mutex);
  if (site->kind && codes[site->kind][operation]) {
    int64_t number = ++site->operations;
    if (number >= site->first && number - site->first < site->times) {
      code = codes[site->kind][operation];
      site->failures++;
      site->last = names[operation];
    }
  }
  pthread_mutex_unlock(&mutex);
  return code;
}

static int verdict_of_file(sqlite3_file *file, enum operation operation) {
  return verdict(((struct fault_file *)file)->site, operation);
}

/// Takes room for a file to grow by some bytes, below 0 to shrink; whether there was enough.
static int take_room(fault_site *site, int64_t bytes) {
  int is_enough = 1;
  pthread_mutex_lock(&mutex);
  if (site->room >= 0) {
    is_enough = bytes <= site->room;
    if (is_enough) site->room -= bytes;
    else site->failures++;
  }
  pthread_mutex_unlock(&mutex);
  return is_enough;
}

/// What a file has to grow by to reach a size.
static int64_t growth(sqlite3_file *file, int64_t size) {
  sqlite3_int64 now = 0;
  return inner(file)->pMethods->xFileSize(inner(file), &now) ? 0 : size - now;
}

// MARK: - Files

static int file_close(sqlite3_file *file) {
  int code = inner(file)->pMethods ? inner(file)->pMethods->xClose(inner(file)) : SQLITE_OK;
  release(((struct fault_file *)file)->site);
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = verdict_of_file(file, READ);
  return code ? code : inner(file)->pMethods->xRead(inner(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = verdict_of_file(file, WRITE);
  if (!code) {
    int64_t more = growth(file, offset + count);
    if (more > 0 && !take_room(((struct fault_file *)file)->site, more)) return SQLITE_FULL;
    return inner(file)->pMethods->xWrite(inner(file), bytes, count, offset);
  }
  if (code != SQLITE_READONLY && count > 1) {
    (void)inner(file)->pMethods->xWrite(inner(file), bytes, count / 2, offset);
  }
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = verdict_of_file(file, TRUNCATE);
  if (!code) (void)take_room(((struct fault_file *)file)->site, growth(file, size));
  return code ? code : inner(file)->pMethods->xTruncate(inner(file), size);
}

/// Nothing is waited for: the tests end processes, not machines.
static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  return verdict_of_file(file, SYNC);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = verdict_of_file(file, SIZE);
  return code ? code : inner(file)->pMethods->xFileSize(inner(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  int code = verdict_of_file(file, LOCK);
  return code ? code : inner(file)->pMethods->xLock(inner(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return inner(file)->pMethods->xUnlock(inner(file), level);
}

static int file_check_reserved_lock(sqlite3_file *file, int *result) {
  return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return inner(file)->pMethods->xSectorSize(inner(file));
}

static int file_device_characteristics(sqlite3_file *file) {
  return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

static int file_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  int code = extend ? verdict_of_file(file, SHM_MAP) : SQLITE_OK;
  return code ? code : inner(file)->pMethods->xShmMap(inner(file), region, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  int code = flags & SQLITE_SHM_LOCK ? verdict_of_file(file, SHM_LOCK) : SQLITE_OK;
  return code ? code : inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
  inner(file)->pMethods->xShmBarrier(inner(file));
}

static int file_shm_unmap(sqlite3_file *file, int delete) {
  return inner(file)->pMethods->xShmUnmap(inner(file), delete);
}

/// Version 2: without mapped pages, whose reads nobody would see.
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_reserved_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_device_characteristics,
  .xShmMap = file_shm_map,
  .xShmLock = file_shm_lock,
  .xShmBarrier = file_shm_barrier,
  .xShmUnmap = file_shm_unmap,
};

// MARK: - The file system

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  (void)vfs;
  fault_site *site = site_of(path);
  if (!site) return below->xOpen(below, path, file, flags, opened);
  file->pMethods = NULL;
  int exists = 0;
  (void)below->xAccess(below, path, SQLITE_ACCESS_EXISTS, &exists);
  int code = verdict(site, exists ? OPEN : CREATE);
  if (!code) {
    inner(file)->pMethods = NULL;
    code = below->xOpen(below, path, inner(file), flags, opened);
    // A file that could not be opened may have to be closed all the same.
    if (code && inner(file)->pMethods) (void)inner(file)->pMethods->xClose(inner(file));
  }
  if (code) {
    release(site);
    return code;
  }
  ((struct fault_file *)file)->site = site;
  file->pMethods = &methods;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int synchronise) {
  (void)vfs;
  fault_site *site = site_of(path);
  if (!site) return below->xDelete(below, path, synchronise);
  int code = verdict(site, DELETE);
  struct stat status;
  if (!code && !stat(path, &status)) (void)take_room(site, -status.st_size);
  release(site);
  return code ? code : below->xDelete(below, path, 0);
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  fault_site *site = site_of(path);
  if (!site) return below->xAccess(below, path, flags, result);
  int code = verdict(site, ACCESS);
  release(site);
  return code ? code : below->xAccess(below, path, flags, result);
}

static sqlite3_vfs vfs;

static void install(void) {
  below = sqlite3_initialize() ? NULL : sqlite3_vfs_find(NULL);
  if (!below) return;
  // All that is not replaced goes to the one below, which looks at nothing of its own argument but its application data.
  vfs = *below;
  vfs.zName = "tachogram-faults";
  vfs.szOsFile = (int)sizeof(struct fault_file) + below->szOsFile;
  vfs.pNext = NULL;
  vfs.xOpen = vfs_open;
  vfs.xDelete = vfs_delete;
  vfs.xAccess = vfs_access;
  if (sqlite3_vfs_register(&vfs, 1)) below = NULL;
}

// MARK: - For tests

fault_site *fault_site_create(const char *folder) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  fault_site *site = below ? calloc(1, sizeof *site) : NULL;
  if (!site) return NULL;
  if (!realpath(folder, site->folder)) {
    free(site);
    return NULL;
  }
  site->length = strlen(site->folder);
  site->references = 1;
  site->room = -1;
  site->last = "none";
  pthread_mutex_lock(&mutex);
  site->next = sites;
  sites = site;
  pthread_mutex_unlock(&mutex);
  return site;
}

void fault_site_destroy(fault_site *site) {
  pthread_mutex_lock(&mutex);
  for (fault_site **link = &sites; *link; link = &(*link)->next) {
    if (*link == site) {
      *link = site->next;
      break;
    }
  }
  site->kind = 0;
  pthread_mutex_unlock(&mutex);
  release(site);
}

void fault_site_fail(fault_site *site, enum fault_kind kind, int64_t first, int64_t times) {
  pthread_mutex_lock(&mutex);
  site->kind = kind;
  site->first = first;
  site->times = times;
  site->operations = site->failures = 0;
  site->last = "none";
  pthread_mutex_unlock(&mutex);
}

void fault_site_leave_room(fault_site *site, int64_t bytes) {
  pthread_mutex_lock(&mutex);
  site->room = bytes;
  pthread_mutex_unlock(&mutex);
}

void fault_site_mend(fault_site *site) {
  pthread_mutex_lock(&mutex);
  site->kind = 0;
  site->room = -1;
  pthread_mutex_unlock(&mutex);
}

int64_t fault_site_operations(fault_site *site) {
  pthread_mutex_lock(&mutex);
  int64_t count = site->operations;
  pthread_mutex_unlock(&mutex);
  return count;
}

int64_t fault_site_failures(fault_site *site) {
  pthread_mutex_lock(&mutex);
  int64_t count = site->failures;
  pthread_mutex_unlock(&mutex);
  return count;
}

const char *fault_site_last_failure(fault_site *site) {
  pthread_mutex_lock(&mutex);
  const char *name = site->last;
  pthread_mutex_unlock(&mutex);
  return name;
}
