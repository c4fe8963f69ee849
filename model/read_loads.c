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

static FpStatus read_table(FpReader* reader, const FpNode* node, const char* unit, LoadTable* table,
                           FpLoadDef* def) {
    static const char* const keys[] = {"times", "values"};
    FpStatus status = fp_reader_object(reader, node, keys, 2);
    if (status) return status;
    FpNode times = fp_node_member(node, "times"), values = fp_node_member(node, "values");
    status = fp_reader_array(reader, &times, "times");
    if (!status) status = fp_reader_array(reader, &values, "vectors, one for each time");
    if (status) return status;
    size_t count = json_array_size(times.value);
    if (count == 0)
        return fp_reader_refuse(reader, &times, "is empty; at least one time is needed");
    if (json_array_size(values.value) != count)
        return fp_reader_refuse(reader, &values,
                                "has %zu vectors for %zu times; one for each time is needed",
                                json_array_size(values.value), count);
    table->times = calloc(count, sizeof *table->times);
    table->values = calloc(count, sizeof *table->values);
    if (!table->times || !table->values) return fp_reader_out_of_memory(reader);
    status = fp_reader_numbers(reader, &times, "s", count, table->times);
    for (size_t i = 0; i < count && !status; i++) {
        FpNode value = fp_node_element(&values, i);
        status = fp_reader_vector(reader, &value, unit, &table->values[i]);
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
    if (json_is_object(value->value)) return read_table(reader, value, unit, table, def);
    return fp_reader_vector(reader, value, unit, &def->value);
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
