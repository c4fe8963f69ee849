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

typedef FpStatus LoadModel(const char* path, int setting_count, const FpSetting* settings,
                           FpModel** model, FpMessage* message);

static int load(const CliArguments* arguments, LoadModel* load_model, FpModel** model) {
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
    if (code == CLI_OK && load_model(path, count, settings, model, &reason)) {
        cli_error_reason(&reason, path);
        code = CLI_FAILED;
    }
    free(settings);
    return code;
}

int cli_model_load(const CliArguments* arguments, FpModel** model) {
    return load(arguments, fp_model_load, model);
}

int cli_model_load_unassembled(const CliArguments* arguments, FpModel** model) {
    return load(arguments, fp_model_load_unassembled, model);
}

int cli_model_assemble(const FpModel* model, FpState* state, FpAssembly* assembly) {
    FpMessage reason = {0};
    FpStatus status = fp_assemble(fp_model_system(model), state, assembly, &reason);
    return status ? cli_assembly_refused(model, status, &reason) : CLI_OK;
}

int cli_assembly_refused(const FpModel* model, FpStatus status, const FpMessage* reason) {
    cli_error("%s: %s", fp_model_name(model),
              reason->text[0] ? reason->text : fp_status_text(status));
    return CLI_FAILED;
}
