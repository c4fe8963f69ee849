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

/* Friction of a row, along its tangents and against drilling. */
static void put_slip_titles(const FpConstraint* constraint, int row, FILE* stream) {
    static const char* const components[FREEPLAY_SLIP_MAX] = {"t1", "t2", "drill"};
    char title[FREEPLAY_TITLE_SIZE];
    for (int i = 0; i < constraint->rows[row].slip_count; i++) {
        snprintf(title, sizeof title, "%s.%s[%d]", constraint->name, components[i], row);
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
        put_slip_titles(constraint, i, stream);
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

/* Forces of friction stand behind those of all rows, in their order. */
static void put_rows(const FpSystem* system, const FpSample* sample, FILE* stream) {
    const double* lambda = sample->state->lambda;
    for (int c = 0, row = 0, slip = system->row_count; c < system->constraint_count; c++) {
        const FpConstraint* constraint = system->constraints[c];
        for (int i = 0; i < constraint->row_count; i++, row++) {
            put_number(stream, sample->gaps[row]);
            put_number(stream, lambda[row]);
            put_numbers(stream, lambda + slip, constraint->rows[i].slip_count);
            slip += constraint->rows[i].slip_count;
        }
    }
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
    put_rows(system, sample, stream);
    const FpEnergy* energy = &sample->energy;
    put_numbers(stream,
                (double[]){energy->kinetic, energy->potential, energy->total, energy->shadow}, 4);
    putc('\n', stream);
}
