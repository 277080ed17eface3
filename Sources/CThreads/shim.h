// What Swift needs of sys/eventfd.h and sys/prctl.h, which the module of the C library leaves out. Headers only: nothing is linked.
#ifndef TACHOGRAM_CTHREADS_SHIM_H
#define TACHOGRAM_CTHREADS_SHIM_H

#include <sys/eventfd.h>
#include <sys/prctl.h>

// A counter that makes its descriptor readable; -1 with errno.
static inline int cthreads_wake_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Names the calling thread; the kernel keeps 15 bytes. prctl is variadic, and pthread_setname_np needs _GNU_SOURCE: neither imports.
static inline void cthreads_set_name(const char *name) { prctl(PR_SET_NAME, name); }

#endif
