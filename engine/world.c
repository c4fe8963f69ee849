/* Rigid bodies as a provider of FpSystem: q = (r, p), v = (r', w'), theory.md section 2. */
#include "engine/world.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/load.h"
#include "engine/rotation.h"

enum { BODY_Q = 7, BODY_V = 6 };

typedef struct Body {
    char* name;
    double mass;
    double inertia[9];
    double q[BODY_Q], v[BODY_V]; /* initial */
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
    return check_inertia(def->inertia, message);
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

FpStatus fp_world_add_body(FpWorld* world, const FpBodyDef* def, FpBodyId* id, FpMessage* message) {
    FpStatus status = refuse_change(world, message);
    if (!status) status = check_body(world, def, message);
    if (status) return status;
    char* name = copy_text(def->name);
    if (!name || !make_room(&world->bodies, world->body_count, sizeof *world->bodies)) {
        free(name);
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    }
    Body* body = &world->bodies[world->body_count];
    *body = (Body){.name = name, .mass = def->mass};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            body->inertia[3 * i + j] = (def->inertia[3 * i + j] + def->inertia[3 * j + i]) / 2;
    fp_vec3_store(def->position, body->q);
    const double* p = def->orientation;
    double norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int i = 0; i < 4; i++) body->q[3 + i] = p[i] / norm;
    fp_vec3_store(def->velocity, body->v);
    fp_vec3_store(def->angular_velocity, body->v + 3);
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

void fp_world_body_pose(const FpWorld* world, FpBodyId id, FpVec3* position,
                        double orientation[4]) {
    static const double ground[BODY_Q] = {0, 0, 0, 1, 0, 0, 0};
    const double* q = id >= 0 && id < world->body_count ? world->bodies[id].q : ground;
    *position = fp_vec3_load(q);
    memcpy(orientation, q + 3, 4 * sizeof *orientation);
}

/* The system that a scheme sees --------------------------------------------------------------- */

static FpStatus body_mass_matrix(const void* self, int block, const double* q, double* M) {
    (void)q;
    const Body* body = &((const FpWorld*)self)->bodies[block];
    memset(M, 0, BODY_V * BODY_V * sizeof *M);
    for (int i = 0; i < 3; i++) {
        M[BODY_V * i + i] = body->mass;
        for (int j = 0; j < 3; j++) M[BODY_V * (3 + i) + 3 + j] = body->inertia[3 * i + j];
    }
    return FREEPLAY_OK;
}

/* Gravity and loads, without the gyroscopic term. */
static void applied_forces(const FpWorld* world, double t, const double* q, double* f) {
    for (int b = 0; b < world->body_count; b++) {
        fp_vec3_store(fp_vec3_scale(world->bodies[b].mass, world->def.gravity), f + BODY_V * b);
        fp_vec3_store(fp_vec3(0, 0, 0), f + BODY_V * b + 3);
    }
    for (int k = 0; k < world->load_count; k++) {
        int b = world->loads[k].def.body;
        fp_load_add(&world->loads[k], t, q + BODY_Q * b, f + BODY_V * b);
    }
}

static FpStatus body_forces(const void* self, double t, const double* q, const double* v,
                            double* f) {
    const FpWorld* world = self;
    applied_forces(world, t, q, f);
    for (int b = 0; b < world->body_count; b++) {
        FpVec3 w = fp_vec3_load(v + BODY_V * b + 3);
        FpVec3 gyroscopic = fp_vec3_cross(w, fp_mat3_mul(world->bodies[b].inertia, w));
        double* torque = f + BODY_V * b + 3;
        fp_vec3_store(fp_vec3_sub(fp_vec3_load(torque), gyroscopic), torque);
    }
    return FREEPLAY_OK;
}

/* q' = B v: r' = r', p' = 1/2 G(p)^T w', theory.md (3). */
static void body_kinematics(const void* self, int block, const double* q, double* B) {
    (void)self, (void)block;
    double G[12];
    fp_rotation_G(q + 3, G);
    memset(B, 0, BODY_Q * BODY_V * sizeof *B);
    for (int i = 0; i < 3; i++) B[BODY_V * i + i] = 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) B[BODY_V * (3 + i) + 3 + j] = 0.5 * G[4 * j + i];
}

/* In a step w' = 2 G(p0) p', hence p' = 1/2 G^T w' / |p0|^2 + a p0, theory.md (11). */
static void body_step_basis(const void* self, int block, const double* q, double* K) {
    (void)self, (void)block;
    enum { WIDTH = BODY_V + 1 };
    const double* p = q + 3;
    double G[12], norm2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    fp_rotation_G(p, G);
    memset(K, 0, BODY_Q * WIDTH * sizeof *K);
    for (int i = 0; i < 3; i++) K[WIDTH * i + i] = 1;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) K[WIDTH * (3 + i) + 3 + j] = 0.5 * G[4 * j + i] / norm2;
        K[WIDTH * (3 + i) + BODY_V] = p[i];
    }
}

static void body_invariants(const void* self, int block, const double* q, double* c, double* dc) {
    (void)self, (void)block;
    const double* p = q + 3;
    c[0] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1;
    if (!dc) return;
    for (int i = 0; i < 3; i++) dc[i] = 0;
    for (int i = 0; i < 4; i++) dc[3 + i] = 2 * p[i];
}

static void body_invariant_hessian(const void* self, int block, const double* q, const double* y,
                                   double* H) {
    (void)self, (void)block, (void)q;
    for (int i = 3; i < BODY_Q; i++) H[BODY_Q * i + i] += 2 * y[0];
}

static double body_kinetic_energy(const void* self, const double* q, const double* v) {
    (void)q;
    const FpWorld* world = self;
    double sum = 0;
    for (int b = 0; b < world->body_count; b++) {
        FpVec3 u = fp_vec3_load(v + BODY_V * b), w = fp_vec3_load(v + BODY_V * b + 3);
        sum += world->bodies[b].mass * fp_vec3_dot(u, u) / 2 +
               fp_vec3_dot(w, fp_mat3_mul(world->bodies[b].inertia, w)) / 2;
    }
    return sum;
}

static double body_potential_energy(const void* self, double t, const double* q) {
    (void)t;
    const FpWorld* world = self;
    double sum = 0;
    for (int b = 0; b < world->body_count; b++)
        sum -=
            world->bodies[b].mass * fp_vec3_dot(world->def.gravity, fp_vec3_load(q + BODY_Q * b));
    for (int k = 0; k < world->load_count; k++)
        sum += fp_load_potential(&world->loads[k], q + BODY_Q * world->loads[k].def.body);
    return sum;
}

static double body_power(const void* self, double t, const double* q, const double* v) {
    const FpWorld* world = self;
    double sum = 0;
    for (int b = 0; b < world->body_count; b++)
        sum +=
            world->bodies[b].mass * fp_vec3_dot(world->def.gravity, fp_vec3_load(v + BODY_V * b));
    for (int k = 0; k < world->load_count; k++) {
        int b = world->loads[k].def.body;
        double f[BODY_V] = {0};
        fp_load_add(&world->loads[k], t, q + BODY_Q * b, f);
        for (int i = 0; i < BODY_V; i++) sum += f[i] * v[BODY_V * b + i];
    }
    return sum;
}

static void body_coordinate_name(const void* self, int block, int index, char* text, size_t size) {
    static const char* const names[] = {"x", "y", "z", "e0", "e1", "e2", "e3"};
    snprintf(text, size, "%s.%s", ((const FpWorld*)self)->bodies[block].name, names[index]);
}

static void body_velocity_name(const void* self, int block, int index, char* text, size_t size) {
    static const char* const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    snprintf(text, size, "%s.%s", ((const FpWorld*)self)->bodies[block].name, names[index]);
}

/* |p0 + h p'| = 1 has no solution when h |w'| > 2, theory.md (15). */
static double body_step_limit(const void* self, int block, const double* v) {
    (void)self, (void)block;
    double w = fp_vec3_norm(fp_vec3_load(v + 3));
    return w > 0 ? 2 / w : INFINITY;
}

static const FpSystemOps body_ops = {
    .name = "rigid bodies",
    .mass = body_mass_matrix,
    .force = body_forces,
    .kinematics = body_kinematics,
    .step_basis = body_step_basis,
    .invariants = body_invariants,
    .invariant_hessian = body_invariant_hessian,
    .kinetic_energy = body_kinetic_energy,
    .potential_energy = body_potential_energy,
    .power = body_power,
    .coordinate_name = body_coordinate_name,
    .velocity_name = body_velocity_name,
    .step_limit = body_step_limit,
};

/* Finishing ---------------------------------------------------------------------------------- */

/* Extent of the mechanism: radii of gyration, distances between centres of mass, row sizes. */
static FpScales world_scales(const FpWorld* world) {
    FpScales scales = {0};
    FpVec3 first = fp_vec3_load(world->bodies[0].q);
    for (int b = 0; b < world->body_count; b++) {
        const Body* body = &world->bodies[b];
        double trace = body->inertia[0] + body->inertia[4] + body->inertia[8];
        FpVec3 apart = fp_vec3_sub(fp_vec3_load(body->q), first);
        scales.length = fmax(scales.length, sqrt(trace / body->mass));
        scales.length = fmax(scales.length, fp_vec3_norm(apart));
        scales.mass = fmax(scales.mass, body->mass);
    }
    for (int c = 0; c < world->constraint_count; c++)
        for (int i = 0; i < world->constraints[c]->row_count; i++)
            scales.length = fmax(scales.length, world->constraints[c]->rows[i].size);
    return scales;
}

static FpStatus check_initial_state(const FpWorld* world, FpMessage* message) {
    const FpSystem* system = &world->system;
    double* g = malloc(((size_t)system->row_count + 1) * sizeof *g);
    if (!g) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    FpStatus status = FREEPLAY_OK;
    for (int c = 0; c < world->constraint_count && !status; c++) {
        const FpConstraint* k = world->constraints[c];
        fp_constraint_gaps(system, k, 0, system->q_initial, g, NULL);
        for (int i = 0; i < k->row_count && !status; i++) {
            bool bilateral = k->rows[i].kind == FREEPLAY_ROW_BILATERAL;
            double wrong = bilateral ? fabs(g[i]) : -g[i];
            double allowed = fmax(1e-9 * k->rows[i].size, 16 * DBL_EPSILON * system->scales.length);
            if (wrong <= allowed) continue;
            status = fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                               "joint '%s': the initial state is outside the clearance: row %d "
                               "(%s) %s by %.6g m; move the bodies together or enlarge the "
                               "clearance",
                               k->name, i, k->rows[i].label, bilateral ? "is open" : "penetrates",
                               wrong);
        }
    }
    free(g);
    return status;
}

static bool build_system(FpWorld* world) {
    int n = world->body_count;
    world->blocks = calloc((size_t)n, sizeof *world->blocks);
    world->initial = calloc((size_t)n * (BODY_Q + BODY_V), sizeof *world->initial);
    if (!world->blocks || !world->initial) return false;
    double *q = world->initial, *v = q + BODY_Q * n;
    int rows = 0;
    for (int b = 0; b < n; b++) {
        world->blocks[b] = (FpBlock){BODY_Q * b, BODY_Q, BODY_V * b, BODY_V, b, 1};
        memcpy(q + BODY_Q * b, world->bodies[b].q, sizeof world->bodies[b].q);
        memcpy(v + BODY_V * b, world->bodies[b].v, sizeof world->bodies[b].v);
    }
    for (int c = 0; c < world->constraint_count; c++) rows += world->constraints[c]->row_count;
    world->system = (FpSystem){
        .ops = &body_ops,
        .self = world,
        .block_count = n,
        .blocks = world->blocks,
        .q_count = BODY_Q * n,
        .v_count = BODY_V * n,
        .a_count = n,
        .constraint_count = world->constraint_count,
        .constraints = world->constraints,
        .row_count = rows,
        .scales = world_scales(world),
        .q_initial = q,
        .v_initial = v,
    };
    return true;
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
