/* Model files write 0.1 with a point whatever the locale of the program. Between enter and leave
 * the calling thread, and no other, reads and prints numbers in the C locale. */
#ifndef FREEPLAY_MODEL_NUMBER_LOCALE_H
#define FREEPLAY_MODEL_NUMBER_LOCALE_H

#include <locale.h>
#include "nlp/status.h"

typedef struct FpNumberLocale {
    locale_t c, previous;
} FpNumberLocale;

FpStatus fp_number_locale_enter(FpNumberLocale* locale, FpMessage* message);
void fp_number_locale_leave(FpNumberLocale* locale);

#endif
