/* Finds what happens at the rows between two states. Private to the simulation. */
#ifndef FREEPLAY_ENGINE_EVENTS_H
#define FREEPLAY_ENGINE_EVENTS_H

#include "engine/simulation.h"

typedef struct FpEventFinder FpEventFinder;

/* NULL when out of memory. */
FpEventFinder* fp_event_finder_create(const FpSystem* system);
void fp_event_finder_destroy(FpEventFinder* finder);

/* Compares the state before a step with the one after it and shows the events to the observer. An
 * impact takes two steps: it is shown one call later, when its energy is known. */
FpStatus fp_event_finder_look(FpEventFinder* finder, const FpState* before, const FpState* after,
                              const FpObserver* observer);
/* The event of the last step that must end the run: a row that must stay has left. Or NULL. */
const FpEvent* fp_event_finder_departure(const FpEventFinder* finder);
/* Shows what is still held back: the run ends here. */
FpStatus fp_event_finder_flush(FpEventFinder* finder, const FpState* last,
                               const FpObserver* observer);

#endif
