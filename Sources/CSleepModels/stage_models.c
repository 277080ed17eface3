#include "sleep_models.h"

// The files are embedded as they are: nothing to install beside the program.

static const unsigned char heart_rate_movement_night[] = {
#embed "trees/heart-rate-movement-night.json"
};
static const unsigned char heart_rate_movement_causal[] = {
#embed "trees/heart-rate-movement-causal.json"
};
static const unsigned char heart_rate_night[] = {
#embed "trees/heart-rate-night.json"
};
static const unsigned char heart_rate_causal[] = {
#embed "trees/heart-rate-causal.json"
};
static const unsigned char movement_night[] = {
#embed "trees/movement-night.json"
};
static const unsigned char movement_causal[] = {
#embed "trees/movement-causal.json"
};

#define MODEL_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct stage_model models[] = {
    MODEL_OF("heart-rate-movement-night", heart_rate_movement_night),
    MODEL_OF("heart-rate-movement-causal", heart_rate_movement_causal),
    MODEL_OF("heart-rate-night", heart_rate_night),
    MODEL_OF("heart-rate-causal", heart_rate_causal),
    MODEL_OF("movement-night", movement_night),
    MODEL_OF("movement-causal", movement_causal),
};

const size_t stage_model_count = sizeof models / sizeof models[0];

const struct stage_model *stage_model_at(size_t index) { return &models[index]; }
