#include <stdio.h>
#include <stdlib.h>
#include "examples/program.h"

Mechanism* mechanism_allocate(void) {
    Mechanism* mechanism = calloc(1, sizeof *mechanism);
    if (!mechanism) {
        fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return mechanism;
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
