#include "nlp/solver_lock.h"

#include <pthread.h>

static pthread_mutex_t one_call_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void fp_solver_lock(void) {
    pthread_mutex_lock(&one_call_at_a_time);
}

void fp_solver_unlock(void) {
    pthread_mutex_unlock(&one_call_at_a_time);
}
