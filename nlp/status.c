#include "nlp/status.h"

#include <stdarg.h>
#include <stdio.h>

const char* fp_status_text(FpStatus status) {
    static const char* const texts[] = {
#define FREEPLAY_STATUS_TEXT(name, text) text,
        FREEPLAY_STATUS_LIST(FREEPLAY_STATUS_TEXT)
#undef FREEPLAY_STATUS_TEXT
    };
    unsigned index = (unsigned)status;
    return index < sizeof texts / sizeof texts[0] ? texts[index] : "unknown status";
}

static void write_reason(FpMessage* message, const char* field, const char* format,
                         va_list arguments) {
    if (!message) return;
    snprintf(message->field, sizeof message->field, "%s", field);
    vsnprintf(message->text, sizeof message->text, format, arguments);
}

FpStatus fp_refuse(FpMessage* message, FpStatus status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_reason(message, "", format, arguments);
    va_end(arguments);
    return status;
}

FpStatus fp_refuse_field(FpMessage* message, const char* field, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_reason(message, field, format, arguments);
    va_end(arguments);
    return FREEPLAY_INVALID_ARGUMENT;
}
