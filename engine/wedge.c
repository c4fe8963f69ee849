#include "engine/wedge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"

#define MANY 60 /* bilateral rows: with more of them contacts are looked at by themselves */

bool fp_wedge_create(FpWedge* w, const FpSystem* system, const FpRows* rows) {
    size_t nv = (size_t)system->v_count, nr = (size_t)system->row_count;
    *w = (FpWedge){.system = system, .bilateral = calloc(nr + 1, sizeof *w->bilateral)};
    for (int i = 0; i < system->row_count && w->bilateral; i++)
        if (rows->info[i]->kind == FREEPLAY_ROW_BILATERAL) w->bilateral[w->bilateral_count++] = i;
    size_t nb = w->bilateral_count <= MANY ? (size_t)w->bilateral_count : 0;
    w->memory = calloc(2 * nv + nb * nb + 2 * nb + 1, sizeof *w->memory);
    if (!w->bilateral || !w->memory) {
        fp_wedge_free(w);
        return false;
    }
    w->force = w->memory;
    w->response = w->force + nv;
    w->N = w->response + nv;
    w->along = w->N + nb * nb;
    w->against = w->along + nb;
    return true;
}

void fp_wedge_free(FpWedge* w) {
    free(w->bilateral);
    free(w->memory);
    *w = (FpWedge){0};
}

/* force += scale W_i over the velocities. */
static void add_row(const FpRows* rows, int row, double scale, double* force) {
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* part = &rows->blocks[b];
        int i = row - part->row_at;
        if (i < 0 || i >= part->row_count) continue;
        const double* W = part->Wt + i * part->stride;
        for (int k = 0; k < part->v_count; k++) force[part->v_at + k] += scale * W[k];
    }
}

static double along_row(const FpRows* rows, int row, const double* v) {
    double sum = 0;
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* part = &rows->blocks[b];
        int i = row - part->row_at;
        if (i < 0 || i >= part->row_count) continue;
        const double* W = part->Wt + i * part->stride;
        for (int k = 0; k < part->v_count; k++) sum += W[k] * v[part->v_at + k];
    }
    return sum;
}

/* The velocities that a unit force of a row causes. */
static void respond(FpWedge* w, const FpRows* rows, const FpMass* mass, int row) {
    memset(w->force, 0, (size_t)w->system->v_count * sizeof *w->force);
    add_row(rows, row, 1, w->force);
    fp_mass_solve(mass, w->force, w->response);
}

/* N of the joints that are there, as a factor, once a step; false where they are redundant. */
static bool factor_joints(FpWedge* w, const FpRows* rows, const FpMass* mass) {
    int nb = w->bilateral_count;
    for (int i = 0; i < nb; i++) {
        respond(w, rows, mass, w->bilateral[i]);
        for (int j = 0; j < nb; j++)
            w->N[j + nb * i] = along_row(rows, w->bilateral[j], w->response);
        if (!rows->applies[w->bilateral[i]]) w->N[i + nb * i] = 1;
    }
    return fp_dense_factor(nb, w->N) == FREEPLAY_OK;
}

/* What the joints take away from the response a of a contact: e N^-1 c, with what the normal
 * force (e) and the normal force with its friction (c) do to them. */
static double held_by_joints(FpWedge* w, const FpRows* rows, const FpMass* mass, int normal) {
    double sum = 0;
    int nb = w->bilateral_count;
    for (int i = 0; i < nb; i++) w->along[i] = along_row(rows, w->bilateral[i], w->response);
    respond(w, rows, mass, normal);
    for (int i = 0; i < nb; i++) w->against[i] = along_row(rows, w->bilateral[i], w->response);
    if (!w->is_factored && !factor_joints(w, rows, mass)) return 0;
    w->is_factored = true;
    fp_dense_solve(nb, w->N, w->along);
    for (int i = 0; i < nb; i++) sum += w->against[i] * w->along[i];
    return sum;
}

/* Whether the gap of a contact does not open under a normal force and the friction against its
 * slip: W_N^T M^-1 (W_N - mu W_T d) <= 0, the joints held. */
static bool is_wedged(FpWedge* w, const FpRows* rows, const FpMass* mass, const FpSlip* slip,
                      const double* gamma, double speed) {
    double mu = rows->info[slip->row]->friction;
    memset(w->force, 0, (size_t)w->system->v_count * sizeof *w->force);
    add_row(rows, slip->row, 1, w->force);
    fp_mass_solve(mass, w->force, w->response);
    double alone = along_row(rows, slip->row, w->response);
    for (int i = 0; i < slip->count; i++)
        add_row(rows, slip->slip_at + i, -mu * gamma[i] / speed, w->force);
    fp_mass_solve(mass, w->force, w->response);
    double opens = along_row(rows, slip->row, w->response);
    bool has_joints = w->bilateral_count > 0 && w->bilateral_count <= MANY;
    if (has_joints) opens -= held_by_joints(w, rows, mass, slip->row);
    return alone > 0 && opens <= 0;
}

int fp_wedge_count(FpWedge* w, const FpRows* rows, const FpMass* mass, const double* slip_rates,
                   const double* before, const double* after) {
    int count = 0;
    w->is_factored = false;
    for (int k = 0; k < rows->slip_count; k++) {
        const FpSlip* slip = &rows->slips[k];
        const double* gamma = slip_rates + slip->slip_at;
        double speed = 0;
        bool pushes = before[slip->row] > 0 || after[slip->row] > 0;
        for (int i = 0; i < slip->count; i++) speed = hypot(speed, gamma[i]);
        if (pushes && speed > 0 && is_wedged(w, rows, mass, slip, gamma, speed)) count++;
    }
    return count;
}
