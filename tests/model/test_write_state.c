/* Model files with another initial state: what changes in the text, and what does not. */
#include "tests/cli/program.h"

#include "freeplay.h"

#define FOUR_BAR     FREEPLAY_SOURCE_DIR "/tests/models/parallelogram.json"
#define PLANAR_MOTOR FREEPLAY_SOURCE_DIR "/tests/models/planar_motor.json"

typedef struct Loaded {
    FpModel* model;
    const FpSystem* system;
    FpState* state;
} Loaded;

static Loaded load(const char* path) {
    Loaded loaded;
    FpMessage message = {0};
    if (fp_model_load_unassembled(path, 0, NULL, &loaded.model, &message))
        fail_msg("%s", message.text);
    loaded.system = fp_model_system(loaded.model);
    loaded.state = fp_state_create(loaded.system);
    return loaded;
}

static void unload(Loaded* loaded) {
    fp_state_destroy(loaded->state);
    fp_model_destroy(loaded->model);
}

static void write_state(const char* path, const Loaded* loaded, const char* new_path) {
    FpMessage message = {0};
    if (fp_model_write_state(path, loaded->model, loaded->state, new_path, &message))
        fail_msg("%s", message.text);
}

static void assert_text(const char* path, const char* expected) {
    char* text = read_whole_file(path);
    assert_string_equal(text, expected);
    free(text);
}

static void an_unchanged_state_gives_the_same_file(void** unused) {
    (void)unused;
    const char* const paths[] = {FOUR_BAR, PLANAR_MOTOR};
    const char* const copies[] = {"same_four_bar.json", "same_motor.json"};
    for (int i = 0; i < 2; i++) {
        Loaded loaded = load(paths[i]);
        write_state(paths[i], &loaded, copies[i]);
        char* text = read_whole_file(paths[i]);
        assert_text(copies[i], text);
        free(text);
        unload(&loaded);
    }
}

/* Numbers have as many digits as they need: 0.1 + 0.2 is 0.30000000000000004. */
static void what_changes_is_replaced_or_added_and_the_rest_stays(void** unused) {
    (void)unused;
    static const char before[] =
        "{\"name\": \"two\", \"parameters\": {\"l\": \"2 m\"},\n"
        " \"bodies\": [\n"
        "   {\n"
        "     \"name\" : \"a\", \"mass\": 1, \"inertia\": {\"principal\": [1,1, 1]},\n"
        "     \"position\": [\"$l\", 0, 0]\n"
        "   }, {\"name\":\"b\",\"position\": [1e0, 2, \"3 \u00b5m\"], \"velocity\":[1,\"2 "
        "mm/s\",3],\n"
        "       \"mass\":1.50, \"inertia\": {\"principal\": [1, 1, 1]} }]}\n";
    static const char after[] =
        "{\"name\": \"two\", \"parameters\": {\"l\": \"2 m\"},\n"
        " \"bodies\": [\n"
        "   {\n"
        "     \"name\" : \"a\", \"mass\": 1, \"inertia\": {\"principal\": [1,1, 1]},\n"
        "     \"position\": [\"$l\", 0, 0],\n"
        "     \"velocity\": [0, 0.5, 0],\n"
        "     \"angular_velocity\": [0, 0, -1e-20]\n"
        "   }, {\"name\":\"b\",\"position\": [1, 2, 0.30000000000000004], \"velocity\":[1,\"2 "
        "mm/s\",3],\n"
        "       \"mass\":1.50, \"inertia\": {\"principal\": [1, 1, 1]}, \"orientation\": [0, 1, 0, "
        "0] }]}\n";
    write_file("two.json", before);
    Loaded loaded = load("two.json");
    loaded.state->v[1] = 0.5;
    loaded.state->v[5] = -1e-20;
    loaded.state->q[7 + 2] = 0.1 + 0.2;
    loaded.state->q[7 + 3] = 0;
    loaded.state->q[7 + 4] = 1;
    write_state("two.json", &loaded, "two_new.json");
    assert_text("two_new.json", after);
    unload(&loaded);
}

static void planar_bodies_have_an_angle(void** unused) {
    (void)unused;
    Loaded loaded = load(PLANAR_MOTOR);
    double* weight = loaded.state->q + loaded.system->blocks[1].q_at;
    weight[2] = -0.25;
    loaded.state->v[loaded.system->blocks[1].v_at + 2] = 3;
    write_state(PLANAR_MOTOR, &loaded, "turned.json");
    char* text = read_whole_file("turned.json");
    assert_contains(text,
                    "\"position\": [1, -0.5], \"orientation\": -0.25, \"angular_velocity\": 3}");
    free(text);
    unload(&loaded);
}

/* The rows of the copy have the gaps of the assembled state, to round-off. */
static void a_loop_with_frames_of_its_start_keeps_its_joints(void** unused) {
    (void)unused;
    Loaded loaded = load(FOUR_BAR);
    assert_int_equal(fp_assemble(loaded.system, loaded.state, NULL, NULL), FREEPLAY_OK);
    write_state(FOUR_BAR, &loaded, "closed.json");
    char* text = read_whole_file("closed.json");
    assert_contains(text, "\"length\": \"5 cm\",\n            \"pin\": {\"at\": [");
    free(text);
    Loaded copy = load("closed.json");
    assert_int_equal(fp_state_check(copy.system, copy.state, NULL), FREEPLAY_OK);
    for (int i = 0; i < loaded.system->q_count; i++)
        assert_near(copy.state->q[i], loaded.state->q[i], 1e-15);
    unload(&copy);
    unload(&loaded);
}

/* The ball may lie anywhere in its socket of 1 mm; if the socket, which is not given, went along,
 * the gap would be 1 mm again. */
static void a_loose_joint_keeps_its_place_in_the_clearance(void** unused) {
    (void)unused;
    write_file("loose.json",
               "{\"bodies\": [{\"name\": \"a\", \"mass\": 1,\n"
               "   \"inertia\": {\"principal\": [1, 1, 1]}}],\n"
               " \"joints\": [{\"type\": \"spherical\", \"name\": \"s\", \"between\": [\"a\", "
               "\"ground\"],\n"
               "   \"ball\": [0, 0, 0], \"clearance\": \"1 mm\"}]}\n");
    Loaded loaded = load("loose.json");
    loaded.state->q[0] = 0.25e-3;
    write_state("loose.json", &loaded, "loose_new.json");
    Loaded copy = load("loose_new.json");
    double gap;
    fp_state_gaps(copy.system, copy.state, &gap);
    assert_near(gap, 0.75e-3, 1e-18);
    unload(&copy);
    unload(&loaded);
}

static void assert_not_written(const char* path, const Loaded* loaded, const char* new_path,
                               FpStatus status, const char* part) {
    FpMessage message = {0};
    assert_int_equal(fp_model_write_state(path, loaded->model, loaded->state, new_path, &message),
                     status);
    assert_contains(message.text, part);
}

/* The rod of that model is as long as at the start, which would change with the start. */
static void a_copy_that_would_be_another_mechanism_is_refused(void** unused) {
    (void)unused;
    Loaded loaded = load(PLANAR_MOTOR);
    loaded.state->q[loaded.system->blocks[1].q_at + 1] += 0.5e-3;
    assert_not_written(PLANAR_MOTOR, &loaded, "other.json", FREEPLAY_INVALID_MODEL, "joint 'rod'");
    assert_false(file_exists("other.json"));
    assert_not_written(FOUR_BAR, &loaded, "other.json", FREEPLAY_INVALID_ARGUMENT,
                       "does not hold the bodies and joints of the model");
    assert_false(file_exists("other.json"));
    unload(&loaded);
}

static void files_that_exist_stay(void** unused) {
    (void)unused;
    Loaded loaded = load(FOUR_BAR);
    write_file("mine.json", "mine");
    assert_not_written(FOUR_BAR, &loaded, "mine.json", FREEPLAY_FILE_ERROR, "exists already");
    assert_text("mine.json", "mine");
    assert_not_written("missing.json", &loaded, "new.json", FREEPLAY_FILE_ERROR, "no such file");
    assert_false(file_exists("new.json"));
    unload(&loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unchanged_state_gives_the_same_file),
        cmocka_unit_test(what_changes_is_replaced_or_added_and_the_rest_stays),
        cmocka_unit_test(planar_bodies_have_an_angle),
        cmocka_unit_test(a_loop_with_frames_of_its_start_keeps_its_joints),
        cmocka_unit_test(a_loose_joint_keeps_its_place_in_the_clearance),
        cmocka_unit_test(a_copy_that_would_be_another_mechanism_is_refused),
        cmocka_unit_test(files_that_exist_stay),
    };
    return cmocka_run_group_tests(tests, enter_empty_folder, leave_folder);
}
