/* Runs the freeplay command with its output caught. */
#ifndef FREEPLAY_TESTS_CLI_PROGRAM_H
#define FREEPLAY_TESTS_CLI_PROGRAM_H

#include "tests/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 20, LONGEST_RUN_SECONDS = 60 };

/* How a run of the program ended; free with result_free. */
typedef struct Result {
    int code; /* exit code, or 128 + the signal that ended it */
    char *out, *err;
} Result;

/* Set-up and tear-down of a group: the tests run in a new folder, which goes afterwards. */
static inline int enter_empty_folder(void** state) {
    char* name = strdup("cli.XXXXXX");
    *state = name;
    return name && mkdtemp(name) ? chdir(name) : -1;
}

static inline int leave_folder(void** state) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", (char*)*state);
    free(*state);
    return chdir("..") == 0 ? system(command) : -1;
}

static inline char* read_whole_file(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file) fail_msg("cannot read %s: %s", path, strerror(errno));
    size_t room = 1 << 16, length = 0;
    char* text = malloc(room);
    assert_non_null(text);
    for (size_t got; (got = fread(text + length, 1, room - length - 1, file)) > 0;) {
        length += got;
        if (length + 1 < room) continue;
        room *= 2;
        text = realloc(text, room);
        assert_non_null(text);
    }
    fclose(file);
    text[length] = '\0';
    return text;
}

static inline void write_file(const char* path, const char* text) {
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline bool file_exists(const char* path) {
    return access(path, F_OK) == 0;
}

static inline int exit_code(pid_t process) {
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Takes the place of the child: opens its streams and becomes the program. */
static inline void become_program(const char* const* arguments, const char* out, const char* err) {
    char* argv[MOST_ARGUMENTS + 2] = {(char[]){"freeplay"}};
    for (int i = 0; i < MOST_ARGUMENTS && arguments[i]; i++) argv[i + 1] = strdup(arguments[i]);
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY;
    dup2(open(out, flags, 0666), STDOUT_FILENO);
    dup2(open(err, flags, 0666), STDERR_FILENO);
    alarm(LONGEST_RUN_SECONDS);
    execv(FREEPLAY_PROGRAM, argv);
    _exit(127);
}

/* Starts the program with arguments up to NULL and streams to these files. */
static inline pid_t start_program(const char* const* arguments, const char* out, const char* err) {
    fflush(stdout);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) become_program(arguments, out, err);
    return process;
}

static inline Result finish_program(pid_t process, const char* out, const char* err) {
    Result result = {.code = exit_code(process)};
    result.out = read_whole_file(out);
    result.err = read_whole_file(err);
    return result;
}

static inline void result_free(Result* result) {
    free(result->out);
    free(result->err);
    *result = (Result){0};
}

static inline Result run_program(const char* const* arguments) {
    return finish_program(start_program(arguments, "caught.out", "caught.err"), "caught.out",
                          "caught.err");
}

/* run_freeplay("run", path, ...). */
#define run_freeplay(...) run_program((const char* const[]){__VA_ARGS__, NULL})

#define assert_contains(text, part) assert_contains_at((text), (part), __FILE__, __LINE__)
static inline void assert_contains_at(const char* text, const char* part, const char* file,
                                      int line) {
    if (strstr(text, part)) return;
    print_error("\"%s\" is not in \"%s\"\n", part, text);
    _fail(file, line);
}

static inline int count_lines(const char* text) {
    int count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

/* prints("part of stdout", "run", path, ...): all is well and nothing on stderr. */
static inline void assert_prints(const char* const* arguments, const char* part) {
    Result result = run_program(arguments);
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, part);
    result_free(&result);
}

#define prints(part, ...) assert_prints((const char* const[]){__VA_ARGS__, NULL}, part)

/* One line on stderr that starts with `opening` and holds `part`, and nothing else. */
static inline void assert_refused(const char* const* arguments, int code, const char* opening,
                                  const char* part) {
    Result result = run_program(arguments);
    assert_contains(result.err, part);
    assert_int_equal(strncmp(result.err, opening, strlen(opening)), 0);
    assert_int_equal(count_lines(result.err), 1);
    assert_string_equal(result.out, "");
    assert_int_equal(result.code, code);
    result_free(&result);
}

static inline void wait_milliseconds(long milliseconds) {
    struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

#endif
