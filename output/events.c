#include "output/run_files_impl.h"

#include <math.h>
#include "output/csv_impl.h"
#include "output/number_impl.h"

void fp_events_header(FILE* stream) {
    fputs("t,joint,row,kind,E_before,E_after,detail\n", stream);
}

/* Plain words without commas, so that the simplest reader can split the line. */
static void put_detail(const FpEvent* event, FILE* stream) {
    static const char* const plain[] = {[FREEPLAY_EVENT_OPEN] = "contact ends",
                                        [FREEPLAY_EVENT_LEAVE] = "leaves what it slides on",
                                        [FREEPLAY_EVENT_ENTER] = "is back on what it slides on"};
    if (event->kind != FREEPLAY_EVENT_CLOSE && event->kind != FREEPLAY_EVENT_IMPACT) {
        fputs(plain[event->kind], stream);
        return;
    }
    char speed[FREEPLAY_NUMBER_SIZE];
    fp_number_rounded(event->speed, 6, speed);
    fprintf(stream, "closing at %s m/s", speed);
    if (event->kind != FREEPLAY_EVENT_IMPACT) return;

    double lost = event->energy_before - event->energy_after;
    char energy[FREEPLAY_NUMBER_SIZE];
    fp_number_rounded(fabs(lost), 6, energy);
    fprintf(stream, "; %s %s J", lost < 0.0 ? "gained" : "lost", energy);
}

void fp_events_row(const FpSystem* system, const FpEvent* event, FILE* stream) {
    fp_csv_number(stream, event->t);
    putc(',', stream);
    fp_csv_text(stream, system->constraints[event->constraint]->name);
    fprintf(stream, ",%d,%s,", event->row, fp_event_kind_name(event->kind));
    fp_csv_number(stream, event->energy_before);
    putc(',', stream);
    fp_csv_number(stream, event->energy_after);
    putc(',', stream);
    put_detail(event, stream);
    putc('\n', stream);
}
