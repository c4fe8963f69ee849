/* What the command says: messages on stderr, one line each, and results on stdout. */
#ifndef FREEPLAY_CLI_CONSOLE_H
#define FREEPLAY_CLI_CONSOLE_H

#include "freeplay.h"

enum {
    CLI_OK = 0,
    CLI_FAILED = 1, /* the model was refused or the run failed */
    CLI_USAGE = 2,  /* wrong usage */
};

/* "freeplay: ..." on stderr. Control characters, which may come from the user, become '?'. */
void cli_error(const char* format, ...) FREEPLAY_PRINTF(1, 2);
/* "warning: ..." on stderr, in the same way. */
void cli_warning(const char* format, ...) FREEPLAY_PRINTF(1, 2);
/* The reason of a refusal, with its field if it has one. A line that already starts with the name
 * of the model file stays as it is; `path` may be NULL. */
void cli_error_reason(const FpMessage* reason, const char* path);
/* Says so and ends the program. */
_Noreturn void cli_out_of_memory(void);

/* Makes sure that no file of ours takes the place of a closed stdin, stdout or stderr. */
void cli_console_open(void);
/* Whether all output arrived; if not, says so. */
bool cli_console_close(void);

#endif
