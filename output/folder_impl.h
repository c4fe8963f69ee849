/* A folder made with its parents, and files that take their place only when they are complete. */
#ifndef FREEPLAY_OUTPUT_FOLDER_IMPL_H
#define FREEPLAY_OUTPUT_FOLDER_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "nlp/status.h"

typedef struct FpFolder {
    char* path;
    size_t made_from; /* length of the first part of path that had to be made, 0 if none */
} FpFolder;

FpStatus fp_folder_make(const char* path, FpFolder* folder, FpMessage* message);
/* Removes what was made and is still empty, and frees the rest. */
void fp_folder_remove_made(FpFolder* folder);
void fp_folder_free(FpFolder* folder);

/* Written as NAME.part. Zero: not open. */
typedef struct FpPartFile {
    char* path; /* its name to be */
    char* part; /* its name meanwhile */
    FILE* stream;
    int error;    /* errno of the first failed write, 0 if none */
    bool is_ours; /* the part exists, and no other run writes it */
} FpPartFile;

FpStatus fp_part_file_open(const FpFolder* folder, const char* name, FpPartFile* file,
                           FpMessage* message);
/* Fails once a write has failed. */
FpStatus fp_part_file_check(FpPartFile* file);
/* Writes what is buffered and makes sure that the file can take its place. */
FpStatus fp_part_file_finish(FpPartFile* file, FpMessage* message);
/* Takes its place. After fp_part_file_finish of all the files, this has no reason to fail. */
FpStatus fp_part_file_rename(FpPartFile* file, FpMessage* message);
/* Removes what has not been renamed, and frees the rest. */
void fp_part_file_free(FpPartFile* file);

#endif
