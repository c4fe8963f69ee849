#include "cli/console.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(const char* opening, char* text) {
    for (char* c = text; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = '?';
    fflush(stdout);
    fprintf(stderr, "%s%s\n", opening, text);
}

static void print_message(const char* opening, const char* format, va_list arguments) {
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    print_line(opening, text);
}

void cli_error(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("freeplay: ", format, arguments);
    va_end(arguments);
}

void cli_warning(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("warning: ", format, arguments);
    va_end(arguments);
}

void cli_error_reason(const FpMessage* reason, const char* path) {
    char text[sizeof reason->text];
    snprintf(text, sizeof text, "%s", reason->text);
    if (path && path[0] && strncmp(text, path, strlen(path)) == 0)
        print_line("", text);
    else if (reason->field[0])
        cli_error("%s: %s", reason->field, text);
    else
        cli_error("%s", text);
}

void cli_out_of_memory(void) {
    cli_error("out of memory");
    exit(CLI_FAILED);
}

void cli_console_open(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        /* The wrong way round, so that using it is still an error. */
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    }
}

bool cli_console_close(void) {
    bool failed_before = ferror(stdout) != 0;
    bool failed_now = fflush(stdout) != 0;
    if (!failed_before && !failed_now) return true;
    cli_error("cannot write to standard output: %s",
              failed_now ? strerror(errno) : "an earlier write failed");
    return false;
}
