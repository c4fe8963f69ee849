#include "cli/report.h"

#include <stdio.h>
#include "cli/table.h"
#include "cli/text.h"

static void add_row(CliTable* table, const char* name, const char* value) {
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", value);
}

static void add_steps(CliTable* table, const FpTotals* totals) {
    CliText smallest = cli_text_quantity(totals->h_smallest, "s");
    CliText largest = cli_text_quantity(totals->h_largest, "s");
    /* With a fixed step, only the last one may be shorter. */
    bool vary = totals->h_smallest < 0.999 * totals->h_largest;
    cli_table_add(table, "steps");
    if (totals->steps == 0)
        cli_table_add(table, "none");
    else if (vary)
        cli_table_add(table, "%ld of %s to %s, %ld rejected", totals->steps, smallest.text,
                      largest.text, totals->rejected);
    else
        cli_table_add(table, "%ld of %s, %ld rejected", totals->steps, largest.text,
                      totals->rejected);
}

static void add_effort(CliTable* table, const FpTotals* totals) {
    double steps = (double)totals->steps;
    add_steps(table, totals);
    if (totals->steps == 0) return;
    cli_table_add(table, "computing time");
    cli_table_add(table, "%s, %s per step", cli_text_duration(totals->wall_seconds).text,
                  cli_text_duration(totals->wall_seconds / steps).text);
    cli_table_add(table, "solved by");
    cli_table_add(table,
                  "structured solver %ld, Ipopt %ld (%.3g iterations per step), %ld solves "
                  "repeated",
                  totals->solves_structured, totals->solves_ipopt,
                  (double)totals->iterations / steps, totals->retried);
    if (totals->audited == 0) return;
    cli_table_add(table, "audit");
    cli_table_add(table, "%ld steps by both solvers, largest difference %s", totals->audited,
                  cli_text_residual(totals->max_difference).text);
}

static void add_quality(CliTable* table, const FpTotals* totals) {
    add_row(table, "largest penetration", cli_text_quantity(totals->max_penetration, "m").text);
    add_row(table, "largest certificate", cli_text_residual(totals->max_certificate).text);
    add_row(table, "motion residual", cli_text_residual(totals->max_motion_residual).text);
    add_row(table, "norm defect", cli_text_residual(totals->max_norm_defect).text);
    if (totals->wedged == 0) return;
    cli_table_add(table, "wedged by friction");
    cli_table_add(table,
                  "%ld steps: Coulomb's law may have several solutions there, or none "
                  "without an impulse",
                  totals->wedged);
}

static void add_energy(CliTable* table, const FpEnergy* initial, const FpEnergy* final) {
    cli_table_add(table, "energy");
    cli_table_add(table, "from %.6g J to %.6g J, change %.4g J (shadow energy: %.4g J)",
                  initial->total, final->total, final->total - initial->total,
                  final->shadow - initial->shadow);
}

static void add_events(CliTable* table, const CliEventCounts* events) {
    cli_table_add(table, "events");
    cli_table_add(table, "%ld, %ld of them impacts", events->all, events->impacts);
}

void cli_report_print(const FpRunSummary* summary, const CliEventCounts* events,
                      const char* directory) {
    const FpTotals* totals = &summary->totals;
    CliTable table = {.columns = 2};
    printf("%s until t = %s: scheme %s, step %s, rows %s, solver %s\n", summary->model,
           cli_text_quantity(summary->t_end, "s").text, summary->scheme, summary->step,
           summary->rows, summary->solver);
    add_row(&table, "status", fp_status_text(summary->status));
    add_effort(&table, totals);
    if (totals->steps > 0) {
        add_quality(&table, totals);
        add_energy(&table, &totals->initial, &totals->final);
        add_events(&table, events);
    }
    cli_table_add(&table, "files");
    cli_table_add(&table, "%s: trajectory.csv, events.csv, summary.json, plot.svg", directory);
    cli_table_print(&table, 2);
}
