/* Rigid bodies as a provider of FpSystem; what they are made of is in engine/body.h. */
#include "engine/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/body.h"
#include "engine/load.h"
#include "engine/state.h"

typedef struct Body {
    char* name;
    const FpBodyKind* kind;
    double mass;
    double inertia[9];
    double q[FREEPLAY_BODY_Q_MAX], v[FREEPLAY_BODY_V_MAX]; /* initial */
    FpBlock block;
} Body;

struct FpWorld {
    FpWorldDef def;
    int body_count, load_count, constraint_count;
    Body* bodies;
    FpLoad* loads;
    FpConstraint** constraints;
    FpBlock* blocks;
    double* initial;
    FpSystem system;
    bool finished;
};

static char* copy_text(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* Defaults and inertias ---------------------------------------------------------------------- */

FpWorldDef fp_world_def_default(void) {
    return (FpWorldDef){.gravity = {0, -9.81, 0}};
}

FpBodyDef fp_body_def_default(void) {
    return (FpBodyDef){.orientation = {1, 0, 0, 0}};
}

static void set_diagonal(double x, double y, double z, double inertia[9]) {
    memset(inertia, 0, 9 * sizeof *inertia);
    inertia[0] = x;
    inertia[4] = y;
    inertia[8] = z;
}

void fp_inertia_box(double mass, double x, double y, double z, double inertia[9]) {
    double k = mass / 12;
    set_diagonal(k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y), inertia);
}

void fp_inertia_cylinder(double mass, double radius, double length, int axis, double inertia[9]) {
    double along = mass * radius * radius / 2;
    double across = mass * (3 * radius * radius + length * length) / 12;
    set_diagonal(axis == 0 ? along : across, axis == 1 ? along : across, axis == 2 ? along : across,
                 inertia);
}

void fp_inertia_sphere(double mass, double radius, double inertia[9]) {
    double k = 2 * mass * radius * radius / 5;
    set_diagonal(k, k, k, inertia);
}

/* Building ----------------------------------------------------------------------------------- */

FpWorld* fp_world_create(const FpWorldDef* def) {
    if (!fp_vec3_is_finite(def->gravity)) return NULL;
    FpWorld* world = calloc(1, sizeof *world);
    if (world) world->def = *def;
    return world;
}

void fp_world_destroy(FpWorld* world) {
    if (!world) return;
    for (int i = 0; i < world->body_count; i++) free(world->bodies[i].name);
    for (int i = 0; i < world->load_count; i++) fp_load_free(&world->loads[i]);
    for (int i = 0; i < world->constraint_count; i++) fp_constraint_destroy(world->constraints[i]);
    free(world->bodies);
    free(world->loads);
    free(world->constraints);
    free(world->blocks);
    free(world->initial);
    free(world);
}

/* Eigenvalues of a symmetric 3x3 matrix, ascending (closed form). */
static void eigenvalues(const double A[9], double e[3]) {
    double off = A[1] * A[1] + A[2] * A[2] + A[5] * A[5];
    double mean = (A[0] + A[4] + A[8]) / 3;
    double a = A[0] - mean, b = A[4] - mean, c = A[8] - mean;
    double r = sqrt((a * a + b * b + c * c + 2 * off) / 6);
    if (r == 0) {
        e[0] = e[1] = e[2] = mean;
        return;
    }
    double determinant = a * (b * c - A[5] * A[5]) - A[1] * (A[1] * c - A[5] * A[2]) +
                         A[2] * (A[1] * A[5] - b * A[2]);
    double angle = acos(fmax(-1, fmin(1, determinant / (2 * r * r * r)))) / 3;
    const double third = 2 * 3.14159265358979323846 / 3;
    e[2] = mean + 2 * r * cos(angle);
    e[0] = mean + 2 * r * cos(angle + third);
    e[1] = 3 * mean - e[0] - e[2];
}

/* A possible inertia is symmetric, positive definite, and no principal moment exceeds the sum of
 * the other two (with equality for a flat plate). */
static FpStatus check_inertia(const double J[9], FpMessage* message) {
    double size = 0;
    for (int i = 0; i < 9; i++) {
        if (!isfinite(J[i])) return fp_refuse_field(message, "inertia", "not finite");
        size = fmax(size, fabs(J[i]));
    }
    double asymmetry = fmax(fabs(J[1] - J[3]), fmax(fabs(J[2] - J[6]), fabs(J[5] - J[7])));
    if (asymmetry > 1e-9 * size)
        return fp_refuse_field(message, "inertia",
                               "the matrix must be symmetric; two opposite entries differ by %g",
                               asymmetry);
    double e[3];
    eigenvalues(J, e);
    if (!(e[0] > 1e-12 * size))
        return fp_refuse_field(message, "inertia",
                               "principal moments %.6g, %.6g, %.6g kg m^2 must all be positive",
                               e[0], e[1], e[2]);
    if (e[2] > (e[0] + e[1]) * (1 + 1e-9))
        return fp_refuse_field(message, "inertia",
                               "no body has the principal moments %.6g, %.6g, %.6g kg m^2: the "
                               "largest exceeds the sum of the other two",
                               e[0], e[1], e[2]);
    return FREEPLAY_OK;
}

/* What a body in the plane z = 0 cannot have. */
static FpStatus check_planar(const FpBodyDef* def, FpMessage* message) {
    const double *p = def->orientation, *J = def->inertia;
    if (def->position.z != 0)
        return fp_refuse_field(message, "position", "a planar body is in the plane z = 0, not %g m",
                               def->position.z);
    if (p[1] != 0 || p[2] != 0)
        return fp_refuse_field(message, "orientation", "a planar body turns about z alone");
    if (def->velocity.z != 0)
        return fp_refuse_field(message, "velocity", "a planar body does not move along z");
    if (def->angular_velocity.x != 0 || def->angular_velocity.y != 0)
        return fp_refuse_field(message, "angular_velocity", "a planar body turns about z alone");
    if (!(J[8] > 0) || !isfinite(J[8]))
        return fp_refuse_field(message, "inertia",
                               "the moment about z must be positive, is %g kg m^2", J[8]);
    return FREEPLAY_OK;
}

static FpStatus check_body(const FpWorld* world, const FpBodyDef* def, FpMessage* message) {
    if (!def->name || !def->name[0]) return fp_refuse_field(message, "name", "a body needs a name");
    if (fp_world_find_body(world, def->name) == FREEPLAY_GROUND)
        return fp_refuse_field(message, "name", "'ground' is the fixed body; choose another name");
    if (fp_world_find_body(world, def->name) >= 0)
        return fp_refuse_field(message, "name", "there is another body '%s'; names must be unique",
                               def->name);
    if (!(def->mass > 0) || !isfinite(def->mass))
        return fp_refuse_field(message, "mass", "must be positive, is %g kg", def->mass);
    if (!fp_vec3_is_finite(def->position))
        return fp_refuse_field(message, "position", "not finite");
    if (!fp_vec3_is_finite(def->velocity))
        return fp_refuse_field(message, "velocity", "not finite");
    if (!fp_vec3_is_finite(def->angular_velocity))
        return fp_refuse_field(message, "angular_velocity", "not finite");
    const double* p = def->orientation;
    double norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    if (!(norm > 0) || !isfinite(norm))
        return fp_refuse_field(message, "orientation",
                               "Euler parameters must not all be zero and must be finite");
    return def->planar ? check_planar(def, message) : check_inertia(def->inertia, message);
}

/* Makes room for one more element; the array stays valid on failure. */
static bool make_room(void* array, int count, size_t size) {
    void** pointer = array;
    void* larger = realloc(*pointer, ((size_t)count + 1) * size);
    if (larger) *pointer = larger;
    return larger != NULL;
}

static FpStatus refuse_change(const FpWorld* world, FpMessage* message) {
    if (!world->finished) return FREEPLAY_OK;
    return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT, "the world is finished and read-only");
}

/* Behind all bodies so far. */
static FpBlock next_block(const FpWorld* world, const FpBodyKind* kind) {
    FpBlock block = {.q_count = kind->q_count,
                     .v_count = kind->v_count,
                     .a_count = kind->a_count,
                     .plain = kind->translations};
    if (world->body_count == 0) return block;
    const FpBlock* last = &world->bodies[world->body_count - 1].block;
    block.q_at = last->q_at + last->q_count;
    block.v_at = last->v_at + last->v_count;
    block.a_at = last->a_at + last->a_count;
    return block;
}

FpStatus fp_world_add_body(FpWorld* world, const FpBodyDef* def, FpBodyId* id, FpMessage* message) {
    FpStatus status = refuse_change(world, message);
    if (!status) status = check_body(world, def, message);
    if (status) return status;
    char* name = copy_text(def->name);
    if (!name || !make_room(&world->bodies, world->body_count, sizeof *world->bodies)) {
        free(name);
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    }
    const FpBodyKind* kind = def->planar ? &fp_body_planar : &fp_body_spatial;
    Body* body = &world->bodies[world->body_count];
    *body = (Body){.name = name, .kind = kind, .mass = def->mass, .block = next_block(world, kind)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            body->inertia[3 * i + j] = (def->inertia[3 * i + j] + def->inertia[3 * j + i]) / 2;
    FpMotion motion = {.position = def->position,
                       .velocity = def->velocity,
                       .angular_velocity = def->angular_velocity};
    memcpy(motion.orientation, def->orientation, sizeof motion.orientation);
    kind->from_motion(&motion, body->q, body->v);
    if (id) *id = world->body_count;
    world->body_count++;
    return FREEPLAY_OK;
}

FpStatus fp_world_add_load(FpWorld* world, const FpLoadDef* def, FpMessage* message) {
    FpStatus status = refuse_change(world, message);
    if (status) return status;
    if (!make_room(&world->loads, world->load_count, sizeof *world->loads))
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    status = fp_load_create(def, world->body_count, &world->loads[world->load_count], message);
    if (!status) world->load_count++;
    return status;
}

static FpStatus check_constraint(const FpWorld* world, const FpConstraint* constraint,
                                 FpMessage* message) {
    for (int i = 0; i < world->constraint_count; i++)
        if (strcmp(world->constraints[i]->name, constraint->name) == 0)
            return fp_refuse_field(message, "name",
                                   "there is another joint '%s'; names must be unique",
                                   constraint->name);
    return refuse_change(world, message);
}

FpStatus fp_world_add_constraint(FpWorld* world, FpConstraint* constraint, FpMessage* message) {
    FpStatus status = check_constraint(world, constraint, message);
    if (!status &&
        !make_room(&world->constraints, world->constraint_count, sizeof *world->constraints))
        status = fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    if (status)
        fp_constraint_destroy(constraint);
    else
        world->constraints[world->constraint_count++] = constraint;
    return status;
}

/* Queries ------------------------------------------------------------------------------------ */

int fp_world_body_count(const FpWorld* world) {
    return world->body_count;
}

int fp_world_load_count(const FpWorld* world) {
    return world->load_count;
}

FpVec3 fp_world_gravity(const FpWorld* world) {
    return world->def.gravity;
}

const char* fp_world_body_name(const FpWorld* world, FpBodyId id) {
    return id >= 0 && id < world->body_count ? world->bodies[id].name : "ground";
}

double fp_world_body_mass(const FpWorld* world, FpBodyId id) {
    return id >= 0 && id < world->body_count ? world->bodies[id].mass : INFINITY;
}

FpBodyId fp_world_find_body(const FpWorld* world, const char* name) {
    if (strcmp(name, "ground") == 0) return FREEPLAY_GROUND;
    for (int i = 0; i < world->body_count; i++)
        if (strcmp(world->bodies[i].name, name) == 0) return i;
    return -2;
}

const FpBodyKind* fp_world_body_kind(const FpWorld* world, FpBodyId id) {
    return id >= 0 && id < world->body_count ? world->bodies[id].kind : &fp_body_spatial;
}

FpMotion fp_world_body_motion(const FpWorld* world, FpBodyId id) {
    FpMotion motion = {.orientation = {1, 0, 0, 0}};
    if (id < 0 || id >= world->body_count) return motion;
    const Body* body = &world->bodies[id];
    body->kind->to_motion(body->q, body->v, &motion);
    return motion;
}

const FpConstraint* fp_world_find_joint(const FpWorld* world, const char* name) {
    for (int i = 0; i < world->constraint_count; i++)
        if (strcmp(world->constraints[i]->name, name) == 0) return world->constraints[i];
    return NULL;
}

/* The system that a scheme sees --------------------------------------------------------------- */

static const Body* body_of(const void* self, int block) {
    return &((const FpWorld*)self)->bodies[block];
}

static FpStatus body_mass_matrix(const void* self, int block, const double* q, double* M) {
    (void)q;
    const Body* body = body_of(self, block);
    body->kind->mass(body->mass, body->inertia, M);
    return FREEPLAY_OK;
}

static void add_load(const FpWorld* world, const FpLoad* load, double t, const double* q,
                     double* f) {
    const Body* body = &world->bodies[load->def.body];
    fp_load_add(load, t, body->kind, q + body->block.q_at, f + body->block.v_at);
}

static FpStatus body_forces(const void* self, double t, const double* q, const double* v,
                            double* f) {
    const FpWorld* world = self;
    const FpVec3 none = {0, 0, 0};
    memset(f, 0, (size_t)world->system.v_count * sizeof *f);
    for (int b = 0; b < world->body_count; b++) {
        const Body* body = &world->bodies[b];
        double* at = f + body->block.v_at;
        body->kind->add_load(fp_vec3_scale(body->mass, world->def.gravity), none, at);
        if (body->kind->subtract_gyroscopic)
            body->kind->subtract_gyroscopic(body->inertia, v + body->block.v_at, at);
    }
    for (int k = 0; k < world->load_count; k++) add_load(world, &world->loads[k], t, q, f);
    return FREEPLAY_OK;
}

static void body_kinematics(const void* self, int block, const double* q, double* B) {
    body_of(self, block)->kind->kinematics(q, B);
}

static bool body_rates(const void* self, int block, const double* q, const double* v, double h,
                       bool exact, double* a) {
    const FpBodyKind* kind = body_of(self, block)->kind;
    return !kind->rates || kind->rates(q, v, h, exact, a);
}

static void body_tangent(const void* self, int block, const double* q, const double* q1,
                         double* T) {
    const FpBodyKind* kind = body_of(self, block)->kind;
    if (kind->tangent) kind->tangent(q, q1, T);
}

static bool body_midstep(const void* self, int block, const double* q, const double* v, double h,
                         double* q1) {
    const FpBodyKind* kind = body_of(self, block)->kind;
    if (kind->midstep) return kind->midstep(q, v, h, q1);
    for (int i = 0; i < kind->q_count; i++) q1[i] = q[i] + h * v[i];
    return true;
}

static void body_midstep_tangent(const void* self, int block, const double* v, double h,
                                 double* T) {
    body_of(self, block)->kind->midstep_tangent(v, h, T);
}

static void body_step_basis(const void* self, int block, const double* q, double* K) {
    body_of(self, block)->kind->step_basis(q, K);
}

static void body_step(const void* self, int block, const double* q, const double* v,
                      const double* a, double h, double* q1) {
    const FpBodyKind* kind = body_of(self, block)->kind;
    if (kind->step) {
        kind->step(q, v, a, h, q1);
        return;
    }
    for (int i = 0; i < kind->q_count; i++) q1[i] = q[i] + h * v[i];
}

static void body_invariants(const void* self, int block, const double* q, double* c, double* dc) {
    body_of(self, block)->kind->invariants(q, c, dc);
}

static void body_invariant_hessian(const void* self, int block, const double* q, const double* y,
                                   double* H) {
    (void)q;
    body_of(self, block)->kind->invariant_hessian(y, H);
}

static double body_kinetic_energy(const void* self, const double* q, const double* v) {
    (void)q;
    const FpWorld* world = self;
    double sum = 0, M[FREEPLAY_BODY_V_MAX * FREEPLAY_BODY_V_MAX];
    for (int b = 0; b < world->body_count; b++) {
        const Body* body = &world->bodies[b];
        int n = body->block.v_count;
        const double* u = v + body->block.v_at;
        body->kind->mass(body->mass, body->inertia, M);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) sum += u[i] * M[n * i + j] * u[j] / 2;
    }
    return sum;
}

static FpVec3 centre_of(const Body* body, const double* q) {
    FpPose pose;
    body->kind->pose(q + body->block.q_at, &pose);
    return pose.r;
}

static double body_potential_energy(const void* self, double t, const double* q) {
    (void)t;
    const FpWorld* world = self;
    double sum = 0;
    for (int b = 0; b < world->body_count; b++) {
        const Body* body = &world->bodies[b];
        sum -= body->mass * fp_vec3_dot(world->def.gravity, centre_of(body, q));
    }
    for (int k = 0; k < world->load_count; k++) {
        const Body* body = &world->bodies[world->loads[k].def.body];
        sum += fp_load_potential(&world->loads[k], body->kind, q + body->block.q_at);
    }
    return sum;
}

/* Of gravity and loads; the gyroscopic term has no power. */
static double body_power(const void* self, double t, const double* q, const double* v) {
    const FpWorld* world = self;
    const FpVec3 none = {0, 0, 0};
    double sum = 0;
    for (int b = 0; b < world->body_count; b++) {
        const Body* body = &world->bodies[b];
        double f[FREEPLAY_BODY_V_MAX] = {0};
        body->kind->add_load(fp_vec3_scale(body->mass, world->def.gravity), none, f);
        for (int i = 0; i < body->block.v_count; i++) sum += f[i] * v[body->block.v_at + i];
    }
    for (int k = 0; k < world->load_count; k++) {
        const Body* body = &world->bodies[world->loads[k].def.body];
        double f[FREEPLAY_BODY_V_MAX] = {0};
        fp_load_add(&world->loads[k], t, body->kind, q + body->block.q_at, f);
        for (int i = 0; i < body->block.v_count; i++) sum += f[i] * v[body->block.v_at + i];
    }
    return sum;
}

static void body_coordinate_name(const void* self, int block, int index, char* text, size_t size) {
    const Body* body = body_of(self, block);
    snprintf(text, size, "%s.%s", body->name, body->kind->coordinates[index]);
}

static void body_velocity_name(const void* self, int block, int index, char* text, size_t size) {
    const Body* body = body_of(self, block);
    snprintf(text, size, "%s.%s", body->name, body->kind->velocities[index]);
}

static double body_step_limit(const void* self, int block, const double* v) {
    const FpBodyKind* kind = body_of(self, block)->kind;
    return kind->step_limit ? kind->step_limit(v) : INFINITY;
}

static FpMotion block_motion(const FpWorld* world, int block, const double* q, const double* v) {
    FpMotion motion = {.orientation = {1}};
    if (block < 0) return motion;
    const Body* body = &world->bodies[block];
    body->kind->to_motion(q + body->block.q_at, v + body->block.v_at, &motion);
    return motion;
}

/* The point of one body against the surface of the other, which reaches to that point. */
static double body_gap_speed(const void* self, const FpConstraint* c, const double* q,
                             const double* v) {
    if (c->block_count != 2) return INFINITY;
    FpMotion a = block_motion(self, c->blocks[0], q, v), b = block_motion(self, c->blocks[1], q, v);
    double slide = fp_vec3_norm(fp_vec3_sub(a.velocity, b.velocity));
    double spin = fp_vec3_norm(a.angular_velocity) + fp_vec3_norm(b.angular_velocity);
    double arm = c->extent + fp_vec3_norm(fp_vec3_sub(a.position, b.position));
    return slide + spin * arm;
}

static const FpSystemOps body_ops = {
    .name = "rigid bodies",
    .constant_mass = true,
    .mass = body_mass_matrix,
    .force = body_forces,
    .kinematics = body_kinematics,
    .rates = body_rates,
    .tangent = body_tangent,
    .midstep = body_midstep,
    .midstep_tangent = body_midstep_tangent,
    .step_basis = body_step_basis,
    .step = body_step,
    .invariants = body_invariants,
    .invariant_hessian = body_invariant_hessian,
    .kinetic_energy = body_kinetic_energy,
    .potential_energy = body_potential_energy,
    .power = body_power,
    .coordinate_name = body_coordinate_name,
    .velocity_name = body_velocity_name,
    .step_limit = body_step_limit,
    .gap_speed = body_gap_speed,
};

/* Finishing ---------------------------------------------------------------------------------- */

/* Extent of the mechanism: radii of gyration, distances between centres of mass, joints. */
static FpScales world_scales(const FpWorld* world) {
    FpScales scales = {0};
    FpVec3 first = centre_of(&world->bodies[0], world->initial);
    for (int b = 0; b < world->body_count; b++) {
        const Body* body = &world->bodies[b];
        double trace = body->inertia[0] + body->inertia[4] + body->inertia[8];
        FpVec3 apart = fp_vec3_sub(centre_of(body, world->initial), first);
        scales.length = fmax(scales.length, sqrt(trace / body->mass));
        scales.length = fmax(scales.length, fp_vec3_norm(apart));
        scales.mass = fmax(scales.mass, body->mass);
    }
    for (int c = 0; c < world->constraint_count; c++) {
        const FpConstraint* constraint = world->constraints[c];
        scales.length = fmax(scales.length, constraint->extent);
        for (int i = 0; i < constraint->row_count; i++)
            if (constraint->rows[i].unit == FREEPLAY_ROW_LENGTH)
                scales.length = fmax(scales.length, constraint->rows[i].size);
    }
    return scales;
}

static bool build_system(FpWorld* world) {
    int n = world->body_count;
    const FpBlock* last = &world->bodies[n - 1].block;
    int nq = last->q_at + last->q_count, nv = last->v_at + last->v_count;
    world->blocks = calloc((size_t)n, sizeof *world->blocks);
    world->initial = calloc((size_t)nq + (size_t)nv, sizeof *world->initial);
    if (!world->blocks || !world->initial) return false;
    double *q = world->initial, *v = q + nq;
    int rows = 0;
    for (int b = 0; b < n; b++) {
        const Body* body = &world->bodies[b];
        const FpBlock* block = &body->block;
        world->blocks[b] = *block;
        memcpy(q + block->q_at, body->q, (size_t)block->q_count * sizeof *q);
        memcpy(v + block->v_at, body->v, (size_t)block->v_count * sizeof *v);
    }
    for (int c = 0; c < world->constraint_count; c++) rows += world->constraints[c]->row_count;
    world->system = (FpSystem){
        .ops = &body_ops,
        .self = world,
        .block_count = n,
        .blocks = world->blocks,
        .q_count = nq,
        .v_count = nv,
        .a_count = last->a_at + last->a_count,
        .constraint_count = world->constraint_count,
        .constraints = world->constraints,
        .row_count = rows,
        .scales = world_scales(world),
        .q_initial = q,
        .v_initial = v,
    };
    return true;
}

static FpStatus check_initial_state(const FpWorld* world, FpMessage* message) {
    FpState* state = world->def.unassembled ? NULL : fp_state_create(&world->system);
    if (world->def.unassembled) return FREEPLAY_OK;
    if (!state) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    FpStatus status = fp_state_check(&world->system, state, message);
    fp_state_destroy(state);
    return status;
}

FpStatus fp_world_finish(FpWorld* world, FpMessage* message) {
    FpStatus status = refuse_change(world, message);
    if (status) return status;
    if (world->body_count == 0)
        return fp_refuse_field(message, "bodies", "a world needs at least one body");
    if (!build_system(world))
        status = fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    else
        status = check_initial_state(world, message);
    if (status) {
        free(world->blocks);
        free(world->initial);
        world->blocks = NULL;
        world->initial = NULL;
        return status;
    }
    world->finished = true;
    return FREEPLAY_OK;
}

const FpSystem* fp_world_system(const FpWorld* world) {
    return world->finished ? &world->system : NULL;
}
