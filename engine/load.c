#include "engine/load.h"

#include <stdbool.h>
#include <stdlib.h>

FpLoadDef fp_load_def_default(void) {
    return (FpLoadDef){.body = FREEPLAY_GROUND};
}

static FpStatus check_table(const FpLoadDef* def, const char* field, FpMessage* message) {
    for (int k = 0; k < def->table_count; k++) {
        if (!fp_vec3_is_finite(def->values[k]) || !isfinite(def->times[k]))
            return fp_refuse_field(message, field, "entry %d of the table is not finite", k);
        if (k > 0 && !(def->times[k] > def->times[k - 1]))
            return fp_refuse_field(message, field,
                                   "times must increase; entry %d is %g s after %g s", k,
                                   def->times[k], def->times[k - 1]);
    }
    return FREEPLAY_OK;
}

FpStatus fp_load_create(const FpLoadDef* def, int body_count, FpLoad* load, FpMessage* message) {
    const char* field = def->kind == FREEPLAY_LOAD_FORCE ? "force" : "torque";
    if (def->body < 0 || def->body >= body_count)
        return fp_refuse_field(message, "body", "a load needs a body that moves");
    if (!fp_vec3_is_finite(def->value)) return fp_refuse_field(message, field, "not finite");
    if (!fp_vec3_is_finite(def->point)) return fp_refuse_field(message, "at", "not finite");
    if (def->table_count < 0 || (def->table_count > 0 && (!def->times || !def->values)))
        return fp_refuse_field(message, field, "the table has no entries");
    FpStatus status = check_table(def, field, message);
    if (status) return status;
    load->def = *def;
    if (!def->table_count) return FREEPLAY_OK;
    size_t count = (size_t)def->table_count;
    double* times = malloc(count * sizeof *times);
    FpVec3* values = malloc(count * sizeof *values);
    load->def.times = times;
    load->def.values = values;
    if (!times || !values) {
        fp_load_free(load);
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < count; k++) {
        times[k] = def->times[k];
        values[k] = def->values[k];
    }
    return FREEPLAY_OK;
}

void fp_load_free(FpLoad* load) {
    if (!load->def.table_count) return;
    free((void*)load->def.times);
    free((void*)load->def.values);
    load->def.table_count = 0;
}

/* Linear between the entries of the table, constant outside. */
static FpVec3 value_at(const FpLoadDef* def, double t) {
    int n = def->table_count;
    if (n == 0) return def->value;
    if (t <= def->times[0]) return def->values[0];
    if (t >= def->times[n - 1]) return def->values[n - 1];
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (def->times[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    double s = (t - def->times[low]) / (def->times[high] - def->times[low]);
    return fp_vec3_along(def->values[low], s, fp_vec3_sub(def->values[high], def->values[low]));
}

void fp_load_add(const FpLoad* load, double t, const FpBodyKind* kind, const double* q, double* f) {
    const FpLoadDef* def = &load->def;
    FpPose pose;
    kind->pose(q, &pose);
    bool is_force = def->kind == FREEPLAY_LOAD_FORCE,
         is_global = def->frame == FREEPLAY_FRAME_GLOBAL;
    FpVec3 value = value_at(def, t);
    FpVec3 in_body = is_global ? fp_mat3_mul_transposed(pose.A, value) : value;
    FpVec3 torque = is_force ? fp_vec3_cross(def->point, in_body) : in_body;
    FpVec3 force = is_force ? (is_global ? value : fp_mat3_mul(pose.A, value)) : fp_vec3(0, 0, 0);
    kind->add_load(force, torque, f);
}

double fp_load_potential(const FpLoad* load, const FpBodyKind* kind, const double* q) {
    const FpLoadDef* def = &load->def;
    if (def->kind != FREEPLAY_LOAD_FORCE || def->frame != FREEPLAY_FRAME_GLOBAL || def->table_count)
        return 0;
    FpPose pose;
    kind->pose(q, &pose);
    FpVec3 point = fp_vec3_add(pose.r, fp_mat3_mul(pose.A, def->point));
    return -fp_vec3_dot(def->value, point);
}
