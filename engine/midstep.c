#include "engine/midstep.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITERATION_LIMIT 100

bool fp_midstep_create(FpMidstep* m, const FpSystem* s) {
    size_t largest = 0, longest = 0, turns = 0;
    for (int b = 0; b < s->block_count; b++) {
        size_t nq = (size_t)s->blocks[b].q_count, nv = (size_t)s->blocks[b].v_count;
        largest = nq * nv > largest ? nq * nv : largest;
        longest = nq > longest ? nq : longest;
        if (s->blocks[b].a_count) turns += nv * nv;
    }
    *m = (FpMidstep){.system = s, .memory = calloc(largest + longest + turns + 1, sizeof(double))};
    m->T = calloc((size_t)s->block_count + 1, sizeof *m->T);
    if (!m->memory || !m->T) {
        fp_midstep_free(m);
        return false;
    }
    m->B = m->memory;
    m->rate = m->B + largest;
    double* at = m->rate + longest;
    for (int b = 0; b < s->block_count && s->ops->midstep_tangent; b++) {
        if (!s->blocks[b].a_count) continue;
        m->T[b] = at;
        at += s->blocks[b].v_count * s->blocks[b].v_count;
    }
    return true;
}

void fp_midstep_free(FpMidstep* m) {
    free(m->memory);
    free(m->T);
    *m = (FpMidstep){0};
}

/* rate += B(q) v of a block */
static void add_rate(FpMidstep* m, int block, const double* q, const double* v) {
    const FpBlock* b = &m->system->blocks[block];
    m->system->ops->kinematics(m->system->self, block, q, m->B);
    for (int i = 0; i < b->q_count; i++)
        for (int j = 0; j < b->v_count; j++) m->rate[i] += m->B[i * b->v_count + j] * v[j];
}

/* For kinematics that nothing is known of: from B(q0) v, until q1 stays. */
static bool iterate(FpMidstep* m, int block, const double* q0, const double* v, double h,
                    double* q1) {
    int n = m->system->blocks[block].q_count;
    memcpy(q1, q0, (size_t)n * sizeof *q1);
    for (int k = 0; k < ITERATION_LIMIT; k++) {
        double change = 0, size = 0;
        memset(m->rate, 0, (size_t)n * sizeof *m->rate);
        add_rate(m, block, q0, v);
        add_rate(m, block, q1, v);
        for (int i = 0; i < n; i++) {
            double next = q0[i] + h / 2 * m->rate[i];
            change = fmax(change, fabs(next - q1[i]));
            size = fmax(size, fmax(fabs(next), fabs(h * m->rate[i])));
            q1[i] = next;
        }
        if (!(change > 2 * DBL_EPSILON * size)) return isfinite(change);
    }
    return false;
}

bool fp_midstep_move(FpMidstep* m, const double* q0, const double* v, double h, double* q1) {
    const FpSystem* s = m->system;
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        const double *q = q0 + block->q_at, *u = v + block->v_at;
        bool moved = s->ops->midstep ? s->ops->midstep(s->self, b, q, u, h, q1 + block->q_at)
                                     : iterate(m, b, q, u, h, q1 + block->q_at);
        if (!moved) return false;
    }
    return true;
}

void fp_midstep_turn(FpMidstep* m, const FpRows* rows, const double* v, double h, double* D) {
    const FpSystem* s = m->system;
    for (int b = 0; b < s->block_count; b++)
        if (m->T[b]) s->ops->midstep_tangent(s->self, b, v + s->blocks[b].v_at, h, m->T[b]);
    fp_rows_turn_slopes(rows, (const double* const*)m->T, D);
}
