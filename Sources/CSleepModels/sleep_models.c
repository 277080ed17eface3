#include "sleep_models.h"

// The weights are embedded as they are: nothing to install beside the program.

static const unsigned char ws_gru_mesa[] = {
#embed "weights/ws-gru-mesa.bin"
};
static const unsigned char wrn_gru_mesa[] = {
#embed "weights/wrn-gru-mesa.bin"
};
static const unsigned char wrn_gru_mesa_weighted[] = {
#embed "weights/wrn-gru-mesa-weighted.bin"
};

#define MODEL_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct sleep_model models[] = {
    MODEL_OF("ws-gru-mesa", ws_gru_mesa),
    MODEL_OF("wrn-gru-mesa", wrn_gru_mesa),
    MODEL_OF("wrn-gru-mesa-weighted", wrn_gru_mesa_weighted),
};

const size_t sleep_model_count = sizeof models / sizeof models[0];

const struct sleep_model *sleep_model_at(size_t index) { return &models[index]; }
