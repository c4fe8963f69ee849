/* The packaged MUMPS is not re-entrant, and Ipopt stands on it: whoever calls either holds this
 * lock, which is one for the process and does not nest. */
#ifndef FREEPLAY_NLP_SOLVER_LOCK_H
#define FREEPLAY_NLP_SOLVER_LOCK_H

void fp_solver_lock(void);
void fp_solver_unlock(void);

#endif
