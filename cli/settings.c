#include "cli/settings.h"

#include <stdlib.h>
#include <string.h>
#include "cli/console.h"

static bool split_setting(char* text, FpSetting* setting) {
    char* equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) return false;
    *equals = '\0';
    *setting = (FpSetting){.name = text, .value = equals + 1};
    return true;
}

int cli_model_load(const CliArguments* arguments, FpModel** model) {
    *model = NULL;
    const char* path = arguments->files[0];
    int count = arguments->repeated_count;
    FpSetting* settings = calloc((size_t)count + 1, sizeof *settings);
    if (!settings) cli_out_of_memory();
    int code = CLI_OK;
    for (int i = 0; i < count && code == CLI_OK; i++) {
        if (split_setting(arguments->repeated[i], &settings[i])) continue;
        cli_error("--set '%s' is not NAME=VALUE; a setting looks like this: --set c=0.2mm",
                  arguments->repeated[i]);
        code = CLI_USAGE;
    }
    FpMessage reason = {0};
    if (code == CLI_OK && fp_model_load(path, count, settings, model, &reason)) {
        cli_error_reason(&reason, path);
        code = CLI_FAILED;
    }
    free(settings);
    return code;
}
