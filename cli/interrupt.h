/* Ctrl-C and SIGTERM end a run in order. */
#ifndef FREEPLAY_CLI_INTERRUPT_H
#define FREEPLAY_CLI_INTERRUPT_H

/* From now on the first such signal is only noted; a second one ends the program at once. */
void cli_interrupt_catch(void);
/* The signal that has come, 0 if none has. */
int cli_interrupt_signal(void);

#endif
