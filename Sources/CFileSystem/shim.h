// What Swift needs of sys/vfs.h, which the module of the C library leaves out. Headers only: nothing is linked.
#ifndef TACHOGRAM_CFILESYSTEM_SHIM_H
#define TACHOGRAM_CFILESYSTEM_SHIM_H

#include <stdint.h>
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

#endif
