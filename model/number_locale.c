#include "model/number_locale.h"

FpStatus fp_number_locale_enter(FpNumberLocale* locale, FpMessage* message) {
    locale->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale->c) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    locale->previous = uselocale(locale->c);
    return FREEPLAY_OK;
}

void fp_number_locale_leave(FpNumberLocale* locale) {
    uselocale(locale->previous);
    freelocale(locale->c);
}
