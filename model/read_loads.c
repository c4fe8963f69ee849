#include <stdlib.h>
#include <string.h>
#include "model/model_impl.h"
#include "model/reader.h"

/* A table over time while it is read. */
typedef struct LoadTable {
    double* times;
    FpVec3* values;
} LoadTable;

static void free_table(LoadTable* table) {
    free(table->times);
    free(table->values);
}

typedef FpStatus ReadVector(FpReader* reader, const FpNode* node, const char* unit, FpVec3* vector);

static FpStatus read_table(FpReader* reader, const FpNode* node, const char* unit,
                           ReadVector* read_vector, LoadTable* table, FpLoadDef* def) {
    size_t count;
    FpNode values;
    FpStatus status =
        fp_reader_table(reader, node, "vectors, one for each time", &count, &table->times, &values);
    if (status) return status;
    table->values = calloc(count, sizeof *table->values);
    if (!table->values) return fp_reader_out_of_memory(reader);
    for (size_t i = 0; i < count && !status; i++) {
        FpNode value = fp_node_element(&values, i);
        status = read_vector(reader, &value, unit, &table->values[i]);
    }
    def->table_count = (int)count;
    def->times = table->times;
    def->values = table->values;
    return status;
}

static FpStatus read_frame(FpReader* reader, const FpNode* node, FpLoadFrame* frame) {
    if (!node->value) return FREEPLAY_OK;
    const char* name;
    FpStatus status = fp_reader_text(reader, node, &name);
    if (status) return status;
    if (!strcmp(name, "global"))
        *frame = FREEPLAY_FRAME_GLOBAL;
    else if (!strcmp(name, "body"))
        *frame = FREEPLAY_FRAME_BODY;
    else
        return fp_reader_refuse(reader, node, "is '%.40s'; \"global\" or \"body\" is needed", name);
    return FREEPLAY_OK;
}

/* "force" or "torque": which one, and a vector or a table. */
static FpStatus read_value(FpReader* reader, const FpNode* load, LoadTable* table, FpLoadDef* def) {
    FpNode force = fp_node_member(load, "force"), torque = fp_node_member(load, "torque");
    FpNode at = fp_node_member(load, "at");
    if (!force.value == !torque.value)
        return fp_reader_refuse(reader, load, "has %s; one of \"force\" and \"torque\" is needed",
                                force.value ? "both a force and a torque" : "no force or torque");
    if (torque.value && at.value)
        return fp_reader_refuse_key(reader, &at, "a torque has no point of application; remove it");
    def->kind = force.value ? FREEPLAY_LOAD_FORCE : FREEPLAY_LOAD_TORQUE;
    const FpNode* value = force.value ? &force : &torque;
    const char* unit = force.value ? "N" : "N m";
    /* Of a force the part across the plane may be left out; a torque has no other. */
    bool is_planar = fp_world_body_kind(reader->model->world, def->body) == &fp_body_planar;
    ReadVector* read_vector = is_planar && force.value ? fp_reader_planar_vector : fp_reader_vector;
    if (json_is_object(value->value))
        return read_table(reader, value, unit, read_vector, table, def);
    return read_vector(reader, value, unit, &def->value);
}

static FpStatus read_load(FpReader* reader, const FpNode* load, LoadTable* table) {
    static const char* const keys[] = {"body", "force", "torque", "at", "frame"};
    FpLoadDef def = fp_load_def_default();
    FpNode body = fp_node_member(load, "body"), frame = fp_node_member(load, "frame");
    FpStatus status = fp_reader_object(reader, load, keys, sizeof keys / sizeof keys[0]);
    if (!status) status = fp_read_body_name(reader, &body, &def.body);
    if (!status) status = read_value(reader, load, table, &def);
    if (!status) status = fp_reader_optional_vector(reader, load, "at", "m", &def.point);
    if (!status) status = read_frame(reader, &frame, &def.frame);
    if (status) return status;
    FpMessage reason = {0};
    status = fp_world_add_load(reader->model->world, &def, &reason);
    return status ? fp_reader_refuse_reason(reader, load, status, &reason) : FREEPLAY_OK;
}

FpStatus fp_read_loads(FpReader* reader, const FpNode* root) {
    FpNode loads = fp_node_member(root, "loads");
    if (!loads.value) return FREEPLAY_OK;
    FpStatus status = fp_reader_array(reader, &loads, "loads");
    for (size_t i = 0; !status && i < json_array_size(loads.value); i++) {
        FpNode load = fp_node_element(&loads, i);
        LoadTable table = {0};
        status = read_load(reader, &load, &table);
        free_table(&table);
    }
    return status;
}
