/* Linear algebra over the rows of a least-constraint problem, for the structured solver: M^-1 W,
 * N = W^T M^-1 W of the active rows and its factor, and D M^-1 W. */
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"
#include "nlp/short_vectors.h"
#include "nlp/structured_impl.h"

#define FLAT 6 /* velocities of a body in space: loops of that length are laid out */

/* The parts of the group that a row belongs to stand together. */
bool fp_structured_is_part_of(const FpStructure* st, int part, int row) {
    return part < st->part_count && st->parts[part].row_at == st->parts[st->first_part[row]].row_at;
}

void fp_structured_solve_row(FpStructured* s, int row) {
    const FpStructure* st = s->st;
    if (st->solved || s->has_solved[row]) return;
    s->has_solved[row] = true;
    for (int p = st->first_part[row]; fp_structured_is_part_of(st, p, row); p++) {
        const FpStructurePart* part = &st->parts[p];
        int at = part->at + (row - part->row_at) * part->stride, n = part->v_count;
        const double *W = st->slopes + at, *inverse = part->inverse_mass;
        double* out = s->own_solved + at;
        bool diagonal = part->is_diagonal && *part->is_diagonal;
        for (int i = 0; diagonal && i < n; i++) out[i] = inverse[(n + 1) * i] * W[i];
        for (int i = 0; !diagonal && i < n; i++, inverse += n) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += inverse[j] * W[j];
            out[i] = sum;
        }
    }
}

double fp_structured_couple(const FpStructured* s, const double* slopes, int i, int j) {
    const FpStructure* st = s->st;
    double sum = 0;
    for (int p = st->first_part[i]; fp_structured_is_part_of(st, p, i); p++) {
        const FpStructurePart* a = &st->parts[p];
        const double* left = slopes + a->at + (i - a->row_at) * a->stride;
        for (int q = st->first_part[j]; fp_structured_is_part_of(st, q, j); q++) {
            const FpStructurePart* b = &st->parts[q];
            if (a->v_at != b->v_at) continue;
            const double* right = s->solved + b->at + (j - b->row_at) * b->stride;
            sum += fp_short_product(a->v_count, left, right);
        }
    }
    return sum;
}

/* out += scale M^-1 W_i over the velocities, and W_i.v (or D_i.v). */
void fp_structured_add_solved(const FpStructured* s, int row, double scale, double* out) {
    const FpStructure* st = s->st;
    for (int p = st->first_part[row]; fp_structured_is_part_of(st, p, row); p++) {
        const FpStructurePart* part = &st->parts[p];
        const double* solved = s->solved + part->at + (row - part->row_at) * part->stride;
        fp_short_add(part->v_count, scale, solved, out + part->v_at);
    }
}

double fp_structured_along(const FpStructure* st, const double* slopes, int row, const double* v) {
    double sum = 0;
    for (int p = st->first_part[row]; fp_structured_is_part_of(st, p, row); p++) {
        const FpStructurePart* part = &st->parts[p];
        const double* W = slopes + part->at + (row - part->row_at) * part->stride;
        sum += fp_short_product(part->v_count, W, v + part->v_at);
    }
    return sum;
}

static bool make_entry_room(FpStructured* s, int count) {
    if (count <= s->entry_room) return true;
    int room = 2 * count;
    int* start = realloc(s->start, ((size_t)s->row_count + 1 + (size_t)room) * sizeof *start);
    if (start) s->start = start;
    double* value = realloc(s->value, (size_t)room * sizeof *value);
    if (value) s->value = value;
    if (!start || !value) return false;
    s->row = s->start + s->row_count + 1;
    s->entry_room = room;
    return true;
}

static int compare(const void* a, const void* b) {
    return *(const int*)a - *(const int*)b;
}

/* The active rows that share a block with the k-th one and stand behind it. */
static int list_column(FpStructured* s, int k, int* out) {
    const FpStructure* st = s->st;
    int row = s->active[k], count = 0;
    for (int p = st->first_part[row]; fp_structured_is_part_of(st, p, row); p++)
        for (int q = st->block_first[st->parts[p].block]; q >= 0; q = st->block_next[q])
            for (int i = 0; i < st->parts[q].row_count; i++) {
                int other = s->place[st->parts[q].row_at + i];
                if (other >= k) out[count++] = other;
            }
    qsort(out, (size_t)count, sizeof *out, compare);
    int unique = 0;
    for (int i = 0; i < count; i++)
        if (unique == 0 || out[unique - 1] != out[i]) out[unique++] = out[i];
    return unique;
}

/* How many entries list_column may write. */
static int column_bound(const FpStructured* s, int row) {
    const FpStructure* st = s->st;
    int count = 0;
    for (int p = st->first_part[row]; fp_structured_is_part_of(st, p, row); p++)
        for (int q = st->block_first[st->parts[p].block]; q >= 0; q = st->block_next[q])
            count += st->parts[q].row_count;
    return count;
}

/* Lengthens a run that stands near the end of the list, or begins one. */
static bool add_product(FpStructured* s, FpProduct product) {
    for (int back = 1; back <= 2 && back <= s->product_count; back++) {
        FpProduct* p = &s->products[s->product_count - back];
        if (p->right == product.right && p->count == product.count && p->stride == product.stride &&
            p->entry + p->run == product.entry && p->left + p->run * p->stride == product.left) {
            p->run++;
            return true;
        }
    }
    if (s->product_count == s->product_room) {
        int room = 2 * s->product_room + 64;
        FpProduct* larger = realloc(s->products, (size_t)room * sizeof *larger);
        if (!larger) return false;
        s->products = larger;
        s->product_room = room;
    }
    s->products[s->product_count++] = product;
    return true;
}

/* The blocks that the rows i, j of an entry share. */
static bool list_products(FpStructured* s, int entry, int i, int j) {
    const FpStructure* st = s->st;
    for (int p = st->first_part[i]; fp_structured_is_part_of(st, p, i); p++)
        for (int q = st->first_part[j]; fp_structured_is_part_of(st, q, j); q++) {
            const FpStructurePart *a = &st->parts[p], *b = &st->parts[q];
            if (a->v_at != b->v_at) continue;
            FpProduct product = {entry,
                                 a->at + (i - a->row_at) * a->stride,
                                 b->at + (j - b->row_at) * b->stride,
                                 a->v_count,
                                 1,
                                 a->stride};
            if (!add_product(s, product)) return false;
        }
    return true;
}

static FpStatus find_pattern(FpStructured* s) {
    int n = s->active_count, count = 0;
    for (int k = 0; k < n; k++) {
        if (!make_entry_room(s, count + column_bound(s, s->active[k])))
            return FREEPLAY_OUT_OF_MEMORY;
        s->start[k] = count;
        count += list_column(s, k, s->row + count);
    }
    if (!make_entry_room(s, count + 1)) return FREEPLAY_OUT_OF_MEMORY;
    s->start[n] = count;
    s->product_count = 0;
    for (int k = 0; k < n; k++)
        for (int e = s->start[k]; e < s->start[k + 1]; e++)
            if (!list_products(s, e, s->active[s->row[e]], s->active[k]))
                return FREEPLAY_OUT_OF_MEMORY;
    return FREEPLAY_OK;
}

/* Lists the active rows; tells whether they are those of the last factor. */
static bool list_active(FpStructured* s) {
    bool same = s->has_pattern;
    int count = 0;
    for (int i = 0; i < s->row_count; i++) {
        same = same && s->is_active[i] == s->was_active[i];
        s->was_active[i] = s->is_active[i];
        s->place[i] = s->is_active[i] ? count : -1;
        if (s->is_active[i]) s->active[count++] = i;
    }
    s->active_count = count;
    return same;
}

/* The entries of N in the weighted forces. */
static void put_compliance(FpStructured* s) {
    const double* slopes = s->st->slopes;
    memset(s->value, 0, (size_t)s->start[s->active_count] * sizeof *s->value);
    for (const FpProduct *p = s->products, *end = p + s->product_count; p < end; p++)
        for (int r = 0; r < p->run; r++)
            s->value[p->entry + r] +=
                fp_short_product(p->count, slopes + p->left + r * p->stride, s->solved + p->right);
    for (int k = 0; k < s->active_count; k++)
        for (int e = s->start[k]; e < s->start[k + 1]; e++)
            s->value[e] *= s->weight[s->active[k]] * s->weight[s->active[s->row[e]]];
}

/* The active rows, the pattern of their N, and M^-1 W of each. */
FpStatus fp_structured_take_active(FpStructured* s) {
    bool same = list_active(s);
    s->has_pattern = false;
    if (s->active_count == 0) return FREEPLAY_OK;
    if (!same) {
        s->is_analyzed = s->has_true_factor = s->linsys_is_analyzed = false;
        s->factored = 0;
        FpStatus status = find_pattern(s);
        if (status) return status;
    }
    s->has_pattern = true;
    for (int k = 0; !s->st->solved && k < s->active_count; k++)
        fp_structured_solve_row(s, s->active[k]);
    return FREEPLAY_OK;
}

FpStatus fp_structured_factor(FpStructured* s) {
    FpStatus status = fp_structured_take_active(s);
    s->singular = false;
    if (status || s->active_count == 0) return status;
    if (s->version == 0 || s->version != s->factored) {
        s->factored = 0;
        put_compliance(s);
        status = fp_linsys_factor(s->linsys, s->active_count, s->start, s->row, s->value,
                                  !s->linsys_is_analyzed);
        s->linsys_is_analyzed = !status;
        if (status) return status;
        s->factored = s->version;
    }
    s->singular = fp_linsys_is_singular(s->linsys);
    return FREEPLAY_OK;
}

FpStatus fp_structured_solve(FpStructured* s, double* b) {
    for (int k = 0; k < s->active_count; k++) b[k] *= s->weight[s->active[k]];
    FpStatus status = fp_linsys_solve(s->linsys, b);
    for (int k = 0; k < s->active_count; k++) b[k] *= s->weight[s->active[k]];
    return status;
}

static bool solve_true_dense(FpStructured* s, bool transposed, double* b) {
    int n = s->active_count;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            double entry = fp_structured_couple(s, s->D, s->active[k], s->active[l]);
            s->dense[transposed ? k * n + l : l * n + k] = entry;
        }
    return fp_dense_solve_general(n, s->dense, b, s->pivots) > 0;
}

/* The entries (i, j) and (j, i) of D M^-1 W that one run of products is part of. */
static inline void put_run(const FpProduct* p, int count, const double* D, const double* solved,
                           const int* lower, const int* upper, double* restrict value) {
    for (int r = 0; r < p->run; r++) {
        int left = p->left + r * p->stride, low = lower[p->entry + r], up = upper[p->entry + r];
        value[low] += fp_short_product(count, D + left, solved + p->right);
        if (up != low) value[up] += fp_short_product(count, D + p->right, solved + left);
    }
}

bool fp_structured_factor_true(FpStructured* s) {
    if (!s->unsymmetric) s->unsymmetric = fp_unsymmetric_create();
    if (!s->unsymmetric) return false;
    if (!s->is_analyzed &&
        fp_unsymmetric_analyze(s->unsymmetric, s->active_count, s->start, s->row))
        return false;
    s->is_analyzed = true;
    const double *D = s->D, *solved = s->solved;
    const int *lower, *upper;
    double* value = fp_unsymmetric_entries(s->unsymmetric, &lower, &upper);
    for (const FpProduct *p = s->products, *end = p + s->product_count; p < end; p++)
        if (p->count == FLAT)
            put_run(p, FLAT, D, solved, lower, upper, value);
        else
            put_run(p, p->count, D, solved, lower, upper, value);
    s->has_true_factor = !fp_unsymmetric_factor(s->unsymmetric);
    return s->has_true_factor;
}

/* D M^-1 W over the active rows, or its transpose: b becomes the solution. */
bool fp_structured_solve_true(FpStructured* s, bool transposed, double* b) {
    if (s->active_count <= FREEPLAY_STRUCTURED_DENSE) return solve_true_dense(s, transposed, b);
    bool factored = s->has_true_factor || fp_structured_factor_true(s);
    return factored && !fp_unsymmetric_solve(s->unsymmetric, transposed, b);
}
