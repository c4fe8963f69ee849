/* What every function that can fail returns, and the sentence that goes with a refusal. */
#ifndef FREEPLAY_NLP_STATUS_H
#define FREEPLAY_NLP_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define FREEPLAY_STATUS_LIST(X)                                                     \
    X(FREEPLAY_OK, "ok")                                                            \
    X(FREEPLAY_INVALID_ARGUMENT, "argument outside its documented range")           \
    X(FREEPLAY_INVALID_MODEL, "model refused")                                      \
    X(FREEPLAY_FILE_ERROR, "file could not be read or written")                     \
    X(FREEPLAY_OUT_OF_MEMORY, "out of memory")                                      \
    X(FREEPLAY_NOT_FINITE, "a number is not finite")                                \
    X(FREEPLAY_NOT_CONVERGED, "solver stopped before its tolerance")                \
    X(FREEPLAY_INFEASIBLE, "no motion satisfies all the constraints")               \
    X(FREEPLAY_NOT_CERTIFIED, "solution refused by the certificate")                \
    X(FREEPLAY_STEP_TOO_LARGE, "h too large for the spin or for how contacts turn") \
    X(FREEPLAY_NOT_ASSEMBLED, "the joints do not hold at the start")                \
    X(FREEPLAY_LEFT_JOINT, "a body has left its joint")                             \
    X(FREEPLAY_CANCELLED, "cancelled by the caller")                                \
    X(FREEPLAY_SOLVER_FAILED, "solver failed internally")

typedef enum FpStatus {
#define FREEPLAY_STATUS_CONSTANT(name, text) name,
    FREEPLAY_STATUS_LIST(FREEPLAY_STATUS_CONSTANT)
#undef FREEPLAY_STATUS_CONSTANT
} FpStatus;

/* One English phrase for a status; never NULL. */
const char* fp_status_text(FpStatus status);

/* The reason of a refusal, in the user's words. Functions that take one accept NULL and leave it
 * untouched on success. */
typedef struct FpMessage {
    char field[64];  /* the field of the def that was wrong, "" if it was none in particular */
    char text[1024]; /* what was wrong and what would be right */
} FpMessage;

#if defined(__GNUC__)
#define FREEPLAY_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define FREEPLAY_PRINTF(at, first)
#endif

/* Writes the reason into message (unless NULL) and returns status, so that a refusal is one line.
 */
FpStatus fp_refuse(FpMessage* message, FpStatus status, const char* format, ...)
    FREEPLAY_PRINTF(3, 4);
/* The same for one field of a def; status is FREEPLAY_INVALID_ARGUMENT. */
FpStatus fp_refuse_field(FpMessage* message, const char* field, const char* format, ...)
    FREEPLAY_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
