/* What the options --scheme, --step, --solver and --rows choose from. */
#ifndef FREEPLAY_CLI_CHOICES_H
#define FREEPLAY_CLI_CHOICES_H

#include "freeplay.h"

typedef struct CliChoices {
    int count;
    FpChoice choices[32];
} CliChoices;

CliChoices cli_schemes(void);
CliChoices cli_strategies(void);
CliChoices cli_solvers(void);
CliChoices cli_row_forms(void);
/* Its name in options and summaries. */
const char* cli_row_form_name(FpRowForm rows);

/* Whether there is such a choice; if not, the message lists what there is. */
FpStatus cli_choices_check(const CliChoices* choices, const char* option, const char* name,
                           FpMessage* message);

#endif
