/* Hands out parts of one piece of memory; while memory is NULL it only counts. */
#ifndef FREEPLAY_ENGINE_ARENA_H
#define FREEPLAY_ENGINE_ARENA_H

#include <stddef.h>

typedef struct FpArena {
    double* memory;
    size_t used;
} FpArena;

static inline double* fp_arena_part(FpArena* arena, size_t count) {
    double* at = arena->memory ? arena->memory + arena->used : NULL;
    arena->used += count;
    return at;
}

#endif
