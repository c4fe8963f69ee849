/* A row starts to push (close, or impact when its speed is more than a step of free acceleration
 * can give) or stops pushing (open), theory.md section 8. */
#include "engine/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/mass.h"
#include "engine/rows.h"

#define IMPACT_RATIO 2.0

struct FpEventFinder {
    const FpSystem* system;
    FpRows rows;
    FpMass mass;
    double *f, *free_acceleration, *speed, *acceleration;
    FpEvent* pending; /* of the last step, energy_after not yet known */
    int pending_count;
    bool *applied, *applies; /* of every row, before and after the step */
    bool ever_absent;        /* some rows may cease to apply */
    long looked_at;          /* the step at whose end `applies` was found; -1: none */
};

FpEventFinder* fp_event_finder_create(const FpSystem* system) {
    FpEventFinder* f = calloc(1, sizeof *f);
    if (!f) return NULL;
    size_t nr = (size_t)system->row_count, nv = (size_t)system->v_count;
    f->system = system;
    f->f = calloc(2 * nv + 2 * nr + 1, sizeof *f->f);
    f->pending = calloc(2 * nr + 1, sizeof *f->pending);
    f->applied = calloc(2 * nr + 1, sizeof *f->applied);
    bool rows = fp_rows_create(&f->rows, system), mass = fp_mass_create(&f->mass, system);
    if (!f->f || !f->pending || !f->applied || !rows || !mass) {
        fp_event_finder_destroy(f);
        return NULL;
    }
    f->free_acceleration = f->f + nv;
    f->speed = f->free_acceleration + nv;
    f->acceleration = f->speed + nr;
    f->applies = f->applied + nr;
    f->looked_at = -1;
    f->ever_absent = f->rows.ever_absent;
    return f;
}

void fp_event_finder_destroy(FpEventFinder* f) {
    if (!f) return;
    fp_rows_free(&f->rows);
    fp_mass_free(&f->mass);
    free(f->f);
    free(f->pending);
    free(f->applied);
    free(f);
}

const char* fp_event_kind_name(FpEventKind kind) {
    static const char* const names[] = {"open", "close", "impact", "leave", "enter"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}

static FpStatus show_pending(FpEventFinder* f, const FpState* now, const FpObserver* observer) {
    FpStatus status = FREEPLAY_OK;
    if (f->pending_count == 0) return status;
    double energy = fp_state_energy(f->system, now).shadow;
    for (int k = 0; k < f->pending_count && !status; k++) {
        f->pending[k].energy_after = energy;
        if (observer->event) status = observer->event(observer->context, &f->pending[k]);
    }
    f->pending_count = 0;
    return status;
}

/* Speeds at which the rows open, and what the applied forces add to them in a second. */
static FpStatus find_speeds(FpEventFinder* f, const FpState* before) {
    const FpSystem* s = f->system;
    fp_rows_evaluate(&f->rows, before->t, before->q);
    fp_rows_rates(&f->rows, before->v, f->speed);
    FpStatus status = fp_mass_evaluate(&f->mass, before->q);
    if (!status) status = s->ops->force(s->self, before->t, before->q, before->v, f->f);
    if (status) return status;
    fp_mass_solve(&f->mass, f->f, f->free_acceleration);
    fp_rows_rates(&f->rows, f->free_acceleration, f->acceleration);
    return FREEPLAY_OK;
}

static void hold_event(FpEventFinder* f, const FpState* before, const FpState* after,
                       int constraint, int row, int index) {
    double closing = fmax(0, -f->speed[index]);
    bool opens = before->lambda[index] > 0;
    bool jumps = closing > IMPACT_RATIO * after->h * fabs(f->acceleration[index]);
    FpEventKind starts = jumps ? FREEPLAY_EVENT_IMPACT : FREEPLAY_EVENT_CLOSE;
    f->pending[f->pending_count++] =
        (FpEvent){.t = after->t,
                  .constraint = constraint,
                  .row = row,
                  .kind = opens ? FREEPLAY_EVENT_OPEN : starts,
                  .energy_before = fp_state_energy(f->system, before).shadow,
                  .speed = closing};
}

static void find_applying(const FpSystem* s, const double* q, bool* applies) {
    for (int c = 0; c < s->constraint_count; c++) {
        fp_constraint_applies(s, s->constraints[c], q, applies);
        applies += s->constraints[c]->row_count;
    }
}

/* Rows that have ceased to apply, or apply again. */
static void hold_leaving(FpEventFinder* f, const FpState* before, const FpState* after) {
    if (!f->ever_absent) return;
    if (f->looked_at != before->step) find_applying(f->system, before->q, f->applies);
    memcpy(f->applied, f->applies, (size_t)f->system->row_count * sizeof *f->applied);
    find_applying(f->system, after->q, f->applies);
    f->looked_at = after->step;
    for (int c = 0, at = 0; c < f->system->constraint_count; c++)
        for (int i = 0; i < f->system->constraints[c]->row_count; i++, at++) {
            if (f->applied[at] == f->applies[at]) continue;
            f->pending[f->pending_count++] = (FpEvent){
                .t = after->t,
                .constraint = c,
                .row = i,
                .kind = f->applies[at] ? FREEPLAY_EVENT_ENTER : FREEPLAY_EVENT_LEAVE,
                .energy_before = fp_state_energy(f->system, before).shadow,
            };
        }
}

FpStatus fp_event_finder_look(FpEventFinder* f, const FpState* before, const FpState* after,
                              const FpObserver* observer) {
    FpStatus status = show_pending(f, after, observer);
    if (status) return status;
    bool looked = false;
    for (int c = 0, index = 0; c < f->system->constraint_count; c++) {
        const FpConstraint* k = f->system->constraints[c];
        for (int i = 0; i < k->row_count; i++, index++) {
            bool unilateral = k->rows[i].kind == FREEPLAY_ROW_UNILATERAL;
            if (!unilateral || (before->lambda[index] > 0) == (after->lambda[index] > 0)) continue;
            if (!looked) status = find_speeds(f, before);
            if (status) return status;
            looked = true;
            hold_event(f, before, after, c, i, index);
        }
    }
    hold_leaving(f, before, after);
    return FREEPLAY_OK;
}

const FpEvent* fp_event_finder_departure(const FpEventFinder* f) {
    for (int k = 0; k < f->pending_count; k++) {
        const FpEvent* event = &f->pending[k];
        const FpRow* row = &f->system->constraints[event->constraint]->rows[event->row];
        if (event->kind == FREEPLAY_EVENT_LEAVE && row->must_stay) return event;
    }
    return NULL;
}

FpStatus fp_event_finder_flush(FpEventFinder* f, const FpState* last, const FpObserver* observer) {
    return show_pending(f, last, observer);
}
