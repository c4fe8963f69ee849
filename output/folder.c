#include "output/folder_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FpStatus out_of_memory(FpMessage* message) {
    return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
}

static FpStatus refuse_file(FpMessage* message, const char* path, const char* reason) {
    return fp_refuse(message, FREEPLAY_FILE_ERROR, "cannot write \"%s\": %s", path, reason);
}

static FpStatus refuse_folder(FpMessage* message, const char* path, const char* reason) {
    return fp_refuse(message, FREEPLAY_FILE_ERROR, "cannot make the folder \"%s\": %s", path,
                     reason);
}

/* One level; path is one of the beginnings of folder->path. */
static FpStatus make_level(FpFolder* folder, const char* path, FpMessage* message) {
    struct stat found;
    if (stat(path, &found) == 0) {
        if (S_ISDIR(found.st_mode)) return FREEPLAY_OK;
        return refuse_folder(message, path, "a file of that name is in the way");
    }
    if (errno != ENOENT) return refuse_folder(message, path, strerror(errno));
    if (mkdir(path, 0777) == 0) {
        if (folder->made_from == 0) folder->made_from = strlen(path);
        return FREEPLAY_OK;
    }
    /* Another program may have made it just now. */
    if (errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) return FREEPLAY_OK;
    return refuse_folder(message, path, strerror(errno));
}

static FpStatus make_levels(FpFolder* folder, FpMessage* message) {
    char* path = folder->path;
    /* Starts behind the first character, so that the root is no level of its own. */
    for (char* end = path + 1; *end; end++) {
        if (*end != '/') continue;
        *end = '\0';
        FpStatus status = make_level(folder, path, message);
        *end = '/';
        if (status != FREEPLAY_OK) return status;
    }
    return make_level(folder, path, message);
}

FpStatus fp_folder_make(const char* path, FpFolder* folder, FpMessage* message) {
    *folder = (FpFolder){0};
    if (!path || !path[0]) return fp_refuse_field(message, "directory", "needs a name");
    folder->path = strdup(path);
    if (!folder->path) return out_of_memory(message);

    size_t length = strlen(folder->path);
    while (length > 1 && folder->path[length - 1] == '/') folder->path[--length] = '\0';
    FpStatus status = make_levels(folder, message);
    if (status != FREEPLAY_OK) fp_folder_remove_made(folder);
    return status;
}

void fp_folder_remove_made(FpFolder* folder) {
    if (folder->path && folder->made_from > 0) {
        char* path = folder->path;
        for (size_t length = strlen(path); length >= folder->made_from; length--) {
            if (path[length] != '\0' && path[length] != '/') continue;
            path[length] = '\0';
            rmdir(path); /* which refuses when somebody has put a file there */
        }
    }
    fp_folder_free(folder);
}

void fp_folder_free(FpFolder* folder) {
    free(folder->path);
    *folder = (FpFolder){0};
}

static char* join(const char* folder, const char* name, const char* ending) {
    size_t size = strlen(folder) + strlen(name) + strlen(ending) + 2;
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s/%s%s", folder, name, ending);
    return path;
}

/* Two runs into one folder at the same time would spoil each other's files. */
static bool is_in_use(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN);
}

static FpStatus open_stream(FpPartFile* file, FpMessage* message) {
    int descriptor = open(file->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return refuse_file(message, file->path, strerror(errno));
    if (is_in_use(descriptor)) {
        close(descriptor);
        return refuse_file(message, file->path, "another run is writing it");
    }
    /* What an interrupted run has left goes only now. */
    file->is_ours = true;
    if (ftruncate(descriptor, 0) == 0) file->stream = fdopen(descriptor, "w");
    if (file->stream) return FREEPLAY_OK;
    FpStatus status = refuse_file(message, file->path, strerror(errno));
    close(descriptor);
    return status;
}

static FpStatus refuse_directory_in_place(const FpPartFile* file, FpMessage* message) {
    struct stat found;
    if (lstat(file->path, &found) != 0 || !S_ISDIR(found.st_mode)) return FREEPLAY_OK;
    return refuse_file(message, file->path, "a folder of that name is in the way");
}

FpStatus fp_part_file_open(const FpFolder* folder, const char* name, FpPartFile* file,
                           FpMessage* message) {
    *file = (FpPartFile){.path = join(folder->path, name, ""),
                         .part = join(folder->path, name, ".part")};
    if (!file->path || !file->part) return out_of_memory(message);
    FpStatus status = refuse_directory_in_place(file, message);
    return status == FREEPLAY_OK ? open_stream(file, message) : status;
}

FpStatus fp_part_file_check(FpPartFile* file) {
    if (file->error == 0 && ferror(file->stream)) file->error = errno != 0 ? errno : EIO;
    return file->error == 0 ? FREEPLAY_OK : FREEPLAY_FILE_ERROR;
}

FpStatus fp_part_file_finish(FpPartFile* file, FpMessage* message) {
    if (fp_part_file_check(file) == FREEPLAY_OK && fflush(file->stream) != 0) file->error = errno;
    FILE* stream = file->stream;
    file->stream = NULL;
    if (fclose(stream) != 0 && file->error == 0) file->error = errno;
    if (file->error != 0) return refuse_file(message, file->path, strerror(file->error));
    return refuse_directory_in_place(file, message);
}

FpStatus fp_part_file_rename(FpPartFile* file, FpMessage* message) {
    if (rename(file->part, file->path) != 0)
        return refuse_file(message, file->path, strerror(errno));
    file->is_ours = false;
    return FREEPLAY_OK;
}

void fp_part_file_free(FpPartFile* file) {
    if (file->stream) fclose(file->stream);
    if (file->is_ours) remove(file->part);
    free(file->path);
    free(file->part);
    *file = (FpPartFile){0};
}
