#include "output/version.h"

#include <jansson.h>

/* The build tells the version of freeplay, and those of libraries whose headers do not. */
#ifndef FREEPLAY_VERSION
#define FREEPLAY_VERSION "unknown"
#endif

const FpVersion* fp_versions(int* count) {
    static const FpVersion versions[] = {
        {"freeplay", FREEPLAY_VERSION},
#ifdef FREEPLAY_IPOPT_VERSION
        {"ipopt", FREEPLAY_IPOPT_VERSION},
#endif
        {"jansson", JANSSON_VERSION},
#ifdef FREEPLAY_UDUNITS_VERSION
        {"udunits", FREEPLAY_UDUNITS_VERSION},
#endif
    };
    *count = (int)(sizeof versions / sizeof versions[0]);
    return versions;
}
