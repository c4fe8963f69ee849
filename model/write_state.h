/* A model file with another initial state: the one that fp_assemble has found. */
#ifndef FREEPLAY_MODEL_WRITE_STATE_H
#define FREEPLAY_MODEL_WRITE_STATE_H

#include "engine/state.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the model file to new_path with position, orientation, velocity and angular_velocity of
 * the bodies from state. What has not changed stays as it is written, parameters included. Frames
 * that a joint takes from the start (a "pin" that is not given) are written too where its bodies
 * have moved, so that they stay where they are. `model` is that file as loaded, without settings.
 * Refuses if new_path exists, and if the copy would not be the same mechanism. */
FpStatus fp_model_write_state(const char* model_path, const FpModel* model, const FpState* state,
                              const char* new_path, FpMessage* message);

#ifdef __cplusplus
}
#endif
#endif
