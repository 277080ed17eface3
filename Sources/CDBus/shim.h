#ifndef TACHOGRAM_CDBUS_SHIM_H
#define TACHOGRAM_CDBUS_SHIM_H

#include <dbus/dbus.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/* <sys/eventfd.h> is not part of Swift's Glibc module. */
static inline int cdbus_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* prctl is variadic, and pthread_setname_np needs _GNU_SOURCE: neither imports. */
static inline void cdbus_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

#endif
