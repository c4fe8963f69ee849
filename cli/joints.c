#include "cli/joints.h"

#include <stdio.h>
#include <stdlib.h>
#include "cli/console.h"
#include "cli/table.h"

static const char* plural(int count) {
    return count == 1 ? "" : "s";
}

static int count_bilateral(const FpConstraint* joint) {
    int count = 0;
    for (int i = 0; i < joint->row_count; i++)
        count += joint->rows[i].kind == FREEPLAY_ROW_BILATERAL;
    return count;
}

/* Joints --------------------------------------------------------------------------------------- */

static const char* play_of(const FpConstraint* joint) {
    int bilateral = count_bilateral(joint);
    if (bilateral == joint->row_count) return "ideal";
    return bilateral == 0 ? "loose" : "mixed";
}

/* "bore on pendulum, pin on ground". */
static void print_connection(const FpWorld* world, const FpConstraint* joint) {
    const FpJointType* type = fp_joint_type_find(joint->type);
    for (int i = 0; i < joint->block_count; i++) {
        const char* carried = type && i < 2 ? type->carries[i] : NULL;
        printf("%s%s%s%s", i ? ", " : "", carried ? carried : "", carried ? " on " : "",
               fp_world_body_name(world, joint->blocks[i]));
    }
    putchar('\n');
}

/* The same for all rows of a joint that have any. */
static void print_contact_law(const FpConstraint* joint) {
    for (int i = 0; i < joint->row_count; i++) {
        const FpRow* row = &joint->rows[i];
        if (row->friction == 0 && row->restitution == 0) continue;
        printf("    friction %g%s, restitution %g", row->friction,
               row->slip_count == 3 ? " (with drilling)" : "", row->restitution);
        if (row->tangential_restitution > 0)
            printf(", tangential restitution %g", row->tangential_restitution);
        putchar('\n');
        if (fp_joint_lacks_radius(joint))
            printf("    no radius is given: friction acts at the axis or centre and does not brake "
                   "turning about it\n");
        return;
    }
    if (fp_joint_has_idle_laws(joint))
        printf(
            "    friction and restitution are given but have no effect: no row of it is loose\n");
}

static void add_row(CliTable* table, int index, const FpRow* row, double gap, bool applies) {
    bool bilateral = row->kind == FREEPLAY_ROW_BILATERAL;
    const char* unit = row->unit == FREEPLAY_ROW_ANGLE ? "rad" : "m";
    cli_table_add(table, "%d", index);
    cli_table_add(table, "%s", bilateral ? "bilateral" : "unilateral");
    if (bilateral || row->is_contact)
        cli_table_add(table, "-");
    else
        cli_table_add(table, "%.6g %s", row->size, unit);
    if (applies)
        cli_table_add(table, "%.6g %s", gap, unit);
    else
        cli_table_add(table, "none: has left");
    cli_table_add(table, "%s", row->label ? row->label : "");
}

static void print_rows(const FpSystem* system, const FpConstraint* joint, const FpState* state) {
    static const char* const titles[] = {"row", "kind", "clearance", "gap at the start",
                                         "what it is"};
    CliTable table = {.columns = sizeof titles / sizeof titles[0]};
    double gaps[FREEPLAY_CONSTRAINT_ROWS];
    bool applies[FREEPLAY_CONSTRAINT_ROWS];
    fp_constraint_gaps(system, joint, state->t, state->q, gaps, NULL);
    fp_constraint_applies(system, joint, state->q, applies);
    for (int i = 0; i < table.columns; i++) cli_table_add(&table, "%s", titles[i]);
    for (int i = 0; i < joint->row_count; i++)
        add_row(&table, i, &joint->rows[i], gaps[i], applies[i]);
    cli_table_print(&table, 4);
}

void cli_joints_print(const FpModel* model, const FpState* state) {
    const FpSystem* system = fp_model_system(model);
    printf("joints: %d\n", system->constraint_count);
    for (int i = 0; i < system->constraint_count; i++) {
        const FpConstraint* joint = system->constraints[i];
        printf("  %s: %s, %s, ", joint->name, joint->type, play_of(joint));
        print_connection(fp_model_world(model), joint);
        print_contact_law(joint);
        print_rows(system, joint, state);
    }
}

/* Freedom -------------------------------------------------------------------------------------- */

static void print_redundant(const FpSystem* system, const bool* redundant, int count) {
    if (count == 0) return;
    printf("redundant rows: %d, which follow%s from the bilateral rows before; of the forces that "
           "are possible there, a run gives the smallest\n",
           count, count == 1 ? "s" : "");
    for (int c = 0, at = 0; c < system->constraint_count; c++) {
        const FpConstraint* joint = system->constraints[c];
        for (int i = 0; i < joint->row_count; i++, at++)
            if (redundant[at])
                printf("  joint '%s', row %d (%s)\n", joint->name, i,
                       joint->rows[i].label ? joint->rows[i].label : "");
    }
}

void cli_freedom_print(const FpModel* model, const FpState* state) {
    const FpSystem* system = fp_model_system(model);
    int bodies = fp_world_body_count(fp_model_world(model)), unilateral = system->row_count;
    FpFreedomCount count;
    bool* redundant = calloc((size_t)system->row_count + 1, sizeof *redundant);
    if (!redundant || fp_freedom_count(system, state, &count, redundant)) cli_out_of_memory();
    for (int i = 0; i < system->constraint_count; i++)
        unilateral -= count_bilateral(system->constraints[i]);
    printf("degrees of freedom: %d\n", count.velocities - count.rank);
    printf("  %d velocities of %d bod%s, less %d independent of %d bilateral row%s; "
           "%d unilateral row%s limit%s them\n",
           count.velocities, bodies, bodies == 1 ? "y" : "ies", count.rank, count.bilateral,
           plural(count.bilateral), unilateral, plural(unilateral), unilateral == 1 ? "s" : "");
    print_redundant(system, redundant, count.bilateral - count.rank);
    free(redundant);
}
