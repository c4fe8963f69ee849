#include "output/assembly.h"

#include "output/json_impl.h"

static bool put_body(json_t* bodies, const FpWorld* world, const FpState* state, int body) {
    const FpBlock* block = &fp_world_system(world)->blocks[body];
    const FpBodyKind* kind = fp_world_body_kind(world, body);
    const double *q = state->q + block->q_at, *v = state->v + block->v_at;
    int n = kind->translations;
    bool planar = kind == &fp_body_planar;
    json_t* to = json_object();
    return json_array_append_new(bodies, to) == 0 &&
           fp_json_put_text(to, "name", fp_world_body_name(world, body)) &&
           fp_json_put_numbers(to, "position", n, q) &&
           (planar ? fp_json_put_number(to, "angle", q[n])
                   : fp_json_put_numbers(to, "orientation", kind->q_count - n, q + n)) &&
           fp_json_put_numbers(to, "velocity", n, v) &&
           (planar ? fp_json_put_number(to, "angular_velocity", v[n])
                   : fp_json_put_numbers(to, "angular_velocity", kind->v_count - n, v + n));
}

char* fp_assembly_json(const FpWorld* world, const FpState* state, const FpAssembly* assembly) {
    json_t *root = json_object(), *bodies = json_array();
    bool done = fp_json_put_assembly(root, assembly) && fp_json_put(root, "bodies", bodies);
    for (int body = 0; done && body < fp_world_body_count(world); body++)
        done = put_body(bodies, world, state, body);
    return fp_json_finish(root, done);
}
