#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/json_text.h"

static void write_file(const char* text, size_t length) {
    FILE* file = fopen("text.json", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static FpStatus load(const char* text, FpJsonText* json, FpMessage* message) {
    write_file(text, strlen(text));
    return fp_json_text_load("text.json", json, message);
}

static void assert_refused_bytes(const char* text, size_t length, const char* where,
                                 const char* words) {
    FpJsonText json;
    FpMessage message = {0};
    write_file(text, length);
    FpStatus status = fp_json_text_load("text.json", &json, &message);
    if (status != FREEPLAY_INVALID_MODEL) fail_msg("%s: status %d", text, status);
    assert_null(json.root);
    assert_null(json.text);
    char start[100];
    snprintf(start, sizeof start, "text.json:%s: ", where);
    if (strncmp(message.text, start, strlen(start)) != 0 || !strstr(message.text, words))
        fail_msg("%s: %s", text, message.text);
}

static void assert_refused(const char* text, const char* where, const char* words) {
    assert_refused_bytes(text, strlen(text), where, words);
}

static void assert_at(FpPosition position, int line, int column) {
    assert_int_equal(position.line, line);
    assert_int_equal(position.column, column);
}

/* Columns count characters: "é" has two bytes. "\u006b" is an escaped k. */
static const char sample[] = "{\n"
                             "  \"\xC3\xA9\": 1, \"b\": [10, {\"x\": true}, [ ]],\n"
                             "  \"\\u006bey\" : \"}]\\\"\", \"last\": -2.5e3 }\n";

static void values_and_keys_have_positions(void** unused) {
    (void)unused;
    FpJsonText json;
    assert_int_equal(load(sample, &json, NULL), FREEPLAY_OK);
    const FpJsonStep b1x[] = {{"b", 0}, {NULL, 1}, {"x", 0}};
    assert_at(fp_json_text_value_at(&json, NULL, 0), 1, 1);
    assert_at(fp_json_text_key_at(&json, b1x, 1), 2, 11);
    assert_at(fp_json_text_value_at(&json, b1x, 1), 2, 16);
    assert_at(fp_json_text_value_at(&json, b1x, 2), 2, 21);
    assert_at(fp_json_text_key_at(&json, b1x, 3), 2, 22);
    assert_at(fp_json_text_value_at(&json, b1x, 3), 2, 27);
    assert_at(fp_json_text_value_at(&json, &(FpJsonStep){"key", 0}, 1), 3, 16);
    assert_at(fp_json_text_value_at(&json, &(FpJsonStep){"last", 0}, 1), 3, 32);
    fp_json_text_free(&json);
}

static void absent_values_have_the_position_of_what_encloses_them(void** unused) {
    (void)unused;
    FpJsonText json;
    assert_int_equal(load(sample, &json, NULL), FREEPLAY_OK);
    const FpJsonStep absent[] = {{"b", 0}, {NULL, 9}, {"x", 0}};
    assert_at(fp_json_text_value_at(&json, absent, 3), 2, 16);
    assert_at(fp_json_text_key_at(&json, absent, 2), 2, 16);
    assert_at(fp_json_text_value_at(&json, &(FpJsonStep){"no", 0}, 1), 1, 1);
    fp_json_text_free(&json);
}

static void malformed_text_is_refused_where_it_is_wrong(void** unused) {
    (void)unused;
    assert_refused("", "1:1: model", "the file is empty");
    assert_refused(" \n\t\r\n", "1:1: model", "the file is empty");
    assert_refused("[1]", "1:1: model", "a model is an object { ... }");
    assert_refused("\n // note\n{}", "2:2: model", "a model is an object { ... }");
    assert_refused("{", "1:2: model", "the file ends too early");
    assert_refused("{\"a\": [1, 2", "1:12: a[1]", "the file ends too early");
    assert_refused("{\"a\": \"x", "1:9: a", "the file ends too early");
    assert_refused("{\"a\": 1,}", "1:9: model", "no comma before '}'");
    assert_refused("{\"a\": [1,]}", "1:10: a[1]", "no comma before ']'");
    assert_refused("{'a': 1}", "1:2: model", "a key in double quotes is needed");
    assert_refused("{\"a\" 1}", "1:6: model", "a ':' is needed");
    assert_refused("{\"a\": 1 \"b\": 2}", "1:9: a", "a ',' or '}' is needed");
    assert_refused("{\"a\": [1 2]}", "1:10: a[0]", "a ',' or ']' is needed");
    assert_refused("{\"a\": \"x\ny\"}", "1:7: a", "a string must end on its line");
    assert_refused("{\"a\": \"x\ty\"}", "1:7: a", "control characters");
    assert_refused("{\"a\": \"\\q\"}", "1:7: a", "a backslash begins");
    assert_refused("{\"a\": \"\\ud800\"}", "1:7: a", "\\uXXXX");
    assert_refused("{\"a\": \"\\u0000\"}", "1:7: a", "must not contain \\u0000");
    assert_refused("{} {}", "1:4: model", "behind the end of the model");
    assert_refused("{}\nx", "2:1: model", "behind the end of the model");
}

static void numbers_are_finite_decimals(void** unused) {
    (void)unused;
    static const char* const wrong[] = {"NaN", "nan", "Infinity", "-Infinity", "01", ".5",
                                        "+5",  "1.",  "0x10",     "1e",        "tru"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[40], found[40];
        snprintf(text, sizeof text, "{\"a\": [0, %s]}", wrong[i]);
        snprintf(found, sizeof found, "unexpected %s; ", wrong[i]);
        assert_refused(text, "1:11: a[1]", found);
    }
    assert_refused("{\"a\": {\"b\": 1e999}}", "1:13: a.b", "the number 1e999 is too large");
    assert_refused("{\"a\": [{}, [-1e999]]}", "1:13: a[1][0]", "the number -1e999 is too large");
    assert_refused("{\"a\": 1e-999}", "1:7: a", "too small for double precision");
    FpJsonText json;
    assert_int_equal(
        load("{\"a\": [0, -0.0, 0e999, 5e-324, 1E+2, 12345678901234567890]}", &json, NULL),
        FREEPLAY_OK);
    fp_json_text_free(&json);
}

static void keys_stand_once_at_any_depth(void** unused) {
    (void)unused;
    assert_refused("{\"a\": 1,\n \"a\": 2}", "2:2: model", "duplicate key \"a\"");
    assert_refused("{\"a\": [0, {\"b\": {\"c\": 1, \"d\": 2, \"c\": 3}}]}", "1:34: a[1].b",
                   "duplicate key \"c\"");
    assert_refused("{\"a\": 1, \"\\u0061\": 2}", "1:10: model", "duplicate key");
}

static void text_is_utf8_without_zeros(void** unused) {
    (void)unused;
    assert_refused("{\"a\": \"\xE9\"}", "1:8: a", "save the file as UTF-8");
    assert_refused("{\"a\": \"\xC0\xAF\"}", "1:8: a", "save the file as UTF-8");
    assert_refused("{\"a\": \"\xED\xA0\x80\"}", "1:8: a", "save the file as UTF-8");
    assert_refused("{\"a\": \"\xF4\x90\x80\x80\"}", "1:8: a", "save the file as UTF-8");
    assert_refused("{\"a\": 1}\xE2\x82", "1:9: model", "save the file as UTF-8");
    assert_refused("\xFF\xFE{", "1:1: model", "save the file as UTF-8");
    assert_refused("\xEF\xBB\xBF{}", "1:1: model", "byte order mark");
    assert_refused_bytes("{\"a\": \"x\0\"}", 11, "1:9: a", "zero byte");
    FpJsonText json;
    assert_int_equal(load("{\"\xE2\x82\xAC\": \"\xF0\x9F\x98\x80\"}", &json, NULL), FREEPLAY_OK);
    fp_json_text_free(&json);
}

static void deep_nesting_is_refused(void** unused) {
    (void)unused;
    enum { DEPTH = 100000 };
    char* text = malloc(DEPTH + 7);
    assert_non_null(text);
    memcpy(text, "{\"a\": ", 6);
    memset(text + 6, '[', DEPTH);
    text[DEPTH + 6] = '\0';
    FpJsonText json;
    FpMessage message;
    assert_int_equal(load(text, &json, &message), FREEPLAY_INVALID_MODEL);
    assert_non_null(strstr(message.text, "nested too deeply"));
    free(text);
}

static void files_that_cannot_be_read_are_refused(void** unused) {
    (void)unused;
    FpJsonText json;
    FpMessage message;
    assert_int_equal(fp_json_text_load("absent.json", &json, &message), FREEPLAY_FILE_ERROR);
    assert_string_equal(message.text, "absent.json: there is no such file");
    assert_int_equal(fp_json_text_load(".", &json, &message), FREEPLAY_FILE_ERROR);
    assert_non_null(strstr(message.text, ".: is a folder"));
    write_file("{}", 2);
    assert_int_equal(fp_json_text_load("text.json/x", &json, &message), FREEPLAY_FILE_ERROR);
    assert_non_null(strstr(message.text, "could not be opened"));
    assert_int_equal(fp_json_text_load("/dev/null", &json, &message), FREEPLAY_INVALID_MODEL);
}

/* The file has a hole instead of content, so it takes no room. */
static void huge_files_are_refused(void** unused) {
    (void)unused;
    FpJsonText json;
    FpMessage message;
    FILE* file = fopen("huge.json", "wb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 64 * 1024 * 1024, SEEK_SET), 0);
    fputc(' ', file);
    fclose(file);
    FpStatus status = fp_json_text_load("huge.json", &json, &message);
    remove("huge.json");
    assert_int_equal(status, FREEPLAY_FILE_ERROR);
    assert_non_null(strstr(message.text, "is larger than 64 MiB"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_keys_have_positions),
        cmocka_unit_test(absent_values_have_the_position_of_what_encloses_them),
        cmocka_unit_test(malformed_text_is_refused_where_it_is_wrong),
        cmocka_unit_test(numbers_are_finite_decimals),
        cmocka_unit_test(keys_stand_once_at_any_depth),
        cmocka_unit_test(text_is_utf8_without_zeros),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_refused),
        cmocka_unit_test(huge_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
