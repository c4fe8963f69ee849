#include "output/run_files.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "output/version.h"

/* The put functions return whether there was memory enough. */
static bool put(json_t* to, const char* key, json_t* value) {
    return json_object_set_new(to, key, value) == 0;
}

/* JSON has no word for NaN and infinity. */
static bool put_number(json_t* to, const char* key, double x) {
    return put(to, key, isfinite(x) ? json_real(x) : json_null());
}

static bool put_count(json_t* to, const char* key, long count) {
    return put(to, key, json_integer(count));
}

static json_t* ascii_only(const char* text) {
    char* copy = strdup(text);
    if (!copy) return NULL;
    for (char* c = copy; *c; c++) {
        if ((unsigned char)*c >= 0x80) *c = '?';
    }
    json_t* value = json_string(copy);
    free(copy);
    return value;
}

/* File names may hold bytes that are no UTF-8, which JSON must not. */
static bool put_text(json_t* to, const char* key, const char* text) {
    if (!text) return put(to, key, json_null());
    json_t* value = json_string(text);
    return put(to, key, value ? value : ascii_only(text));
}

static bool put_what_ran(json_t* to, const FpRunSummary* summary) {
    bool failed = summary->status != FREEPLAY_OK;
    return put_text(to, "status", failed ? fp_status_text(summary->status) : "ok") &&
           (!failed || put_text(to, "reason", summary->reason)) &&
           put_text(to, "model", summary->model) && put_text(to, "scheme", summary->scheme) &&
           put_text(to, "solver", summary->solver) && put_text(to, "rows", summary->rows) &&
           put_text(to, "step", summary->step) && put_number(to, "t_end", summary->t_end);
}

static bool put_h(json_t* to, const FpTotals* totals) {
    json_t* h = json_object();
    bool has_steps = totals->steps > 0;
    return put(to, "h", h) && put_number(h, "smallest", has_steps ? totals->h_smallest : NAN) &&
           put_number(h, "largest", has_steps ? totals->h_largest : NAN);
}

static bool put_effort(json_t* to, const FpTotals* totals) {
    json_t* solves = json_object();
    return put_count(to, "steps", totals->steps) && put_count(to, "rejected", totals->rejected) &&
           put_h(to, totals) && put(to, "solves", solves) &&
           put_count(solves, "structured", totals->solves_structured) &&
           put_count(solves, "ipopt", totals->solves_ipopt) &&
           put_count(solves, "retried", totals->retried) &&
           put_count(to, "ipopt_iterations", totals->iterations) &&
           put_number(to, "wall_seconds", totals->wall_seconds) &&
           put_number(to, "us_per_step", 1e6 * totals->wall_seconds / (double)totals->steps);
}

static bool put_quality(json_t* to, const FpTotals* totals) {
    return put_number(to, "max_penetration", totals->max_penetration) &&
           put_number(to, "max_certificate", totals->max_certificate) &&
           put_number(to, "max_motion_residual", totals->max_motion_residual) &&
           put_number(to, "max_norm_defect", totals->max_norm_defect);
}

static bool put_energy(json_t* to, const FpEnergy* initial, const FpEnergy* final) {
    json_t* energy = json_object();
    return put(to, "energy", energy) && put_number(energy, "initial", initial->total) &&
           put_number(energy, "final", final->total) &&
           put_number(energy, "drift", final->total - initial->total) &&
           put_number(energy, "shadow_drift", final->shadow - initial->shadow);
}

static bool put_versions(json_t* to) {
    json_t* versions = json_object();
    bool done = put(to, "versions", versions);
    int count;
    const FpVersion* version = fp_versions(&count);
    for (int i = 0; done && i < count; i++)
        done = put_text(versions, version[i].name, version[i].version);
    return done;
}

char* fp_run_summary_json(const FpRunSummary* summary) {
    const FpTotals* totals = &summary->totals;
    json_t* root = json_object();
    bool done = root && put_what_ran(root, summary) && put_effort(root, totals) &&
                put_quality(root, totals) && put_energy(root, &totals->initial, &totals->final) &&
                put_versions(root);
    /* Without a precision of ours, jansson writes numbers that read back to the same bits. */
    char* text = done ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    return text;
}
