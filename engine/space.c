#include "engine/space.h"

#include <stdlib.h>
#include <string.h>
#include "nlp/short_vectors.h"

int fp_space_block_unknowns(const FpSpace* s, int block) {
    return s->system->blocks[block].v_count + s->system->blocks[block].a_count;
}

int fp_space_unknown(const FpSpace* s, int block, int k) {
    const FpBlock* b = &s->system->blocks[block];
    return k < b->v_count ? s->v_at + b->v_at + k : s->a_at + b->a_at + k - b->v_count;
}

int fp_space_local_unknown(const FpSpace* s, const FpLocal* local, int k) {
    for (int b = 0; b + 1 < local->block_count; b++) {
        int nu = fp_space_block_unknowns(s, local->blocks[b]);
        if (k < nu) return fp_space_unknown(s, local->blocks[b], k);
        k -= nu;
    }
    return fp_space_unknown(s, local->blocks[local->block_count - 1], k);
}

/* Creation ------------------------------------------------------------------------------------- */

typedef struct Sizes {
    size_t rows, width, unknowns, basis, q_block;
} Sizes;

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static Sizes sizes_of(const FpSpace* space) {
    const FpSystem* s = space->system;
    Sizes z = {.rows = FREEPLAY_BLOCK_INVARIANTS};
    for (int b = 0; b < s->block_count; b++) {
        size_t nq = (size_t)s->blocks[b].q_count;
        size_t nu = (size_t)fp_space_block_unknowns(space, b);
        z.basis += nq * nu;
        z.q_block = larger(z.q_block, nq);
        z.unknowns = larger(z.unknowns, nu);
    }
    z.width = z.q_block;
    for (int c = 0; c < s->constraint_count; c++) {
        z.rows = larger(z.rows, (size_t)s->constraints[c]->row_count);
        z.width = larger(z.width, (size_t)fp_constraint_width(s, s->constraints[c]));
    }
    return z;
}

bool fp_space_create(FpSpace* s, const FpSystem* system, int v_at, int a_at) {
    *s = (FpSpace){.system = system, .v_at = v_at, .a_at = a_at};
    Sizes z = sizes_of(s);
    size_t nq = (size_t)system->q_count, local = FREEPLAY_CONSTRAINT_BLOCKS * z.unknowns;
    size_t sizes[] = {nq,
                      nq,
                      z.rows,
                      z.rows,
                      z.rows,
                      z.rows * local,
                      z.rows * local,
                      local * local,
                      z.rows * z.width,
                      z.width * z.width,
                      z.q_block * z.unknowns};
    double** const parts[] = {&s->q0,   &s->q1, &s->psi, &s->psi_t, &s->psi_tt, &s->DU,
                              &s->DU_t, &s->S,  &s->J,   &s->Hq,    &s->KH};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    size_t total = z.basis;
    for (int k = 0; k < PARTS; k++) total += sizes[k];
    s->memory = calloc(total + 1, sizeof *s->memory);
    s->K = calloc((size_t)system->block_count + 1, sizeof *s->K);
    if (!s->memory || !s->K) {
        fp_space_free(s);
        return false;
    }
    double* at = s->memory;
    for (int k = 0; k < PARTS; k++) {
        *parts[k] = at;
        at += sizes[k];
    }
    for (int b = 0; b < system->block_count; b++) {
        s->K[b] = at;
        at += system->blocks[b].q_count * fp_space_block_unknowns(s, b);
    }
    return true;
}

void fp_space_free(FpSpace* s) {
    free(s->memory);
    free(s->K);
    *s = (FpSpace){0};
}

void fp_space_start(FpSpace* s, const double* q0) {
    memcpy(s->q0, q0, (size_t)s->system->q_count * sizeof *q0);
    s->has_basis = false;
}

static void find_bases(FpSpace* space) {
    const FpSystem* s = space->system;
    if (space->has_basis) return;
    for (int b = 0; b < s->block_count; b++) {
        const double* q = space->q0 + s->blocks[b].q_at;
        if (s->ops->step_basis)
            s->ops->step_basis(s->self, b, q, space->K[b]);
        else
            s->ops->kinematics(s->self, b, q, space->K[b]);
    }
    space->has_basis = true;
}

static void move_along_basis(FpSpace* s, int b, const double* v, const double* a, double scale) {
    const FpBlock* block = &s->system->blocks[b];
    const double* q0 = s->q0 + block->q_at;
    double* q1 = s->q1 + block->q_at;
    int plain = block->plain, width = block->v_count + block->a_count;
    int first = block->v_count - plain;
    find_bases(s);
    const double* K = s->K[b] + plain * width + plain;
    for (int i = 0; i < plain; i++) q1[i] = q0[i] + scale * v[i];
    for (int i = plain; i < block->q_count; i++, K += width)
        q1[i] = q0[i] + scale * (fp_short_product(first, K, v + plain) +
                                 fp_short_product(block->a_count, K + first, a));
}

void fp_space_move_block(FpSpace* s, int block, const double* v, const double* a, double scale) {
    const FpSystem* system = s->system;
    int at = system->blocks[block].q_at;
    if (system->ops->step)
        system->ops->step(system->self, block, s->q0 + at, v, a, scale, s->q1 + at);
    else
        move_along_basis(s, block, v, a, scale);
}

void fp_space_move(FpSpace* s, const double* x, double scale) {
    for (int b = 0; b < s->system->block_count; b++) {
        const FpBlock* block = &s->system->blocks[b];
        fp_space_move_block(s, b, x + s->v_at + block->v_at, x + s->a_at + block->a_at, scale);
    }
}

/* Local sets ----------------------------------------------------------------------------------- */

FpLocal fp_space_constraint(const FpSpace* s, int constraint, int row_at) {
    const FpConstraint* c = s->system->constraints[constraint];
    FpLocal local = {.row_count = c->row_count, .row_at = row_at, .has_rate = c->ops->rate != NULL};
    for (int b = 0; b < c->block_count; b++) {
        if (c->blocks[b] < 0) continue;
        local.blocks[local.block_count++] = c->blocks[b];
        local.width += fp_space_block_unknowns(s, c->blocks[b]);
    }
    return local;
}

FpLocal fp_space_invariants(const FpSpace* s, int block) {
    const FpBlock* b = &s->system->blocks[block];
    return (FpLocal){.block_count = 1,
                     .blocks = {block},
                     .width = fp_space_block_unknowns(s, block),
                     .row_count = b->a_count,
                     .row_at = b->a_at};
}

void fp_space_rows(const FpSpace* s, double t, int constraint, double* psi) {
    const FpConstraint* c = s->system->constraints[constraint];
    const double* q[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(s->system, c, s->q1, q);
    c->ops->value(c, t, q, psi);
}

/* First derivatives ---------------------------------------------------------------------------- */

/* out(:, at..) = J(:, column..) K of a block. */
static void multiply_basis(FpSpace* s, int block, int rows, int J_width, int column, int width,
                           int at, double* out) {
    find_bases(s);
    int nq = s->system->blocks[block].q_count, nu = fp_space_block_unknowns(s, block);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < nu; k++) {
            double sum = 0;
            for (int j = 0; j < nq; j++)
                sum += s->J[i * J_width + column + j] * s->K[block][j * nu + k];
            out[i * width + at + k] = sum;
        }
}

/* out = J K of all blocks of a constraint; ground does not move. */
static void multiply_bases_of(FpSpace* s, const FpConstraint* c, const FpLocal* local,
                              double* out) {
    int J_width = fp_constraint_width(s->system, c);
    for (int b = 0, column = 0, at = 0; b < c->block_count; b++) {
        if (c->blocks[b] < 0) {
            column += FREEPLAY_GROUND_WIDTH;
            continue;
        }
        multiply_basis(s, c->blocks[b], c->row_count, J_width, column, local->width, at, out);
        at += fp_space_block_unknowns(s, c->blocks[b]);
        column += s->system->blocks[c->blocks[b]].q_count;
    }
}

void fp_space_derive_rows(FpSpace* s, double t, int constraint, const FpLocal* local) {
    const FpConstraint* c = s->system->constraints[constraint];
    const double* q[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(s->system, c, s->q1, q);
    if (local->has_rate) {
        size_t size = (size_t)(c->row_count * fp_constraint_width(s->system, c));
        memset(s->J, 0, size * sizeof *s->J);
        c->ops->rate(c, t, q, s->psi_t, s->psi_tt, s->J);
        multiply_bases_of(s, c, local, s->DU_t);
    }
    c->ops->jacobian(c, t, q, s->J);
    multiply_bases_of(s, c, local, s->DU);
}

void fp_space_derive_invariants(FpSpace* space, const double* q, int block, const FpLocal* local) {
    const FpSystem* s = space->system;
    const FpBlock* b = &s->blocks[block];
    s->ops->invariants(s->self, block, q + b->q_at, space->psi, space->J);
    multiply_basis(space, block, b->a_count, b->q_count, 0, local->width, 0, space->DU);
}

/* Second derivatives --------------------------------------------------------------------------- */

/* S(a.., b..) = K_a^T Hq(at_a.., at_b..) K_b. */
static void multiply_both(FpSpace* s, int a, int b, const double* Hq, int Hq_width, double* S,
                          int S_width) {
    find_bases(s);
    int nqa = s->system->blocks[a].q_count, nqb = s->system->blocks[b].q_count;
    int nua = fp_space_block_unknowns(s, a), nub = fp_space_block_unknowns(s, b);
    for (int i = 0; i < nqa; i++)
        for (int l = 0; l < nub; l++) {
            double sum = 0;
            for (int j = 0; j < nqb; j++) sum += Hq[i * Hq_width + j] * s->K[b][j * nub + l];
            s->KH[i * nub + l] = sum;
        }
    for (int k = 0; k < nua; k++)
        for (int l = 0; l < nub; l++) {
            double sum = 0;
            for (int i = 0; i < nqa; i++) sum += s->K[a][i * nua + k] * s->KH[i * nub + l];
            S[k * S_width + l] = sum;
        }
}

void fp_space_curve_rows(FpSpace* s, double t, int constraint, const double* weight,
                         const FpLocal* local) {
    const FpConstraint* c = s->system->constraints[constraint];
    int width = fp_constraint_width(s->system, c);
    bool any = false;
    for (int i = 0; i < c->row_count; i++) any = any || weight[i] != 0;
    memset(s->S, 0, (size_t)local->width * (size_t)local->width * sizeof *s->S);
    if (!any) return;
    const double* q[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(s->system, c, s->q1, q);
    memset(s->Hq, 0, (size_t)width * (size_t)width * sizeof *s->Hq);
    c->ops->hessian(c, t, q, weight, s->Hq);
    int q_at[FREEPLAY_CONSTRAINT_BLOCKS], u_at[FREEPLAY_CONSTRAINT_BLOCKS];
    for (int b = 0, column = 0, at = 0; b < c->block_count; b++) {
        bool ground = c->blocks[b] < 0;
        q_at[b] = column;
        u_at[b] = at;
        column += ground ? FREEPLAY_GROUND_WIDTH : s->system->blocks[c->blocks[b]].q_count;
        at += ground ? 0 : fp_space_block_unknowns(s, c->blocks[b]);
    }
    for (int a = 0; a < c->block_count; a++)
        for (int b = 0; b < c->block_count; b++)
            if (c->blocks[a] >= 0 && c->blocks[b] >= 0)
                multiply_both(s, c->blocks[a], c->blocks[b], s->Hq + q_at[a] * width + q_at[b],
                              width, s->S + u_at[a] * local->width + u_at[b], local->width);
}

void fp_space_curve_invariants(FpSpace* space, int block, const double* weight,
                               const FpLocal* local) {
    const FpSystem* s = space->system;
    int nq = s->blocks[block].q_count;
    memset(space->Hq, 0, (size_t)nq * (size_t)nq * sizeof *space->Hq);
    s->ops->invariant_hessian(s->self, block, space->q1 + s->blocks[block].q_at, weight, space->Hq);
    multiply_both(space, block, block, space->Hq, nq, space->S, local->width);
}
