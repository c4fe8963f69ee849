/* How random programs are drawn: velocities that respect all rows come first, and the gaps follow
 * from them, so that there is always a solution. */
#include "bench/random_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"

const char* const random_family_names[RANDOM_FAMILY_COUNT] = {
    "generic", "degenerate", "redundant", "scaled",      "bilateral",
    "many",    "closed",     "open",      "wrong-start", "mixed"};

/* Probabilities, and what else makes a family. */
typedef struct Recipe {
    int fewest, most;    /* rows */
    double decades;      /* over which masses, lengths, times and rows spread */
    double redundant;    /* rows made from others */
    double bilateral;    /* rows */
    double closed;       /* rows at the velocities that respect all */
    double warm;         /* rows with a force to start from */
    bool integers;       /* small ones, and no spread at all */
    bool pushed, parted; /* the rows closed are those of the solution; the free motion opens all */
} Recipe;

static const Recipe recipes[] = {
    [RANDOM_GENERIC] = {.fewest = 1, .most = 12, .closed = 0.5, .warm = 0.3},
    [RANDOM_DEGENERATE] = {.fewest = 1, .most = 16, .closed = 0.7, .warm = 0.3, .integers = true},
    [RANDOM_REDUNDANT] = {2, 20, 0, 0.5, 0.2, 0.6, 0.3, false, false, false},
    [RANDOM_SCALED] = {.fewest = 1, .most = 16, .decades = 12, .closed = 0.5, .warm = 0.3},
    [RANDOM_BILATERAL] = {2, 16, 0, 0, 0.4, 0.5, 0.3, false, false, false},
    [RANDOM_MANY] = {20, 40, 0, 0.1, 0.05, 0.5, 0.3, false, false, false},
    [RANDOM_CLOSED] = {.fewest = 1, .most = 24, .closed = 1, .warm = 0.3, .pushed = true},
    [RANDOM_OPEN] = {.fewest = 1, .most = 24, .warm = 0.3, .parted = true},
    [RANDOM_WRONG_START] = {.fewest = 4, .most = 40, .closed = 0.5, .warm = 0.9},
    [RANDOM_MIXED] = {1, 40, 6, 0.3, 0.15, 0.6, 0.5, false, false, false},
    [RANDOM_INFEASIBLE] = {.fewest = 2, .most = 12, .closed = 0.5, .warm = 0.3},
};

/* What is needed only while a program is drawn. */
typedef struct Draw {
    RandomProgram* p;
    const Recipe* recipe;
    uint64_t state;
    double decades;               /* of this program */
    double time, mass;            /* units */
    double column_size[RANDOM_V]; /* velocities are measured in different units */
    double v[RANDOM_V];           /* that respect all rows, */
    double psi[RANDOM_ROWS];      /* and the rows there, in row_size */
} Draw;

/* Numbers -------------------------------------------------------------------------------------- */

/* splitmix64. */
static uint64_t next(Draw* d) {
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [0, 1). */
static double uniform(Draw* d) {
    return (double)(next(d) >> 11) * 0x1p-53;
}

static bool chance(Draw* d, double probability) {
    return uniform(d) < probability;
}

static int between(Draw* d, int least, int most) {
    return least + (int)(next(d) % (uint64_t)(most - least + 1));
}

/* In [-1, 1), or one of -1, 0, 1. */
static double entry(Draw* d) {
    return d->recipe->integers ? between(d, -1, 1) : 2 * uniform(d) - 1;
}

/* A factor over so many decades around 1. */
static double spread(Draw* d, double decades) {
    double exponent = decades * (uniform(d) - 0.5);
    return decades > 0 ? pow(10, exponent) : 1;
}

/* Masses --------------------------------------------------------------------------------------- */

static void draw_mass(Draw* d, RandomBlock* block) {
    int n = block->v_count;
    double A[RANDOM_BLOCK_V * RANDOM_BLOCK_V], factor[RANDOM_BLOCK_V * RANDOM_BLOCK_V];
    double mass = d->recipe->integers ? between(d, 1, 2) : d->mass * spread(d, d->decades);
    for (int k = 0; k < n * n; k++) A[k] = d->recipe->integers ? 0 : 0.5 * entry(d);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j;
            for (int k = 0; k < n; k++) sum += A[n * i + k] * A[n * j + k];
            factor[n * i + j] = sum;
            block->M[n * i + j] =
                sum * mass * (d->column_size[block->v_at + i] * d->column_size[block->v_at + j]);
        }
    (void)fp_dense_factor(n, factor); /* its eigenvalues are 1 or more */
    for (int j = 0; j < n; j++) {
        double column[RANDOM_BLOCK_V] = {0};
        column[j] = 1;
        fp_dense_solve(n, factor, column);
        for (int i = 0; i < n; i++)
            block->inverse[n * i + j] = column[i] / mass / d->column_size[block->v_at + i] /
                                        d->column_size[block->v_at + j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) block->inverse[n * i + j] = block->inverse[n * j + i];
}

static void draw_blocks(Draw* d) {
    RandomProgram* p = d->p;
    p->block_count = between(d, 1, p->row_count < 8 ? 3 : RANDOM_BLOCKS);
    for (int b = 0; b < p->block_count; b++) {
        RandomBlock* block = &p->blocks[b];
        block->v_count = chance(d, 0.5) ? 6 : between(d, 1, 3);
        block->v_at = p->v_count;
        p->v_count += block->v_count;
        for (int j = block->v_at; j < p->v_count; j++)
            d->column_size[j] = spread(d, d->decades / 4);
        draw_mass(d, block);
    }
}

/* Rows ----------------------------------------------------------------------------------------- */

static void add_part(RandomProgram* p, int row_at, int row_count, int block, int at, int stride) {
    const RandomBlock* b = &p->blocks[block];
    p->parts[p->part_count++] = (FpStructurePart){.row_at = row_at,
                                                  .row_count = row_count,
                                                  .block = block,
                                                  .v_at = b->v_at,
                                                  .v_count = b->v_count,
                                                  .at = at,
                                                  .stride = stride};
}

/* Groups of rows over one block or two. */
static void draw_groups(Draw* d) {
    RandomProgram* p = d->p;
    for (int row = 0, at = 0, count; row < p->row_count; row += count) {
        int left = p->row_count - row, first = between(d, 0, p->block_count - 1);
        count = between(d, left > 1 && row == 0 ? 2 : 1, left < 8 ? left : 8);
        int second = between(d, 0, p->block_count - 1);
        bool both = second != first;
        int stride = p->blocks[first].v_count + (both ? p->blocks[second].v_count : 0);
        add_part(p, row, count, first, at, stride);
        if (both) add_part(p, row, count, second, at + p->blocks[first].v_count, stride);
        at += count * stride;
    }
}

static void draw_row(Draw* d, int row, int first_part) {
    RandomProgram* p = d->p;
    const FpStructurePart* part = &p->parts[first_part];
    bool any = false;
    p->row_size[row] = spread(d, d->decades);
    for (; part < p->parts + p->part_count && part->row_at == p->parts[first_part].row_at; part++)
        for (int j = part->v_at; j < part->v_at + part->v_count; j++) {
            double W = entry(d);
            any = any || W != 0;
            p->Wt[row][j] = W * p->row_size[row] * d->column_size[j];
        }
    if (!any) p->Wt[row][p->parts[first_part].v_at] = 1;
    p->bilateral[row] = chance(d, d->recipe->bilateral);
    bool closed = p->bilateral[row] || chance(d, d->recipe->closed);
    d->psi[row] = closed ? 0 : p->size * (d->recipe->integers ? 1 : uniform(d));
    if (!d->recipe->integers && chance(d, 0.3)) p->drift[row] = entry(d) * p->size / d->time;
    p->drift[row] *= p->row_size[row];
    double sum = p->drift[row];
    for (int j = 0; j < p->v_count; j++) sum += p->Wt[row][j] * d->v[j];
    p->gap[row] = d->psi[row] * p->row_size[row] - d->time * sum;
}

/* Row = c row a + e row b + what it is open in addition. */
static void combine(Draw* d, int row, int a, double c, int b, double e, double open) {
    RandomProgram* p = d->p;
    for (int j = 0; j < p->v_count; j++) p->Wt[row][j] = c * p->Wt[a][j] + e * p->Wt[b][j];
    p->gap[row] = c * p->gap[a] + e * p->gap[b] + open;
    p->drift[row] = c * p->drift[a] + e * p->drift[b];
    p->row_size[row] = fmax(fabs(c) * p->row_size[a], fabs(e) * p->row_size[b]);
    d->psi[row] =
        (c * d->psi[a] * p->row_size[a] + e * d->psi[b] * p->row_size[b] + open) / p->row_size[row];
}

/* Repeats, scales, opposes or combines rows from `from` on. */
static void derive_row(Draw* d, int row, int from) {
    RandomProgram* p = d->p;
    int a = between(d, from, row - 1), b = between(d, from, row - 1);
    double size = p->row_size[a], open = chance(d, 0.5) ? 0 : uniform(d) * p->size;
    p->bilateral[row] = p->bilateral[a];
    switch (between(d, 0, 3)) {
    case 0:
        combine(d, row, a, 1, a, 0, 0);
        break;
    case 1:
        combine(d, row, a, ldexp(1, between(d, -3, 3)), a, 0, 0);
        break;
    case 2: /* psi = open where row a has the one that it was given */
        p->bilateral[row] = false;
        combine(d, row, a, -1, a, 0, d->psi[a] * size + open * size);
        break;
    default:
        p->bilateral[row] = p->bilateral[a] && p->bilateral[b];
        combine(d, row, a, 0.5 + uniform(d), b, (0.5 + uniform(d)) * size / p->row_size[b],
                p->bilateral[row] ? 0 : open * size);
    }
}

static void draw_rows(Draw* d) {
    RandomProgram* p = d->p;
    for (int k = 0; k < p->part_count; k++) {
        const FpStructurePart* part = &p->parts[k];
        if (k > 0 && part->row_at == p->parts[k - 1].row_at) continue;
        for (int i = 0; i < part->row_count; i++) {
            int row = part->row_at + i;
            if (i > 0 && chance(d, d->recipe->redundant))
                derive_row(d, row, part->row_at);
            else
                draw_row(d, row, k);
        }
    }
}

/* The second row wants what the first one forbids. */
static void contradict(Draw* d) {
    combine(d, 1, 0, -1, 0, 0, -d->p->gap[0]);
    d->p->gap[1] = -d->p->gap[0] - d->p->size;
}

/* Motion --------------------------------------------------------------------------------------- */

static void find_acceleration(RandomProgram* p, const double* f, double* a) {
    for (int b = 0; b < p->block_count; b++)
        for (int i = 0, n = p->blocks[b].v_count, at = p->blocks[b].v_at; i < n; i++) {
            a[at + i] = 0;
            for (int j = 0; j < n; j++) a[at + i] += p->blocks[b].inverse[n * i + j] * f[at + j];
        }
}

static void draw_motion(Draw* d) {
    RandomProgram* p = d->p;
    bool rest = d->recipe->integers;
    for (int b = 0; b < p->block_count; b++)
        for (int i = 0, n = p->blocks[b].v_count, at = p->blocks[b].v_at; i < n; i++) {
            double speed = p->size / d->time / d->column_size[at + i];
            double load = p->blocks[b].M[n * i + i] * speed / d->time;
            d->v[at + i] = rest ? 0 : entry(d) * speed;
            p->v0[at + i] = entry(d) * speed;
            p->f[at + i] = entry(d) * load;
        }
    find_acceleration(p, p->f, p->a);
    if (!d->recipe->parted) return;
    for (int j = 0; j < p->v_count; j++) d->v[j] = p->v0[j] + d->time * p->a[j];
}

/* v0 such that the velocities that respect all rows are the solution: some rows push, others
 * touch. */
static void push(Draw* d) {
    RandomProgram* p = d->p;
    double load[RANDOM_V] = {0}, change[RANDOM_V];
    for (int i = 0; i < p->row_count; i++) {
        double force = chance(d, 0.3) ? 0 : uniform(d) / p->row_size[i];
        for (int j = 0; j < p->v_count; j++) load[j] += force * p->Wt[i][j];
    }
    find_acceleration(p, load, change);
    double largest = 0;
    for (int j = 0; j < p->v_count; j++)
        largest = fmax(largest, fabs(change[j]) * d->column_size[j]);
    double part = largest > 0 ? p->size / d->time / largest : 0;
    for (int j = 0; j < p->v_count; j++) p->v0[j] = d->v[j] - d->time * p->a[j] - part * change[j];
}

static void draw_start(Draw* d) {
    RandomProgram* p = d->p;
    double force = d->mass * p->size / (d->time * d->time);
    for (int i = 0; i < p->row_count; i++) {
        bool wrong = p->family != RANDOM_WRONG_START || d->psi[i] > 0;
        if (wrong && chance(d, d->recipe->warm)) p->force[i] = uniform(d) * force / p->row_size[i];
    }
}

static void draw_units(Draw* d) {
    RandomProgram* p = d->p;
    bool exact = d->recipe->integers;
    d->decades = d->recipe->decades * uniform(d);
    p->length = exact ? 16 : spread(d, d->recipe->decades);
    p->size = exact ? 1 : p->length * pow(10, -1 - 4 * uniform(d));
    d->mass = exact ? 1 : spread(d, d->recipe->decades);
    d->time = ldexp(1, exact ? 0 : between(d, -16, -4));
    p->h_lower = p->h_upper = d->time;
}

RandomProgram* random_program_create(RandomFamily family, uint64_t seed) {
    RandomProgram* p = calloc(1, sizeof *p);
    if (!p) return NULL;
    Draw d = {.p = p, .recipe = &recipes[family], .state = seed * RANDOM_ROWS + (uint64_t)family};
    (void)next(&d);
    p->family = family;
    p->seed = seed;
    draw_units(&d);
    p->row_count = between(&d, d.recipe->fewest, d.recipe->most);
    draw_blocks(&d);
    draw_groups(&d);
    draw_motion(&d);
    draw_rows(&d);
    if (d.recipe->pushed) push(&d);
    if (family == RANDOM_INFEASIBLE) contradict(&d);
    draw_start(&d);
    random_program_pose(p);
    return p;
}

void random_program_destroy(RandomProgram* program) {
    free(program);
}
