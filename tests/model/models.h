/* Writing and loading small models. */
#ifndef FREEPLAY_TESTS_MODEL_MODELS_H
#define FREEPLAY_TESTS_MODEL_MODELS_H

#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include "model/model.h"

/* In the text ' stands for ". */
static inline void write_model(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    for (; *text; text++) assert_true(fputc(*text == '\'' ? '"' : *text, file) != EOF);
    fclose(file);
}

static inline FpModel* load_file(const char* path, int setting_count, const FpSetting* settings) {
    FpModel* model;
    FpMessage message = {0};
    if (fp_model_load(path, setting_count, settings, &model, &message) != FREEPLAY_OK)
        fail_msg("%s", message.text);
    assert_string_equal(message.text, "");
    return model;
}

static inline FpModel* load_text(const char* text) {
    write_model("model.json", text);
    return load_file("model.json", 0, NULL);
}

static inline void assert_vector(const double* actual, double x, double y, double z) {
    assert_near(actual[0], x, 1e-15 * fabs(x));
    assert_near(actual[1], y, 1e-15 * fabs(y));
    assert_near(actual[2], z, 1e-15 * fabs(z));
}

#endif
