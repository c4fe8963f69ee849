#include "engine/constraint.h"

#include <stdlib.h>
#include "engine/system.h"

static const double ground_pose[FREEPLAY_GROUND_WIDTH] = {0, 0, 0, 1, 0, 0, 0};

void fp_constraint_destroy(FpConstraint* constraint) {
    if (!constraint) return;
    free(constraint->name);
    constraint->ops->destroy(constraint);
}

int fp_constraint_width(const FpSystem* system, const FpConstraint* constraint) {
    int width = 0;
    for (int b = 0; b < constraint->block_count; b++) {
        int block = constraint->blocks[b];
        width += block < 0 ? FREEPLAY_GROUND_WIDTH : system->blocks[block].q_count;
    }
    return width;
}

void fp_constraint_coordinates(const FpSystem* system, const FpConstraint* constraint,
                               const double* q, const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS]) {
    for (int b = 0; b < constraint->block_count; b++) {
        int block = constraint->blocks[b];
        blocks[b] = block < 0 ? ground_pose : q + system->blocks[block].q_at;
    }
}

static void open_absent_rows(const FpConstraint* constraint, const double* const q[], double* g,
                             double* kappa) {
    bool applies[FREEPLAY_CONSTRAINT_ROWS];
    constraint->ops->applies(constraint, q, applies);
    for (int i = 0; i < constraint->row_count; i++) {
        if (applies[i]) continue;
        g[i] = constraint->rows[i].size;
        if (kappa) kappa[i] = 0;
    }
}

void fp_constraint_gaps(const FpSystem* system, const FpConstraint* constraint, double t,
                        const double* q, double* g, double* kappa) {
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(system, constraint, q, blocks);
    if (constraint->ops->gap) {
        constraint->ops->gap(constraint, t, blocks, g, kappa);
    } else {
        constraint->ops->value(constraint, t, blocks, g);
        for (int i = 0; kappa && i < constraint->row_count; i++) kappa[i] = 1;
    }
    if (constraint->ops->applies) open_absent_rows(constraint, blocks, g, kappa);
}

void fp_constraint_applies(const FpSystem* system, const FpConstraint* constraint, const double* q,
                           bool* applies) {
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    for (int i = 0; i < constraint->row_count; i++) applies[i] = true;
    if (!constraint->ops->applies) return;
    fp_constraint_coordinates(system, constraint, q, blocks);
    constraint->ops->applies(constraint, blocks, applies);
}

FpStatus fp_constraint_contact(const FpSystem* system, const FpConstraint* constraint, double t,
                               const double* q, int row, FpContact* contact) {
    if (!constraint->ops->contact || row < 0 || row >= constraint->row_count ||
        constraint->rows[row].unit == FREEPLAY_ROW_ANGLE)
        return FREEPLAY_INVALID_ARGUMENT;
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(system, constraint, q, blocks);
    constraint->ops->contact(constraint, t, blocks, row, contact);
    return FREEPLAY_OK;
}
