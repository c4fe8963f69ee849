/* A prescribed rotation or translation, theory.md (15), (16): psi = x(q) - drive(t), an angle
 * without whole turns. */
#include "joints/driver.h"

#include <stdlib.h>
#include <string.h>
#include "joints/coordinate.h"
#include "joints/drive.h"

typedef struct Driver {
    FpConstraint base;
    FpCoordinate coordinate;
    FpDrive drive;
    FpRow row;
} Driver;

static const Driver* driver_of(const FpConstraint* c) {
    return (const Driver*)c;
}

static void value(const FpConstraint* c, double t, const double* const q[], double* psi) {
    const Driver* d = driver_of(c);
    double x[3], now = fp_coordinate_value(&d->coordinate, q);
    fp_drive_at(&d->drive, t, x);
    /* After many turns the difference of whole angles would be coarser than round-off of one turn,
     * and no step could close the row. */
    psi[0] =
        d->row.unit == FREEPLAY_ROW_ANGLE ? fp_wrap_angle(now - fp_wrap_angle(x[0])) : now - x[0];
}

static void jacobian(const FpConstraint* c, double t, const double* const q[], double* J) {
    (void)t;
    const FpCoordinate* x = &driver_of(c)->coordinate;
    int first = x->kind[0]->q_count;
    memset(J, 0, (size_t)(first + x->kind[1]->q_count) * sizeof *J);
    fp_coordinate_gradient(x, q, 1, (double* const[2]){J, J + first});
}

static void hessian(const FpConstraint* c, double t, const double* const q[], const double* weight,
                    double* H) {
    (void)t;
    const FpCoordinate* x = &driver_of(c)->coordinate;
    int first = x->kind[0]->q_count;
    fp_coordinate_hessian(x, q, weight[0], (const int[2]){0, first}, H,
                          first + x->kind[1]->q_count);
}

static void rate(const FpConstraint* c, double t, const double* const q[], double* psi_t,
                 double* psi_tt, double* J_t) {
    (void)q, (void)J_t;
    double x[3];
    fp_drive_at(&driver_of(c)->drive, t, x);
    psi_t[0] = -x[1];
    psi_tt[0] = -x[2];
}

static void destroy(FpConstraint* c) {
    fp_drive_free(&((Driver*)c)->drive);
    free(c);
}

static const FpConstraintOps driver_ops = {
    .value = value,
    .jacobian = jacobian,
    .hessian = hessian,
    .rate = rate,
    .destroy = destroy,
};

FpDriverDef fp_driver_def_default(void) {
    return (FpDriverDef){0};
}

FpStatus fp_driver_add(FpWorld* world, const FpDriverDef* def, FpMessage* message) {
    bool turns = def->rotation.kind != FREEPLAY_DRIVE_NONE;
    if (turns == (def->translation.kind != FREEPLAY_DRIVE_NONE))
        return fp_refuse_field(message, "rotation", "give either 'rotation' or 'translation'");
    if (!def->joint.name || !def->joint.name[0])
        return fp_refuse_field(message, "name", "a driver needs a name");
    Driver* d = calloc(1, sizeof *d);
    if (!d) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    FpStatus status = fp_coordinate_create(
        world, def->driven, turns ? FREEPLAY_FREEDOM_ROTATION : FREEPLAY_FREEDOM_TRANSLATION,
        "joint", &d->coordinate, message);
    if (!status)
        status = fp_drive_create(turns ? &def->rotation : &def->translation,
                                 turns ? "rotation" : "translation", &d->drive, message);
    if (status) {
        destroy(&d->base);
        return status;
    }
    d->row = (FpRow){.kind = FREEPLAY_ROW_BILATERAL,
                     .unit = turns ? FREEPLAY_ROW_ANGLE : FREEPLAY_ROW_LENGTH,
                     .label = turns ? "rotation" : "translation"};
    d->base = (FpConstraint){.ops = &driver_ops,
                             .type = fp_driver_type.name,
                             .block_count = 2,
                             .blocks = {d->coordinate.body[0], d->coordinate.body[1]},
                             .row_count = 1,
                             .rows = &d->row};
    return fp_joint_name_and_finish(world, &d->base, def->joint.name, message);
}

static void set_default(void* def) {
    *(FpDriverDef*)def = fp_driver_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_driver_add(world, def, message);
}

static const FpField fields[] = {
    {"joint", FREEPLAY_FIELD_JOINT, offsetof(FpDriverDef, driven), "", true,
     "the joint that is driven, defined before", NULL},
    {"rotation", FREEPLAY_FIELD_DRIVE, offsetof(FpDriverDef, rotation), "rad", false,
     "how it turns about its axis", NULL},
    {"translation", FREEPLAY_FIELD_DRIVE, offsetof(FpDriverDef, translation), "m", false,
     "how it slides along its axis", NULL},
};

const FpJointType fp_driver_type = {
    .name = "driver",
    .summary = "prescribes the rotation or translation of a joint: speed, harmonic, table",
    .def_size = sizeof(FpDriverDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
