#ifndef TACHOGRAM_SLEEP_MODELS_H
#define TACHOGRAM_SLEEP_MODELS_H
#include <stddef.h>

/// The weights of a network, little-endian float32, as weights/README.md lists the tensors.
struct sleep_model {
  /// Name of the network, as its authors call it.
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// How many networks there are.
extern const size_t sleep_model_count;

/// A network; `index` is below the count.
const struct sleep_model *sleep_model_at(size_t index);

/// A model of trees and a chain, in JSON; tools/lib/sleep/README.md describes it.
struct stage_model {
  /// Name of the file without its extension.
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// How many models there are.
extern const size_t stage_model_count;

/// A model; `index` is below the count.
const struct stage_model *stage_model_at(size_t index);

#endif
