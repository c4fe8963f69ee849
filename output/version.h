/* Versions, for --version and summary.json. */
#ifndef FREEPLAY_OUTPUT_VERSION_H
#define FREEPLAY_OUTPUT_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpVersion {
    const char* name; /* "freeplay", "ipopt", ... */
    const char* version;
} FpVersion;

/* freeplay first, then the libraries that it was built with. */
const FpVersion* fp_versions(int* count);

#ifdef __cplusplus
}
#endif
#endif
