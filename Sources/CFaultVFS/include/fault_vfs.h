#ifndef TACHOGRAM_FAULT_VFS_H
#define TACHOGRAM_FAULT_VFS_H
#include <stdbool.h>
#include <stdint.h>

/// A layer between SQLite and the file system that fails as a disk does, for tests. It is the default file system of the
/// process from the first site on; files outside the folders of sites go straight to the one below it.

/// What a disk does.
enum fault_kind {
  /// There is no room: writes and the growth of files fail, half of the bytes of a write stored.
  FAULT_FULL = 1,
  /// Nothing works: each operation fails with the code that SQLite has for it, half of the bytes of a write stored.
  FAULT_INPUT_OUTPUT = 2,
  /// Locks are held by somebody else.
  FAULT_BUSY = 3,
  /// Nothing can be written.
  FAULT_READ_ONLY = 4,
};

/// A folder whose files can be made to fail.
typedef struct fault_site fault_site;

/// The site of an existing folder; `NULL` when there is no memory, or no such folder.
fault_site *fault_site_create(const char *folder);

/// Ends the site. Files that are open still go on, and fail no more.
void fault_site_destroy(fault_site *site);

/// Counts the operations that `kind` may fail, from now on, and fails number `first` (from 1) and those after it, `times`
/// of them.
void fault_site_fail(fault_site *site, enum fault_kind kind, int64_t first, int64_t times);

/// Lets files grow by so many bytes altogether from now on; what they are truncated by and what is deleted counts as room
/// again. The memory that processes share counts for nothing. Below 0: as they like.
void fault_site_leave_room(fault_site *site, int64_t bytes);

/// Lets everything work again.
void fault_site_mend(fault_site *site);

/// Operations that could have failed since the last `fault_site_fail`.
int64_t fault_site_operations(fault_site *site);

/// Operations that did fail since then.
int64_t fault_site_failures(fault_site *site);

/// The operation that failed last, such as `write`; `none` before the first.
const char *fault_site_last_failure(fault_site *site);

#endif
