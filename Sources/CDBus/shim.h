#ifndef TACHOGRAM_CDBUS_SHIM_H
#define TACHOGRAM_CDBUS_SHIM_H

#include <dbus/dbus.h>

#endif
