#ifndef TACHOGRAM_CZLIB_SHIM_H
#define TACHOGRAM_CZLIB_SHIM_H
#include <zlib.h>

/// deflateInit2 is a macro: the form that writes gzip, at the best level.
static inline int tachogram_gzip_begin(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

/// The form that writes no header, as files in a ZIP file have it, at the usual level.
static inline int tachogram_deflate_begin(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

#endif
