#include "tests/model/models.h"

#include <locale.h>
#include <pthread.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A model whose only body has the fields given. */
static FpModel* load_body(const char* fields) {
    char text[2000];
    snprintf(text, sizeof text, "{\"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"arm\", %s}]}",
             fields);
    return load_text(text);
}

/* Inertia of the first body, the lower right corner of its mass matrix. */
static void inertia_of(const FpModel* model, double inertia[9]) {
    const FpSystem* system = fp_model_system(model);
    double M[36];
    assert_int_equal(system->ops->mass(system->self, 0, system->q_initial, M), FREEPLAY_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia[3 * i + j] = M[6 * (3 + i) + 3 + j];
}

static void forces_at(const FpModel* model, double t, double f[6]) {
    const FpSystem* system = fp_model_system(model);
    const double* v = system->v_initial;
    assert_int_equal(system->ops->force(system->self, t, system->q_initial, v, f), FREEPLAY_OK);
}

static const char smallest[] =
    "{\"bodies\": [{\"name\": \"ball\", \"mass\": 1, \"inertia\": {\"sphere\": {\"radius\": 1}}}]}";

static void a_small_model_has_defaults(void** unused) {
    (void)unused;
    FpModel* model = load_text(smallest);
    assert_string_equal(fp_model_name(model), "model");
    assert_string_equal(fp_model_description(model), "");
    assert_int_equal(fp_model_parameter_count(model), 0);
    assert_int_equal(fp_world_body_count(fp_model_world(model)), 1);
    double f[6];
    forces_at(model, 0, f);
    assert_vector(f, 0, -9.81, 0);
    const FpSystem* system = fp_model_system(model);
    assert_int_equal(system->constraint_count, 0);
    assert_vector(system->q_initial, 0, 0, 0);
    assert_near(system->q_initial[3], 1, 0);
    FpRunDef run = fp_model_run(model);
    FpStepperDef stepper = fp_stepper_def_default();
    assert_string_equal(run.stepper.scheme, stepper.scheme);
    assert_string_equal(run.stepper.strategy, stepper.strategy);
    assert_string_equal(run.stepper.solver, stepper.solver);
    assert_int_equal(run.stepper.rows, stepper.rows);
    assert_near(run.stepper.theta, stepper.theta, 0);
    assert_int_equal(run.stepper.projection, stepper.projection);
    assert_near(run.stepper.h, stepper.h, 0);
    assert_near(run.t_end, 1, 0);
    fp_model_destroy(model);
    fp_model_destroy(NULL);
}

static void names_come_from_the_model_or_the_file(void** unused) {
    (void)unused;
    static const char* const names[][2] = {{"./two words.json", "two words"},
                                           {"plain", "plain"},
                                           {"a(b)\xC3\xA9.json", "a_b_\xC3\xA9"},
                                           {"-x.y.json", "_x.y"},
                                           {".json", "model"},
                                           {"bad\xFF.json", "bad_"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_model(names[i][0], smallest);
        FpModel* model = load_file(names[i][0], 0, NULL);
        assert_string_equal(fp_model_name(model), names[i][1]);
        fp_model_destroy(model);
        remove(names[i][0]);
    }
    FpModel* model = load_text(
        "{\"name\": \"crank 2\", \"description\": \"two\\nlines\", \"$schema\": \"x\", \"bodies\": "
        "[{\"name\": \"b\", \"mass\": 1, \"inertia\": {\"sphere\": {\"radius\": 1}}}]}");
    assert_string_equal(fp_model_name(model), "crank 2");
    assert_string_equal(fp_model_description(model), "two\nlines");
    fp_model_destroy(model);
}

static void bodies_have_mass_pose_and_velocity(void** unused) {
    (void)unused;
    FpModel* model = load_body(
        "\"mass\": \"500 g\", \"inertia\": {\"principal\": [1, 1, 1]}, \"position\": [\"10 cm\", "
        "2, \"-3 mm\"], \"orientation\": {\"axis\": [0, 0, 5], \"angle\": \"90 deg\"}, "
        "\"velocity\": [\"36 km/h\", 0, 1], \"angular_velocity\": [0, \"1500 rpm\", \"90 deg/s\"]");
    const FpSystem* system = fp_model_system(model);
    assert_near(fp_world_body_mass(fp_model_world(model), 0), 0.5, 0);
    assert_string_equal(fp_world_body_name(fp_model_world(model), 0), "arm");
    assert_vector(system->q_initial, 0.1, 2, -0.003);
    assert_near(system->q_initial[3], sqrt(0.5), 1e-15);
    assert_vector(system->q_initial + 4, 0, 0, sqrt(0.5));
    assert_vector(system->v_initial, 10, 0, 1);
    assert_vector(system->v_initial + 3, 0, 50 * pi, pi / 2);
    fp_model_destroy(model);
}

static void euler_parameters_are_normalized(void** unused) {
    (void)unused;
    FpModel* model = load_body("\"mass\": 1, \"inertia\": {\"principal\": [1, 1, 1]}, "
                               "\"orientation\": [3, 0, \"=2*2\", 0]");
    const double* p = fp_model_system(model)->q_initial + 3;
    assert_near(p[0], 0.6, 1e-16);
    assert_vector(p + 1, 0, 0.8, 0);
    fp_model_destroy(model);
}

static void assert_inertia(const char* form, const double expected[9]) {
    char fields[500];
    snprintf(fields, sizeof fields, "\"mass\": 12, \"inertia\": {%s}", form);
    FpModel* model = load_body(fields);
    double inertia[9];
    inertia_of(model, inertia);
    for (int i = 0; i < 9; i++) assert_near(inertia[i], expected[i], 1e-14);
    fp_model_destroy(model);
}

/* m = 12: box m/12 (b^2 + c^2); cylinder m r^2/2 and m (3 r^2 + l^2)/12; sphere 2/5 m r^2. */
static void inertias_have_five_forms(void** unused) {
    (void)unused;
    assert_inertia("\"box\": [1, \"2 m\", \"3000 mm\"]", (double[]){13, 0, 0, 0, 10, 0, 0, 0, 5});
    assert_inertia("\"cylinder\": {\"radius\": 1, \"length\": 2}",
                   (double[]){7, 0, 0, 0, 7, 0, 0, 0, 6});
    assert_inertia("\"cylinder\": {\"radius\": 1, \"length\": 2, \"axis\": \"x\"}",
                   (double[]){6, 0, 0, 0, 7, 0, 0, 0, 7});
    assert_inertia("\"sphere\": {\"radius\": \"50 cm\"}",
                   (double[]){1.2, 0, 0, 0, 1.2, 0, 0, 0, 1.2});
    assert_inertia("\"principal\": [2, 3, \"4 kg m^2\"]", (double[]){2, 0, 0, 0, 3, 0, 0, 0, 4});
    assert_inertia("\"matrix\": [[2, 0.1, 0], [0.1, 3, \"-20 g m^2\"], [0, -0.02, 4]]",
                   (double[]){2, 0.1, 0, 0.1, 3, -0.02, 0, -0.02, 4});
}

/* The body is turned by 90 degrees about z: its x axis is the global y axis. */
static FpModel* load_load(const char* load) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "{\"parameters\": {\"F\": \"2 N\"}, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": "
        "\"arm\", \"mass\": 1, \"inertia\": {\"principal\": [1, 1, 1]}, \"orientation\": "
        "{\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}}], \"loads\": [{\"body\": \"arm\", %s}]}",
        load);
    return load_text(text);
}

static void assert_load(const char* load, double t, const double expected[6]) {
    FpModel* model = load_load(load);
    assert_int_equal(fp_world_load_count(fp_model_world(model)), 1);
    double f[6];
    forces_at(model, t, f);
    for (int i = 0; i < 6; i++) assert_near(f[i], expected[i], 1e-14);
    fp_model_destroy(model);
}

/* Forces are global, torques in the body frame; s' x A^T F is the torque of a force. */
static void constant_loads_have_direction_and_point(void** unused) {
    (void)unused;
    assert_load("\"force\": [\"$F\", 0, \"1 kN\"]", 0, (double[]){2, 0, 1000, 0, 0, 0});
    assert_load("\"force\": [2, 0, 0], \"at\": [\"10 cm\", 0, 0]", 5,
                (double[]){2, 0, 0, 0, 0, -0.2});
    assert_load("\"force\": [2, 0, 0], \"frame\": \"body\", \"at\": [0, 1, 0]", 0,
                (double[]){0, 2, 0, 0, 0, -2});
    assert_load("\"torque\": [\"3 N m\", 0, 0]", 0, (double[]){0, 0, 0, 0, -3, 0});
    assert_load("\"torque\": [\"3 Nm\", 0, 0], \"frame\": \"body\"", 0,
                (double[]){0, 0, 0, 3, 0, 0});
    assert_load("\"force\": [1, 0, 0], \"frame\": \"global\"", 0, (double[]){1, 0, 0, 0, 0, 0});
}

static void tables_are_linear_between_times_and_constant_outside(void** unused) {
    (void)unused;
    const char* load = "\"force\": {\"times\": [1, \"2000 ms\", 4], "
                       "\"values\": [[0, 0, 1], [0, 0, \"$F\"], [8, 0, 2]]}";
    assert_load(load, 0, (double[]){0, 0, 1, 0, 0, 0});
    assert_load(load, 1.5, (double[]){0, 0, 1.5, 0, 0, 0});
    assert_load(load, 3, (double[]){4, 0, 2, 0, 0, 0});
    assert_load(load, 9, (double[]){8, 0, 2, 0, 0, 0});
    assert_load("\"torque\": {\"times\": [0], \"values\": [[0, 0, 7]]}", 1,
                (double[]){0, 0, 0, 0, 0, 7});
}

/* A bore at the end of an arm that stands beside the pin by `offset`. */
static void hinge_gaps(const char* frames, const char* position, double gaps[4]) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"bodies\": [{\"name\": \"arm\", \"mass\": 1, \"inertia\": {\"box\": [1, 1, 1]}, "
             "\"position\": %s}], \"joints\": [{\"type\": \"revolute\", \"name\": \"hinge\", "
             "\"between\": [\"arm\", \"ground\"], %s, \"length\": \"40 mm\", \"clearance\": "
             "\"2 mm\", \"axial_clearance\": \"3 mm\"}]}",
             position, frames);
    FpModel* model = load_text(text);
    const FpSystem* system = fp_model_system(model);
    assert_int_equal(system->constraint_count, 1);
    assert_string_equal(system->constraints[0]->name, "hinge");
    assert_int_equal(system->row_count, 4);
    fp_constraint_gaps(system, system->constraints[0], 0, system->q_initial, gaps, NULL);
    fp_model_destroy(model);
}

static void a_hinge_has_the_clearances_given(void** unused) {
    (void)unused;
    double gaps[4];
    hinge_gaps("\"bore\": {\"at\": [-1, 0, 0], \"axis\": [0, 0, 2]}", "[1, 0, 0]", gaps);
    assert_near(gaps[0], 2e-3, 1e-15);
    assert_near(gaps[1], 2e-3, 1e-15);
    assert_near(gaps[2], 3e-3, 1e-15);
    assert_near(gaps[3], 3e-3, 1e-15);
    hinge_gaps(
        "\"bore\": {\"at\": [-1, 0, 0], \"axis\": [0, 0, 1]}, \"pin\": {\"axis\": [0, 0, 1]}",
        "[\"=1 + 1.5 mm\", 0, \"1 mm\"]", gaps);
    assert_near(gaps[0], 0.5e-3, 1e-15);
    assert_near(gaps[1], 0.5e-3, 1e-15);
    assert_near(gaps[2], 4e-3, 1e-15);
    assert_near(gaps[3], 2e-3, 1e-15);
}

/* A bore and its pin, 1 m apart. */
static void models_load_unassembled_on_demand(void** unused) {
    (void)unused;
    write_model("apart.json",
                "{'bodies': [{'name': 'arm', 'mass': 1, 'inertia': {'box': [1, 1, 1]}}], 'joints': "
                "[{'type': 'revolute', 'name': 'hinge', 'between': ['arm', 'ground'], 'length': 1, "
                "'bore': {'axis': [0, 0, 1]}, 'pin': {'at': [1, 0, 0], 'axis': [0, 0, 1]}}]}");
    FpModel* model;
    FpMessage message = {0};
    assert_int_equal(fp_model_load("apart.json", 0, NULL, &model, &message),
                     FREEPLAY_INVALID_MODEL);
    assert_null(model);
    assert_non_null(strstr(message.text, "apart.json:1:84: joints[0]: joint 'hinge': row 0"));
    assert_int_equal(fp_model_load_unassembled("apart.json", 0, NULL, &model, &message),
                     FREEPLAY_OK);
    const FpSystem* system = fp_model_system(model);
    double gaps[5];
    fp_constraint_gaps(system, system->constraints[0], 0, system->q_initial, gaps, NULL);
    assert_near(fabs(gaps[0]) + fabs(gaps[1]), 1, 1e-15);
    fp_model_destroy(model);
    /* All else is refused as ever. */
    write_model("apart.json", "{'bodies': []}");
    assert_int_equal(fp_model_load_unassembled("apart.json", 0, NULL, &model, &message),
                     FREEPLAY_INVALID_MODEL);
}

static FpRunDef read_run(const char* run) {
    char text[500];
    snprintf(text, sizeof text,
             "{\"bodies\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": {\"sphere\": {\"radius\": "
             "1}}}], \"run\": {%s}}",
             run);
    FpModel* model = load_text(text);
    FpRunDef def = fp_model_run(model);
    def.stepper.scheme = def.stepper.strategy = def.stepper.solver = NULL;
    fp_model_destroy(model);
    return def;
}

static void assert_steps(const char* run, double h, double h_min, double h_max) {
    FpStepperDef stepper = read_run(run).stepper;
    assert_near(stepper.h, h, 1e-15);
    assert_near(stepper.h_min, h_min, 1e-15);
    assert_near(stepper.h_max, h_max, 1e-15);
}

static void bounds_of_the_step_follow_from_what_is_given(void** unused) {
    (void)unused;
    assert_steps("\"h\": \"2 ms\"", 2e-3, 2e-4, 2e-3);
    assert_steps("\"h_min\": \"1 us\", \"h_max\": \"5 ms\"", 1e-3, 1e-6, 5e-3);
    assert_steps("\"h_max\": \"5 ms\"", 1e-3, 5e-4, 5e-3);
    assert_steps("\"h_min\": \"1 us\"", 1e-3, 1e-6, 1e-3);
    assert_steps("\"h_min\": \"1 s\"", 1e-3, 1, 1);
}

static void the_run_block_chooses_the_method(void** unused) {
    (void)unused;
    assert_near(read_run("\"t_end\": \"2 min\"").t_end, 120, 0);
    assert_int_equal(read_run("\"rows\": \"exact\"").stepper.rows, FREEPLAY_ROWS_EXACT);
    assert_int_equal(read_run("\"rows\": \"linearized\"").stepper.rows, FREEPLAY_ROWS_LINEARIZED);
    assert_near(read_run("\"theta\": \"60 %\"").stepper.theta, 0.6, 1e-16);
    assert_true(read_run("\"projection\": true").stepper.projection);
    assert_false(read_run("\"projection\": false").stepper.projection);
    FpModel* model =
        load_text("{\"bodies\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": {\"sphere\": "
                  "{\"radius\": 1}}}], "
                  "\"run\": {\"scheme\": \"gauss\", \"step\": \"gauss\", \"solver\": \"ipopt\"}}");
    FpRunDef run = fp_model_run(model);
    assert_string_equal(run.stepper.scheme, "gauss");
    assert_string_equal(run.stepper.strategy, "gauss");
    assert_string_equal(run.stepper.solver, "ipopt");
    fp_model_destroy(model);
}

static const char with_parameters[] =
    "{\"parameters\": {\"D\": \"=2*$R + $gap\", \"R\": \"3 cm\", \"gap\": \"0.1 mm\", \"n\": 5, "
    "\"w\": \"1500 rpm\", \"v\": \"=$w*$R\", \"ratio\": \"=$D/$R\", \"alias\": \"$n\"},"
    " \"bodies\": [{\"name\": \"b\", \"mass\": \"$n\", \"inertia\": {\"sphere\": "
    "{\"radius\": \"$R\"}}, \"velocity\": [\"$v\", \"=-$v\", 0]}]}";

static void assert_parameter(const FpModel* model, int index, const char* name, double value,
                             const char* unit, bool overridden) {
    FpParameter parameter = fp_model_parameter(model, index);
    assert_string_equal(parameter.name, name);
    assert_near(parameter.value, value, 1e-14 * fabs(value));
    assert_string_equal(parameter.unit, unit);
    assert_int_equal(parameter.overridden, overridden);
}

static void parameters_refer_to_each_other_in_any_order(void** unused) {
    (void)unused;
    FpModel* model = load_text(with_parameters);
    assert_int_equal(fp_model_parameter_count(model), 8);
    assert_parameter(model, 0, "D", 0.0601, "m", false);
    assert_parameter(model, 1, "R", 0.03, "m", false);
    assert_parameter(model, 2, "gap", 1e-4, "m", false);
    assert_parameter(model, 3, "n", 5, "", false);
    assert_parameter(model, 4, "w", 50 * pi, "rad/s", false);
    assert_parameter(model, 5, "v", 1.5 * pi, "m rad s^-1", false);
    assert_parameter(model, 6, "ratio", 0.0601 / 0.03, "1", false);
    assert_parameter(model, 7, "alias", 5, "", false);
    assert_near(fp_world_body_mass(fp_model_world(model), 0), 5, 0);
    assert_vector(fp_model_system(model)->v_initial, 1.5 * pi, -1.5 * pi, 0);
    fp_model_destroy(model);
}

static void settings_replace_parameters_and_what_depends_on_them(void** unused) {
    (void)unused;
    write_model("model.json", with_parameters);
    const FpSetting settings[] = {
        {"R", "7 m"}, {"gap", "=$R/100"}, {"R", "4cm"}, {"w", "2"}, {"n", "2 kg"}};
    FpModel* model = load_file("model.json", 5, settings);
    assert_parameter(model, 0, "D", 0.0804, "m", false);
    assert_parameter(model, 1, "R", 0.04, "m", true);
    assert_parameter(model, 2, "gap", 4e-4, "m", true);
    assert_parameter(model, 3, "n", 2, "kg", true);
    assert_parameter(model, 4, "w", 2, "rad/s", true);
    assert_parameter(model, 5, "v", 0.08, "m rad s^-1", false);
    fp_model_destroy(model);
}

/* m = 2 kg, box 61.8 m x 10 m x depth: m/12 (b^2 + c^2). */
static void assert_example(const char* path, const char* name, double depth, double cmz) {
    FpModel* model = load_file(path, 0, NULL);
    assert_string_equal(fp_model_name(model), name);
    assert_int_equal(fp_model_parameter_count(model), 9);
    assert_parameter(model, 0, "c", 0.1, "m", false);
    assert_parameter(model, 6, "cmz", cmz, "m", false);
    const FpSystem* system = fp_model_system(model);
    assert_string_equal(fp_world_body_name(fp_model_world(model), 0), "pendulum");
    assert_near(fp_world_body_mass(fp_model_world(model), 0), 2, 0);
    assert_vector(system->q_initial, 30.9, 0, cmz);
    double x = 61.8 * 61.8, y = 100, z = depth * depth, inertia[9], f[6], gaps[4];
    inertia_of(model, inertia);
    assert_near(inertia[0], (y + z) / 6, 1e-12);
    assert_near(inertia[4], (x + z) / 6, 1e-12);
    assert_near(inertia[8], (x + y) / 6, 1e-12);
    forces_at(model, 0, f);
    assert_vector(f, 0, -19.62, 0);
    assert_int_equal(system->row_count, 4);
    assert_string_equal(system->constraints[0]->name, "hinge");
    fp_constraint_gaps(system, system->constraints[0], 0, system->q_initial, gaps, NULL);
    for (int i = 0; i < 4; i++) assert_near(gaps[i], 0.1, 1e-13);
    FpRunDef run = fp_model_run(model);
    assert_string_equal(run.stepper.scheme, "gauss");
    assert_string_equal(run.stepper.strategy, "fixed");
    assert_int_equal(run.stepper.rows, FREEPLAY_ROWS_EXACT);
    assert_near(run.stepper.h, 1e-3, 0);
    assert_near(run.t_end, 10, 0);
    fp_model_destroy(model);
}

static void the_examples_load(void** unused) {
    (void)unused;
    assert_example(FREEPLAY_SOURCE_DIR "/examples/pendulum_clearance.json", "pendulum_clearance",
                   20, 0);
    assert_example(FREEPLAY_SOURCE_DIR "/examples/revolute_pendulum.json", "revolute_pendulum",
                   23.94, 11.97);
}

static void models_load_in_a_comma_locale(void** unused) {
    (void)unused;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
    write_model("model.json", with_parameters);
    FpModel *model, *none;
    FpStatus status = fp_model_load("model.json", 0, NULL, &model, NULL);
    FpMessage message;
    const FpSetting wrong = {"R", "0.5 kg"};
    FpStatus refused = fp_model_load("model.json", 1, &wrong, &none, &message);
    char point = *localeconv()->decimal_point;
    setlocale(LC_ALL, "C");
    assert_int_equal(status, FREEPLAY_OK);
    assert_int_equal(refused, FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(point, ',');
    assert_parameter(model, 0, "D", 0.0601, "m", false);
    fp_model_destroy(model);
}

/* Loads a model again and again; the count of correct loads comes back. */
static void* load_often(void* count) {
    for (int i = 0; i < 20; i++) {
        FpModel* model;
        if (fp_model_load("shared.json", 0, NULL, &model, NULL) != FREEPLAY_OK) continue;
        *(int*)count += fp_model_parameter(model, 0).value == 2 * 0.03 + 0.1e-3;
        fp_model_destroy(model);
    }
    return NULL;
}

static void two_threads_may_load_at_once(void** unused) {
    (void)unused;
    write_model("shared.json", with_parameters);
    pthread_t other;
    int mine = 0, its = 0;
    assert_int_equal(pthread_create(&other, NULL, load_often, &its), 0);
    load_often(&mine);
    pthread_join(other, NULL);
    assert_int_equal(mine, 20);
    assert_int_equal(its, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_model_has_defaults),
        cmocka_unit_test(names_come_from_the_model_or_the_file),
        cmocka_unit_test(bodies_have_mass_pose_and_velocity),
        cmocka_unit_test(euler_parameters_are_normalized),
        cmocka_unit_test(inertias_have_five_forms),
        cmocka_unit_test(constant_loads_have_direction_and_point),
        cmocka_unit_test(tables_are_linear_between_times_and_constant_outside),
        cmocka_unit_test(a_hinge_has_the_clearances_given),
        cmocka_unit_test(models_load_unassembled_on_demand),
        cmocka_unit_test(bounds_of_the_step_follow_from_what_is_given),
        cmocka_unit_test(the_run_block_chooses_the_method),
        cmocka_unit_test(parameters_refer_to_each_other_in_any_order),
        cmocka_unit_test(settings_replace_parameters_and_what_depends_on_them),
        cmocka_unit_test(the_examples_load),
        cmocka_unit_test(models_load_in_a_comma_locale),
        cmocka_unit_test(two_threads_may_load_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
