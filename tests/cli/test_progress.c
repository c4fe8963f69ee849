/* Progress on a pseudo-terminal. */
#define _XOPEN_SOURCE 700
#include "tests/cli/program.h"

#define PENDULUM FREEPLAY_SOURCE_DIR "/examples/pendulum_clearance.json"

typedef struct Terminal {
    int master;
    char name[64]; /* of the side that the program writes to */
} Terminal;

static Terminal open_terminal(void) {
    Terminal terminal = {.master = posix_openpt(O_RDWR | O_NOCTTY)};
    if (terminal.master < 0 || grantpt(terminal.master) || unlockpt(terminal.master)) skip();
    snprintf(terminal.name, sizeof terminal.name, "%s", ptsname(terminal.master));
    return terminal;
}

/* Adds what the program has written, until `wanted` is there or the program is gone. */
static void read_until(const Terminal* terminal, const char* wanted, char* text, size_t room) {
    size_t length = strlen(text);
    while (!strstr(text, wanted) && length + 1 < room) {
        ssize_t got = read(terminal->master, text + length, room - length - 1);
        if (got <= 0) return; /* nobody writes there any more */
        length += (size_t)got;
        text[length] = '\0';
    }
}

static void one_line_is_redrawn_and_erased(void** unused) {
    (void)unused;
    Terminal terminal = open_terminal();
    char text[20000] = "";
    const char* const arguments[] = {"run",   PENDULUM, "--t-end", "100000 s",
                                     "--out", "shown",  NULL};
    pid_t process = start_program(arguments, "caught.out", terminal.name);
    read_until(&terminal, " left", text, sizeof text);
    assert_int_equal(text[0], '\r');
    assert_contains(text, "  0 %  t = ");
    assert_contains(text, " of 1e+05 s, ");
    assert_contains(text, "h = 1 ms, ");
    kill(process, SIGINT);
    read_until(&terminal, "shown", text, sizeof text);
    assert_contains(text, "\rfreeplay: cancelled at t = ");
    assert_int_equal(exit_code(process), 130);
    close(terminal.master);
}

static void assert_silent(const char* option) {
    Terminal terminal = open_terminal();
    char text[2000] = "";
    const char* const arguments[] = {"run",   PENDULUM, "--t-end", "0.5 s",
                                     "--out", "silent", option,    NULL};
    pid_t process = start_program(arguments, "caught.out", terminal.name);
    read_until(&terminal, "%", text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(exit_code(process), 0);
    close(terminal.master);
}

static void quiet_and_json_show_no_progress(void** unused) {
    (void)unused;
    assert_silent("--quiet");
    assert_silent("--json");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_is_redrawn_and_erased),
        cmocka_unit_test(quiet_and_json_show_no_progress),
    };
    return cmocka_run_group_tests(tests, enter_empty_folder, leave_folder);
}
