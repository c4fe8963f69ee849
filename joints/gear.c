/* Two coupled freedoms, theory.md (17): psi = k1 x1 + k2 x2. An angle is known up to whole turns,
 * so the sum is one of whole numbers of turns, or has one angle alone with the factor 1. */
#include "joints/gear.h"

#include <stdlib.h>
#include <string.h>
#include "joints/coordinate.h"

typedef struct Gear {
    FpConstraint base;
    FpCoordinate x[2];
    double factor[2];
    double unit;     /* psi = unit times the wrapped sum */
    int place[2][2]; /* of the bodies of each coordinate among the blocks */
    int at[FREEPLAY_CONSTRAINT_BLOCKS], width;
    FpRow row;
} Gear;

static const Gear* gear_of(const FpConstraint* c) {
    return (const Gear*)c;
}

static void coordinates_of(const Gear* g, int k, const double* const q[], const double* mine[2]) {
    for (int b = 0; b < 2; b++) mine[b] = q[g->place[k][b]];
}

static void value(const FpConstraint* c, double t, const double* const q[], double* psi) {
    (void)t;
    const Gear* g = gear_of(c);
    double sum = 0;
    bool wraps = false;
    for (int k = 0; k < 2; k++) {
        const double* mine[2];
        coordinates_of(g, k, q, mine);
        sum += g->factor[k] * fp_coordinate_value(&g->x[k], mine);
        wraps = wraps || g->x[k].geometry.shape == &fp_shape_angle;
    }
    psi[0] = g->unit * (wraps ? fp_wrap_angle(sum) : sum);
}

static void jacobian(const FpConstraint* c, double t, const double* const q[], double* J) {
    (void)t;
    const Gear* g = gear_of(c);
    memset(J, 0, (size_t)g->width * sizeof *J);
    for (int k = 0; k < 2; k++) {
        const double* mine[2];
        coordinates_of(g, k, q, mine);
        double* const row[2] = {J + g->at[g->place[k][0]], J + g->at[g->place[k][1]]};
        fp_coordinate_gradient(&g->x[k], mine, g->unit * g->factor[k], row);
    }
}

static void hessian(const FpConstraint* c, double t, const double* const q[], const double* weight,
                    double* H) {
    (void)t;
    const Gear* g = gear_of(c);
    for (int k = 0; k < 2; k++) {
        const double* mine[2];
        coordinates_of(g, k, q, mine);
        const int at[2] = {g->at[g->place[k][0]], g->at[g->place[k][1]]};
        fp_coordinate_hessian(&g->x[k], mine, weight[0] * g->unit * g->factor[k], at, H, g->width);
    }
}

static void destroy(FpConstraint* c) {
    free(c);
}

static const FpConstraintOps gear_ops = {
    .value = value,
    .jacobian = jacobian,
    .hessian = hessian,
    .destroy = destroy,
};

FpGearDef fp_gear_def_default(void) {
    return (FpGearDef){0};
}

/* Which of the three relations is given: the freedoms it couples, its factors and its unit. */
static FpStatus read_relation(const FpGearDef* def, Gear* g, FpFreedom freedom[2],
                              FpMessage* message) {
    bool teeth = def->teeth[0] != 0 || def->teeth[1] != 0, travel = def->travel_per_turn != 0;
    if (teeth + travel + (def->ratio != 0) != 1)
        return fp_refuse_field(message, "teeth",
                               "give one of 'teeth', 'travel_per_turn' and 'ratio'");
    if (!isfinite(def->travel_per_turn))
        return fp_refuse_field(message, "travel_per_turn", "not finite");
    if (!isfinite(def->ratio)) return fp_refuse_field(message, "ratio", "not finite");
    if (teeth && (def->teeth[0] == 0 || def->teeth[1] == 0))
        return fp_refuse_field(message, "teeth", "both numbers must differ from 0");
    freedom[0] = teeth || travel ? FREEPLAY_FREEDOM_ROTATION : FREEPLAY_FREEDOM_TRANSLATION;
    freedom[1] = teeth ? FREEPLAY_FREEDOM_ROTATION : FREEPLAY_FREEDOM_TRANSLATION;
    double radius = def->travel_per_turn / (2 * 3.14159265358979323846);
    g->factor[0] = teeth ? def->teeth[0] : travel ? 1 : def->ratio;
    g->factor[1] = teeth ? def->teeth[1] : travel ? -1 / radius : -1;
    /* Of gears, the angle of the first; of a rack, the distance of the second. */
    g->unit = teeth ? 1.0 / def->teeth[0] : travel ? radius : 1;
    g->row = (FpRow){.kind = FREEPLAY_ROW_BILATERAL,
                     .unit = teeth ? FREEPLAY_ROW_ANGLE : FREEPLAY_ROW_LENGTH,
                     .label = teeth    ? "teeth"
                              : travel ? "travel per turn"
                                       : "ratio"};
    return FREEPLAY_OK;
}

/* The bodies of both coordinates, each once. */
static void find_blocks(Gear* g) {
    FpConstraint* c = &g->base;
    for (int k = 0; k < 2; k++)
        for (int b = 0; b < 2; b++) {
            int place = 0;
            while (place < c->block_count && c->blocks[place] != g->x[k].body[b]) place++;
            g->place[k][b] = place;
            if (place < c->block_count) continue;
            c->blocks[c->block_count++] = g->x[k].body[b];
            g->at[place] = g->width;
            g->width += g->x[k].kind[b]->q_count;
        }
}

FpStatus fp_gear_add(FpWorld* world, const FpGearDef* def, FpMessage* message) {
    if (!def->joint.name || !def->joint.name[0])
        return fp_refuse_field(message, "name", "a gear needs a name");
    Gear* g = calloc(1, sizeof *g);
    if (!g) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    FpFreedom freedom[2] = {FREEPLAY_FREEDOM_ROTATION, FREEPLAY_FREEDOM_ROTATION};
    FpStatus status = read_relation(def, g, freedom, message);
    for (int k = 0; k < 2 && !status; k++)
        status =
            fp_coordinate_create(world, def->coupled[k], freedom[k], "joints", &g->x[k], message);
    if (!status && strcmp(def->coupled[0], def->coupled[1]) == 0 && freedom[0] == freedom[1])
        status = fp_refuse_field(message, "joints", "both are '%s'; two joints are needed",
                                 def->coupled[0]);
    if (status) {
        free(g);
        return status;
    }
    g->base = (FpConstraint){
        .ops = &gear_ops, .type = fp_gear_type.name, .row_count = 1, .rows = &g->row};
    find_blocks(g);
    return fp_joint_name_and_finish(world, &g->base, def->joint.name, message);
}

static void set_default(void* def) {
    *(FpGearDef*)def = fp_gear_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_gear_add(world, def, message);
}

static const FpField fields[] = {
    {"joints", FREEPLAY_FIELD_JOINTS, offsetof(FpGearDef, coupled), "", true,
     "two joints, defined before", NULL},
    {"teeth", FREEPLAY_FIELD_COUNTS, offsetof(FpGearDef, teeth), "", false,
     "of two gears that mesh; one negative for a ring gear, belt or chain", NULL},
    {"travel_per_turn", FREEPLAY_FIELD_NUMBER, offsetof(FpGearDef, travel_per_turn), "m", false,
     "how far the second joint slides while the first one turns once: rack, screw", NULL},
    {"ratio", FREEPLAY_FIELD_NUMBER, offsetof(FpGearDef, ratio), "1", false,
     "how far the second joint slides while the first one slides by 1", NULL},
};

const FpJointType fp_gear_type = {
    .name = "gear",
    .summary = "couples two joints: gears, belt, rack, screw, lever",
    .def_size = sizeof(FpGearDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
