/* Loading models that are refused: what a refusal says and where it points. */
#ifndef FREEPLAY_TESTS_MODEL_REFUSALS_H
#define FREEPLAY_TESTS_MODEL_REFUSALS_H

#include "tests/model/models.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In a good model `from` is replaced by `to`, where ' stands for ". */
typedef struct Refusal {
    const char *from, *to;
    const char* where; /* "LINE:COLUMN: FIELD" */
    const char* words;
} Refusal;

/* Replaces the first `from` in the model; the whole model if from is "". The caller frees it. */
static inline char* replaced(const char* model, const char* from, const char* to) {
    const char* at = strstr(model, from);
    if (!at) fail_msg("the model has no %s", from);
    size_t length = from[0] ? strlen(from) : strlen(model);
    char* text = malloc(strlen(model) + strlen(to) + 1);
    assert_non_null(text);
    sprintf(text, "%.*s%s%s", (int)(at - model), model, to, at + length);
    for (char* quote = text; (quote = strchr(quote, '\'')) != NULL;) *quote = '"';
    return text;
}

/* Loads a model with standard output and error going into a file; returns the length of that. */
static inline long load_quietly(const char* path, int setting_count, const FpSetting* settings,
                                FpStatus* status, FpMessage* message) {
    FpModel* model = (FpModel*)&model;
    FILE* printed = tmpfile();
    assert_non_null(printed);
    fflush(NULL);
    int output = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);
    dup2(fileno(printed), STDOUT_FILENO);
    dup2(fileno(printed), STDERR_FILENO);
    *status = fp_model_load(path, setting_count, settings, &model, message);
    fflush(NULL);
    dup2(output, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    close(output);
    close(error);
    fseek(printed, 0, SEEK_END);
    long length = ftell(printed);
    fclose(printed);
    if (*status == FREEPLAY_OK)
        fp_model_destroy(model);
    else
        assert_null(model);
    return length;
}

static inline void assert_accepted(const char* path, const char* model) {
    write_model(path, model);
    FpStatus status;
    FpMessage message = {0};
    assert_int_equal(load_quietly(path, 0, NULL, &status, &message), 0);
    if (status != FREEPLAY_OK) fail_msg("%s", message.text);
}

static inline void assert_refused_text(const char* text, size_t length, const char* where,
                                       const char* words) {
    FILE* file = fopen("refused.json", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
    FpStatus status;
    FpMessage message = {0};
    assert_int_equal(load_quietly("refused.json", 0, NULL, &status, &message), 0);
    if (status != FREEPLAY_INVALID_MODEL) fail_msg("status %d for\n%s", status, text);
    char start[200];
    snprintf(start, sizeof start, "refused.json:%s: ", where);
    if (strncmp(message.text, start, strlen(start)) != 0 || !strstr(message.text, words))
        fail_msg("%s\nnot %s ... %s", message.text, start, words);
    assert_null(strpbrk(message.text, "\n\r"));
}

static inline void assert_refusals(const char* model, const Refusal* rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char* text = replaced(model, rows[i].from, rows[i].to);
        assert_refused_text(text, strlen(text), rows[i].where, rows[i].words);
        free(text);
    }
}

#define ASSERT_REFUSALS(model, rows) assert_refusals(model, rows, sizeof rows / sizeof rows[0])

#endif
