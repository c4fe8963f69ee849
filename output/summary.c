#include "output/run_files.h"

#include <math.h>
#include "output/json_impl.h"
#include "output/version.h"

static bool put_what_ran(json_t* to, const FpRunSummary* summary) {
    bool failed = summary->status != FREEPLAY_OK;
    return fp_json_put_text(to, "status", failed ? fp_status_text(summary->status) : "ok") &&
           (!failed || fp_json_put_text(to, "reason", summary->reason)) &&
           fp_json_put_text(to, "model", summary->model) &&
           fp_json_put_text(to, "scheme", summary->scheme) &&
           fp_json_put_text(to, "solver", summary->solver) &&
           fp_json_put_text(to, "rows", summary->rows) &&
           fp_json_put_text(to, "step", summary->step) &&
           fp_json_put_number(to, "t_end", summary->t_end);
}

static bool put_h(json_t* to, const FpTotals* totals) {
    json_t* h = json_object();
    bool has_steps = totals->steps > 0;
    return fp_json_put(to, "h", h) &&
           fp_json_put_number(h, "smallest", has_steps ? totals->h_smallest : NAN) &&
           fp_json_put_number(h, "largest", has_steps ? totals->h_largest : NAN);
}

static bool put_effort(json_t* to, const FpTotals* totals) {
    json_t* solves = json_object();
    return fp_json_put_count(to, "steps", totals->steps) &&
           fp_json_put_count(to, "rejected", totals->rejected) && put_h(to, totals) &&
           fp_json_put(to, "solves", solves) &&
           fp_json_put_count(solves, "structured", totals->solves_structured) &&
           fp_json_put_count(solves, "ipopt", totals->solves_ipopt) &&
           fp_json_put_count(solves, "retried", totals->retried) &&
           fp_json_put_count(to, "ipopt_iterations", totals->iterations) &&
           fp_json_put_number(to, "wall_seconds", totals->wall_seconds) &&
           fp_json_put_number(to, "us_per_step",
                              1e6 * totals->wall_seconds / (double)totals->steps);
}

static bool put_quality(json_t* to, const FpTotals* totals) {
    return fp_json_put_number(to, "max_penetration", totals->max_penetration) &&
           fp_json_put_number(to, "max_certificate", totals->max_certificate) &&
           fp_json_put_number(to, "max_motion_residual", totals->max_motion_residual) &&
           fp_json_put_number(to, "max_norm_defect", totals->max_norm_defect) &&
           fp_json_put_count(to, "wedged_steps", totals->wedged);
}

/* Only of a run that was audited. */
static bool put_audit(json_t* to, const FpTotals* totals) {
    if (totals->audited == 0) return true;
    json_t* audit = json_object();
    return fp_json_put(to, "audit", audit) && fp_json_put_count(audit, "steps", totals->audited) &&
           fp_json_put_number(audit, "max_difference", totals->max_difference);
}

static bool put_energy(json_t* to, const FpEnergy* initial, const FpEnergy* final) {
    json_t* energy = json_object();
    return fp_json_put(to, "energy", energy) &&
           fp_json_put_number(energy, "initial", initial->total) &&
           fp_json_put_number(energy, "final", final->total) &&
           fp_json_put_number(energy, "drift", final->total - initial->total) &&
           fp_json_put_number(energy, "shadow_drift", final->shadow - initial->shadow);
}

static bool put_warnings(json_t* to, const FpRunSummary* summary) {
    json_t* warnings = json_array();
    bool done = fp_json_put(to, "warnings", warnings);
    for (int i = 0; done && i < summary->warning_count; i++)
        done = json_array_append_new(warnings, fp_json_text(summary->warnings[i])) == 0;
    return done;
}

static bool put_assembled(json_t* to, const FpAssembly* assembled) {
    json_t* object = assembled ? json_object() : NULL;
    return !assembled ||
           (fp_json_put(to, "assembled", object) && fp_json_put_assembly(object, assembled));
}

static bool put_versions(json_t* to) {
    json_t* versions = json_object();
    bool done = fp_json_put(to, "versions", versions);
    int count;
    const FpVersion* version = fp_versions(&count);
    for (int i = 0; done && i < count; i++)
        done = fp_json_put_text(versions, version[i].name, version[i].version);
    return done;
}

char* fp_run_summary_json(const FpRunSummary* summary) {
    const FpTotals* totals = &summary->totals;
    json_t* root = json_object();
    bool done = root && put_what_ran(root, summary) && put_warnings(root, summary) &&
                put_assembled(root, summary->assembled) && put_effort(root, totals) &&
                put_quality(root, totals) && put_audit(root, totals) &&
                put_energy(root, &totals->initial, &totals->final) && put_versions(root);
    return fp_json_finish(root, done);
}
