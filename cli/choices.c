#include "cli/choices.h"

#include <stdio.h>
#include <string.h>
#include "cli/nearest.h"

enum { MOST_CHOICES = sizeof((CliChoices*)0)->choices / sizeof(FpChoice) };

static CliChoices collect(int (*list)(FpChoice*, int)) {
    CliChoices found = {0};
    int count = list(found.choices, MOST_CHOICES);
    found.count = count < MOST_CHOICES ? count : MOST_CHOICES;
    return found;
}

static bool has_choice(const CliChoices* choices, const char* name) {
    for (int i = 0; i < choices->count; i++)
        if (strcmp(choices->choices[i].name, name) == 0) return true;
    return false;
}

CliChoices cli_schemes(void) {
    return collect(fp_schemes);
}

CliChoices cli_strategies(void) {
    return collect(fp_strategies);
}

CliChoices cli_solvers(void) {
    return collect(fp_solvers);
}

CliChoices cli_row_forms(void) {
    return collect(fp_row_forms);
}

const char* cli_row_form_name(FpRowForm rows) {
    return cli_row_forms().choices[rows].name;
}

FpStatus cli_choices_check(const CliChoices* choices, const char* option, const char* name,
                           FpMessage* message) {
    if (has_choice(choices, name)) return FREEPLAY_OK;
    CliNearest nearest = {.wrong = name};
    char list[300] = "";
    size_t used = 0;
    for (int i = 0; i < choices->count && used < sizeof list; i++) {
        cli_nearest_offer(&nearest, choices->choices[i].name);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 choices->choices[i].name);
    }
    char hint[64] = "";
    if (nearest.best) snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest.best);
    return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                     "--%s has no choice '%.60s'; possible: %s%s", option, name, list, hint);
}
