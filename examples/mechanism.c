#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "examples/program.h"

Mechanism* mechanism_allocate(void) {
    Mechanism* mechanism = calloc(1, sizeof *mechanism);
    if (!mechanism) {
        fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return mechanism;
}

static void mass(const void* context, const double* q, double* M) {
    (void)q;
    const Mechanism* mechanism = context;
    for (int i = 0; i < mechanism->v_count; i++)
        M[i * (mechanism->v_count + 1)] = mechanism->inertia[i];
}

static void force(const void* context, double t, const double* q, const double* v, double* f) {
    (void)t, (void)q, (void)v;
    const Mechanism* mechanism = context;
    memcpy(f, mechanism->force, (size_t)mechanism->v_count * sizeof *f);
}

static double potential_energy(const void* context, double t, const double* q) {
    (void)t;
    const Mechanism* mechanism = context;
    double work = 0;
    for (int i = 0; i < mechanism->v_count; i++) work += mechanism->force[i] * q[i];
    return -work;
}

FpLagrangianDef mechanism_def(Mechanism* mechanism, int count, const char* const* names,
                              const double* inertia, const double* forces) {
    FpLagrangianDef def = fp_lagrangian_def_default();
    mechanism->v_count = count;
    memcpy(mechanism->inertia, inertia, (size_t)count * sizeof *inertia);
    memcpy(mechanism->force, forces, (size_t)count * sizeof *forces);
    def.context = mechanism;
    def.q_count = def.v_count = count;
    def.q_names = names;
    def.constant_mass = true;
    def.mass = mass;
    def.force = force;
    def.potential_energy = potential_energy;
    return def;
}

Mechanism* mechanism_finish(Mechanism* mechanism, const FpLagrangianDef* def, int rows_count,
                            const FpLagrangianRowsDef* rows, FpMessage* message) {
    mechanism->lagrangian = fp_lagrangian_create(def, message);
    FpStatus status = mechanism->lagrangian ? FREEPLAY_OK : FREEPLAY_INVALID_ARGUMENT;
    for (int i = 0; i < rows_count && !status; i++)
        status = fp_lagrangian_add_rows(mechanism->lagrangian, &rows[i], message);
    if (!status) status = fp_lagrangian_finish(mechanism->lagrangian, message);
    if (!status) return mechanism;
    mechanism_free(mechanism);
    return NULL;
}

void mechanism_free(Mechanism* mechanism) {
    if (!mechanism) return;
    fp_lagrangian_destroy(mechanism->lagrangian);
    free(mechanism);
}

FpRow mechanism_contact(const char* label, double e, double mu, int slip_count) {
    return (FpRow){
        .kind = FREEPLAY_ROW_UNILATERAL,
        .is_contact = true,
        .label = label,
        .restitution = e,
        .friction = mu,
        .slip_count = slip_count,
    };
}

Mechanism* program_mechanism(const Program* program, int number, FpMessage* message) {
    ProgramValues values = {0};
    for (int i = 0; i < PROGRAM_OPTIONS; i++) values.number[i] = program->options[i].value;
    return program->create(number, &values, message);
}
