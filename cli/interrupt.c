#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t received;

static void note(int signal_number) {
    received = signal_number;
}

/* Even where a shell has it ignored, as for a command in the background of a script: whoever sends
 * the signal wants the run to end. */
void cli_interrupt_catch(void) {
    /* SA_RESETHAND: the second one does what it always did. */
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int cli_interrupt_signal(void) {
    return received;
}
