#include "model/write_state.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "joints/joint_impl.h"
#include "model/json_edit.h"
#include "model/number_locale.h"

enum { NUMBER_ROOM = 32, VALUE_ROOM = 512 };

typedef struct Writer {
    const char* path;
    const FpWorld* world;
    const FpSystem* system;
    const FpState* state;
    FpJsonText json;
    FpJsonEdit edit;
    FpMessage* message;
} Writer;

static FpStatus refuse_memory(const Writer* w) {
    return fp_refuse(w->message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
}

static FpStatus refuse_other_model(const Writer* w) {
    return fp_refuse(w->message, FREEPLAY_INVALID_ARGUMENT,
                     "%.300s: does not hold the bodies and joints of the model; write to a copy of "
                     "the file that was loaded",
                     w->path);
}

static FpStatus set_value(Writer* w, const FpJsonStep object[2], const char* key,
                          const char* value) {
    return fp_json_edit_set(&w->edit, object, 2, key, value) ? refuse_memory(w) : FREEPLAY_OK;
}

/* Numbers -------------------------------------------------------------------------------------- */

/* As few digits as read back to the same bits. Readers of JSON may refuse subnormal numbers. */
static int spell_number(double x, char* text) {
    if (fabs(x) < DBL_MIN) x = 0;
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, NUMBER_ROOM, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    return length;
}

/* "1.5", or "[1, 2, 3]". Returns the length. */
static int spell_numbers(const double* x, int count, char* text) {
    if (count == 1) return spell_number(x[0], text);
    int used = 0;
    for (int i = 0; i < count; i++) {
        used += sprintf(text + used, "%s", i ? ", " : "[");
        used += spell_number(x[i], text + used);
    }
    return used + sprintf(text + used, "]");
}

static int spell_vector(FpVec3 a, char* text) {
    return spell_numbers((double[]){a.x, a.y, a.z}, 3, text);
}

/* Bodies --------------------------------------------------------------------------------------- */

static bool is_same(const double* a, const double* b, int count) {
    for (int i = 0; i < count; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static FpStatus write_part(Writer* w, const FpJsonStep body[2], const char* key, const double* now,
                           const double* before, int count) {
    char value[VALUE_ROOM];
    if (is_same(now, before, count)) return FREEPLAY_OK;
    spell_numbers(now, count, value);
    return set_value(w, body, key, value);
}

static FpStatus write_body(Writer* w, size_t index, FpBodyId id) {
    const FpJsonStep body[2] = {{.key = "bodies"}, {.index = index}};
    const FpBlock* block = &w->system->blocks[id];
    int n = fp_world_body_kind(w->world, id)->translations;
    const double *q = w->state->q + block->q_at, *q0 = w->system->q_initial + block->q_at;
    const double *v = w->state->v + block->v_at, *v0 = w->system->v_initial + block->v_at;
    FpStatus status = write_part(w, body, "position", q, q0, n);
    if (!status) status = write_part(w, body, "orientation", q + n, q0 + n, block->q_count - n);
    if (!status) status = write_part(w, body, "velocity", v, v0, n);
    if (!status)
        status = write_part(w, body, "angular_velocity", v + n, v0 + n, block->v_count - n);
    return status;
}

static const char* name_of(const json_t* object) {
    const char* name = json_string_value(json_object_get(object, "name"));
    return name ? name : "";
}

static FpStatus write_bodies(Writer* w) {
    const json_t* bodies = json_object_get(w->json.root, "bodies");
    size_t count = json_array_size(bodies);
    if (count != (size_t)w->system->block_count) return refuse_other_model(w);
    FpStatus status = FREEPLAY_OK;
    for (size_t i = 0; i < count && !status; i++) {
        FpBodyId id = fp_world_find_body(w->world, name_of(json_array_get(bodies, i)));
        status = id < 0 ? refuse_other_model(w) : write_body(w, i, id);
    }
    return status;
}

/* Frames --------------------------------------------------------------------------------------- */

static bool has_moved(const Writer* w, int body) {
    if (body == FREEPLAY_GROUND) return false;
    const FpBlock* block = &w->system->blocks[body];
    return !is_same(w->state->q + block->q_at, w->system->q_initial + block->q_at, block->q_count);
}

static FpStatus write_frame(Writer* w, const FpJsonStep joint[2], const FpField* field,
                            const FpJointFrame* frame) {
    char value[VALUE_ROOM];
    if (field->kind == FREEPLAY_FIELD_POINT) {
        spell_vector(frame->origin, value);
        return set_value(w, joint, field->name, value);
    }
    int used = sprintf(value, "{\"at\": ");
    used += spell_vector(frame->origin, value + used);
    used += sprintf(value + used, ", \"axis\": ");
    used += spell_vector(frame->z, value + used);
    used += sprintf(value + used, ", \"x_axis\": ");
    used += spell_vector(frame->x, value + used);
    sprintf(value + used, "}");
    return set_value(w, joint, field->name, value);
}

/* The first two frames of a type are those in the first and in the second body. */
static FpStatus write_frames(Writer* w, size_t index, const json_t* object,
                             const FpConstraint* constraint) {
    const FpJsonStep path[2] = {{.key = "joints"}, {.index = index}};
    const FpJointType* type = fp_joint_type_find(constraint->type);
    const FpJoint* joint = fp_joint_of(constraint);
    FpStatus status = FREEPLAY_OK;
    if (!type || !joint) return FREEPLAY_OK;
    if (!has_moved(w, constraint->blocks[0]) && !has_moved(w, constraint->blocks[1]))
        return FREEPLAY_OK;
    for (int i = 0, k = 0; i < type->field_count && k < 2 && !status; i++) {
        const FpField* field = &type->fields[i];
        if (field->kind != FREEPLAY_FIELD_FRAME && field->kind != FREEPLAY_FIELD_POINT) continue;
        if (!json_object_get(object, field->name))
            status = write_frame(w, path, field, &joint->frame[k]);
        k++;
    }
    return status;
}

static FpStatus write_joints(Writer* w) {
    const json_t* joints = json_object_get(w->json.root, "joints");
    FpStatus status = FREEPLAY_OK;
    for (size_t i = 0; i < json_array_size(joints) && !status; i++) {
        const json_t* object = json_array_get(joints, i);
        const FpConstraint* constraint = fp_world_find_joint(w->world, name_of(object));
        status = constraint ? write_frames(w, i, object, constraint) : refuse_other_model(w);
    }
    return status;
}

/* The file ------------------------------------------------------------------------------------- */

static FpStatus refuse_file(const Writer* w, const char* path) {
    if (errno == EEXIST)
        return fp_refuse(w->message, FREEPLAY_FILE_ERROR,
                         "%.300s: exists already; remove it, or give another name", path);
    return fp_refuse(w->message, FREEPLAY_FILE_ERROR, "%.300s: could not be written: %s", path,
                     strerror(errno));
}

static FpStatus save(const Writer* w, const char* path, const char* text) {
    FILE* file = fopen(path, "wx");
    if (!file) return refuse_file(w, path);
    bool written = fputs(text, file) >= 0;
    written = fclose(file) == 0 && written;
    if (written) return FREEPLAY_OK;
    FpStatus status = refuse_file(w, path);
    remove(path);
    return status;
}

/* A joint whose rows have other gaps in the copy; NULL if there is none. */
static const FpConstraint* find_changed(const Writer* w, const FpModel* copy) {
    double before[FREEPLAY_CONSTRAINT_ROWS], after[FREEPLAY_CONSTRAINT_ROWS];
    const FpSystem* system = fp_model_system(copy);
    for (int c = 0; c < w->system->constraint_count; c++) {
        const FpConstraint* joint = w->system->constraints[c];
        fp_constraint_gaps(w->system, joint, w->state->t, w->state->q, before, NULL);
        fp_constraint_gaps(system, system->constraints[c], 0, system->q_initial, after, NULL);
        for (int i = 0; i < joint->row_count; i++)
            if (!(fabs(after[i] - before[i]) <= 1e-9 * w->system->scales.length)) return joint;
    }
    return NULL;
}

static FpStatus check_copy(const Writer* w, const char* path) {
    FpModel* copy;
    FpStatus status = fp_model_load_unassembled(path, 0, NULL, &copy, w->message);
    if (status) return status;
    const FpConstraint* changed = find_changed(w, copy);
    fp_model_destroy(copy);
    if (!changed) return FREEPLAY_OK;
    return fp_refuse(
        w->message, FREEPLAY_INVALID_MODEL,
        "joint '%s' would be another one in %.300s: the model leaves to the start what "
        "must be given there (the length of a rod)",
        changed->name, path);
}

static FpStatus write_copy(Writer* w, const char* new_path) {
    FpStatus status = fp_json_text_load(w->path, &w->json, w->message);
    if (status) return status;
    w->edit.json = &w->json;
    status = write_bodies(w);
    if (!status) status = write_joints(w);
    if (status) return status;
    char* text = fp_json_edit_text(&w->edit);
    if (!text) return refuse_memory(w);
    status = save(w, new_path, text);
    free(text);
    if (status) return status;
    status = check_copy(w, new_path);
    if (status) remove(new_path);
    return status;
}

FpStatus fp_model_write_state(const char* model_path, const FpModel* model, const FpState* state,
                              const char* new_path, FpMessage* message) {
    Writer w = {.path = model_path,
                .world = fp_model_world(model),
                .system = fp_model_system(model),
                .state = state,
                .message = message};
    FpNumberLocale locale;
    FpStatus status = fp_number_locale_enter(&locale, message);
    if (status) return status;
    status = write_copy(&w, new_path);
    fp_json_edit_free(&w.edit);
    fp_json_text_free(&w.json);
    fp_number_locale_leave(&locale);
    return status;
}
