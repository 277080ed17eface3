#ifndef TACHOGRAM_DASHBOARD_FILES_H
#define TACHOGRAM_DASHBOARD_FILES_H
#include <stddef.h>

/// A file of the page, as it was when the program was built.
struct dashboard_file {
  /// Path below the root of the page, without a leading slash.
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

/// How many files the page has.
extern const size_t dashboard_file_count;

/// A file of the page; `index` is below the count.
const struct dashboard_file *dashboard_file_at(size_t index);

#endif
