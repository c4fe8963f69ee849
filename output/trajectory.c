#include "output/run_files_impl.h"

#include "output/csv_impl.h"

typedef void (*FpNameFunction)(const void* self, int block, int index, char* text, size_t size);

static void put_title(FILE* stream, const char* title) {
    putc(',', stream);
    fp_csv_text(stream, title);
}

static void put_names(const FpSystem* system, FpNameFunction name, int block, int count,
                      FILE* stream) {
    char title[FREEPLAY_TITLE_SIZE];
    for (int i = 0; i < count; i++) {
        name(system->self, block, i, title, sizeof title);
        put_title(stream, title);
    }
}

static void put_row_titles(const FpConstraint* constraint, FILE* stream) {
    char title[FREEPLAY_TITLE_SIZE];
    for (int i = 0; i < constraint->row_count; i++) {
        snprintf(title, sizeof title, "%s.gap[%d]", constraint->name, i);
        put_title(stream, title);
        snprintf(title, sizeof title, "%s.force[%d]", constraint->name, i);
        put_title(stream, title);
    }
}

void fp_trajectory_header(const FpSystem* system, FILE* stream) {
    fputs("t,h", stream);
    for (int b = 0; b < system->block_count; b++) {
        const FpBlock* block = &system->blocks[b];
        put_names(system, system->ops->coordinate_name, b, block->q_count, stream);
        put_names(system, system->ops->velocity_name, b, block->v_count, stream);
    }
    for (int c = 0; c < system->constraint_count; c++)
        put_row_titles(system->constraints[c], stream);
    fputs(",E_kin,E_pot,E_tot,E_shadow\n", stream);
}

static void put_number(FILE* stream, double x) {
    putc(',', stream);
    fp_csv_number(stream, x);
}

static void put_numbers(FILE* stream, const double* x, int count) {
    for (int i = 0; i < count; i++) put_number(stream, x[i]);
}

void fp_trajectory_row(const FpSystem* system, const FpSample* sample, FILE* stream) {
    const FpState* state = sample->state;
    fp_csv_number(stream, state->t);
    put_number(stream, state->h);
    for (int b = 0; b < system->block_count; b++) {
        const FpBlock* block = &system->blocks[b];
        put_numbers(stream, state->q + block->q_at, block->q_count);
        put_numbers(stream, state->v + block->v_at, block->v_count);
    }
    for (int i = 0; i < system->row_count; i++) {
        put_number(stream, sample->gaps[i]);
        put_number(stream, state->lambda[i]);
    }
    const FpEnergy* energy = &sample->energy;
    put_numbers(stream,
                (double[]){energy->kinetic, energy->potential, energy->total, energy->shadow}, 4);
    putc('\n', stream);
}
