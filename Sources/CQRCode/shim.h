#ifndef TACHOGRAM_CQRCODE_SHIM_H
#define TACHOGRAM_CQRCODE_SHIM_H
#include <qrencode.h>

#endif
