// What Swift needs of sys/vfs.h, sys/fsuid.h and sys/timex.h, which the module of the C library leaves out. Headers only: nothing is linked.
#ifndef TACHOGRAM_CFILESYSTEM_SHIM_H
#define TACHOGRAM_CFILESYSTEM_SHIM_H

#include <stdint.h>
#include <sys/fsuid.h>
#include <sys/timex.h>
#include <sys/vfs.h>

// The number of the type of the file system that holds what is at a path, through links; 0 where that is not known. The field
// is signed on some machines.
static inline uint32_t cfilesystem_type(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (uint32_t)status.f_type : 0;
}

// The same of an open file.
static inline uint32_t cfilesystem_type_of(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 ? (uint32_t)status.f_type : 0;
}

// Sets the user and the group by which this thread, and no other, accesses files. Returns whether they are set. Only root may
// choose; without root's user, the thread has none of root's rights to files.
static inline int cfilesystem_act_as(uint32_t user, uint32_t group) {
  setfsgid(group);
  setfsuid(user);
  // A call with an invalid value changes nothing and returns the value that is set.
  return setfsuid((uid_t)-1) == (int)user && setfsgid((gid_t)-1) == (int)group;
}

// Whether the kernel says that the clock is synchronised with another one: 1 or 0, or -1 if it does not say, as in a sandbox.
static inline int cfilesystem_is_clock_synchronised(void) {
  struct timex status = {0};
  int state = adjtimex(&status);
  if (state < 0) return -1;
  return state != TIME_ERROR && !(status.status & STA_UNSYNC);
}

#endif
