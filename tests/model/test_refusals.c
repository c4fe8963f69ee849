/* Every wrong model gets one line, "FILE:LINE:COLUMN: FIELD: what was wrong; what would be right",
 * and nothing is printed. */
#include "tests/model/refusals.h"

static const char base[] =
    "{\n"
    "  \"parameters\": {\"c\": \"0.1 mm\", \"R\": 0.01},\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"arm\", \"mass\": \"2 kg\", \"inertia\": {\"box\": [1, 1, 1]},\n"
    "     \"position\": [1, 0, 0], \"orientation\": [1, 0, 0, 0]}\n"
    "  ],\n"
    "  \"loads\": [{\"body\": \"arm\", \"force\": [0, \"1 N\", 0]}],\n"
    "  \"joints\": [\n"
    "    {\"type\": \"revolute\", \"name\": \"hinge\", \"between\": [\"arm\", \"ground\"],\n"
    "     \"pin\": {\"axis\": [0, 0, 1]}, \"length\": 0.1, \"clearance\": \"$c\",\n"
    "     \"axial_clearance\": \"$c\"}\n"
    "  ],\n"
    "  \"run\": {\"h\": \"1 ms\", \"t_end\": \"1 s\"}\n"
    "}\n";

static void the_base_model_is_fine(void** unused) {
    (void)unused;
    assert_accepted("base.json", base);
}

static void files_that_are_no_models(void** unused) {
    (void)unused;
    const struct {
        const char *path, *words;
    } rows[] = {{"absent.json", "absent.json: there is no such file"},
                {"", "there is no such file"},
                {".", ".: is a folder; name a model file in it"},
                {"two\nlines.json", "two?lines.json: there is no such file"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FpStatus status;
        FpMessage message = {0};
        assert_int_equal(load_quietly(rows[i].path, 0, NULL, &status, &message), 0);
        assert_int_equal(status, FREEPLAY_FILE_ERROR);
        if (!strstr(message.text, rows[i].words)) fail_msg("%s", message.text);
    }
    FpModel* model;
    assert_int_equal(fp_model_load(NULL, 0, NULL, &model, NULL), FREEPLAY_INVALID_ARGUMENT);
}

static void json_that_is_wrong(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"", "", "1:1: model", "the file is empty; a model is an object"},
        {"", "[1, 2]", "1:1: model", "does not begin with '{'; a model is an object"},
        {"\"mass\": ", "\"mass\" ", "4:28: bodies[0]", "a ':' is needed between key and value"},
        {"\"1 s\"}\n}", "\"1 s\"}\n", "15:1: run", "the file ends too early"},
        {"}\n}\n", "}\n}\nmore", "15:1: model", "more stands behind the end of the model"},
        {"\"R\": 0.01", "\"c\": 1", "2:33: parameters", "duplicate key \"c\"; each key may stand"},
        {"[1, 1, 1]", "{\"a\": {\"b\": 1, \"b\": 2}}", "4:71: bodies[0].inertia.box.a",
         "duplicate key \"b\""},
        {"\"2 kg\"", "NaN", "4:29: bodies[0].mass", "unexpected NaN; a JSON value is needed here"},
        {"[1, 0, 0]", "[1, -Infinity, 0]", "5:22: bodies[0].position[1]", "unexpected -Infinity"},
        {"[1, 0, 0]", "[1, 0, 1e999]", "5:25: bodies[0].position[2]",
         "the number 1e999 is too large; up to 1.7e308 is possible"},
        {"[1, 0, 0]", "[1, 0, 1e-999]", "5:25: bodies[0].position[2]", "write 0 if that is meant"},
        {"arm", "\xE4rm", "4:15: bodies[0].name", "byte that is not UTF-8; save the file as UTF-8"},
    };
    ASSERT_REFUSALS(base, rows);
    assert_refused_text("{\"name\": \"x\0\"}", 14, "1:12: name", "zero byte");
}

static void deep_nesting(void** unused) {
    (void)unused;
    enum { DEPTH = 50000 };
    char* to = malloc(DEPTH + 1);
    assert_non_null(to);
    memset(to, '[', DEPTH);
    to[DEPTH] = '\0';
    char* text = replaced(base, "\"2 kg\"", to);
    assert_refused_text(text, strlen(text),
                        "4:2074: bodies[0].mass[0][0][0][0][0][0][0][0][0][0][0][0][0]",
                        "brackets are nested too deeply");
    free(to);
    free(text);
}

static void fields_that_do_not_exist(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"\"mass\"", "\"msas\"", "4:21: bodies[0].msas", "unknown field; did you mean 'mass'?"},
        {"\"bodies\"", "\"Bodies\"", "3:3: Bodies", "did you mean 'bodies'?"},
        {"\"bodies\"", "\"x\\ny\"", "3:3: x?y", "unknown field; possible: $schema, name,"},
        {"\"box\"", "\"cube\"", "4:49: bodies[0].inertia.cube",
         "possible: box, cylinder, sphere, principal, matrix"},
        {"\"axis\"", "\"axes\"", "10:14: joints[0].pin.axes", "did you mean 'axis'?"},
        {"\"clearance\"", "\"clearence\"", "10:49: joints[0].clearence",
         "did you mean 'clearance'?"},
        {"\"t_end\"", "\"tend\"", "13:24: run.tend", "did you mean 't_end'?"},
        {"\"force\"", "\"frce\"", "7:29: loads[0].frce", "did you mean 'force'?"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void values_of_the_wrong_type(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"{\"c\": \"0.1 mm\", \"R\": 0.01}", "[]", "2:17: parameters", "is an array; an object"},
        {"0.01", "true", "2:38: parameters.R", "is true; a number, a quantity as"},
        {"\"2 kg\"", "null", "4:29: bodies[0].mass", "is null; a mass (kg), as a number or"},
        {"\"2 kg\"", "[2]", "4:29: bodies[0].mass", "is an array; a mass (kg)"},
        {"\"mass\": \"2 kg\", ", "", "4:5: bodies[0].mass", "is missing; a mass (kg)"},
        {"\"arm\"", "5", "4:14: bodies[0].name", "is a number; a string is needed"},
        {"[1, 0, 0],", "[1, 0],", "5:18: bodies[0].position",
         "has 2 elements; an array of 3 numbers is needed"},
        {"[1, 0, 0],", "1,", "5:18: bodies[0].position", "is a number; an array of 3 numbers"},
        {"[1, 0, 0, 0]", "\"up\"", "5:44: bodies[0].orientation",
         "is a string; an array of Euler parameters"},
        {"{\"box\": [1, 1, 1]}", "3", "4:48: bodies[0].inertia", "is a number; an object"},
        {"\"revolute\"", "7", "9:14: joints[0].type", "is a number; a string is needed"},
        {"{\"axis\": [0, 0, 1]}", "[0, 0, 1]", "10:13: joints[0].pin", "is an array; an object"},
        {"\"joints\": [\n", "\"joints\": [true,\n", "8:14: joints[0]", "is true; an object"},
        {"{\n", "{\"gravity\": 9.81,\n", "1:13: gravity", "is a number; an array of 3 numbers"},
        {"{\n", "{\"name\": 5,\n", "1:10: name", "is a number; a string is needed"},
        {"{\n", "{\"$schema\": 5,\n", "1:13: $schema", "is a number; a string is needed"},
        {"{\"h\": \"1 ms\", \"t_end\": \"1 s\"}", "null", "13:10: run", "is null; an object"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void quantities_that_are_wrong(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"[1, 1, 1]", "[1, \"1 kg\", 1]", "4:60: bodies[0].inertia.box[1]",
         "'1 kg' is a mass (kg); a length (m) is needed here"},
        {"\"2 kg\"", "\"2 kgg\"", "4:29: bodies[0].mass", "unknown unit 'kgg'; did you mean 'kg'?"},
        {"\"2 kg\"", "\"two\"", "4:29: bodies[0].mass", "does not begin with a number"},
        {"\"2 kg\"", "\"2,5 kg\"", "4:29: bodies[0].mass", "the decimal mark is a point"},
        {"\"2 kg\"", "\"NaN\"", "4:29: bodies[0].mass", "does not begin with a number"},
        {"\"2 kg\"", "\"1e999 kg\"", "4:29: bodies[0].mass", "too large or too small"},
        {"\"2 kg\"", "\"$m\"", "4:29: bodies[0].mass", "there is no parameter 'm'; possible: c, R"},
        {"\"2 kg\"", "\"$r\"", "4:29: bodies[0].mass", "did you mean 'R'?"},
        {"\"2 kg\"", "\"2*$R\"", "4:29: bodies[0].mass", "an expression begins with '='"},
        {"\"2 kg\"", "\"=2 kg + 1 m\"", "4:29: bodies[0].mass",
         "'+' between a mass (kg) and a length (m)"},
        {"\"1 N\"", "\"1 N m\"", "7:42: loads[0].force[1]", "is a torque (N m); a force (N)"},
        {"\"1 ms\"", "\"1 mm\"", "13:16: run.h", "is a length (m); a time (s) is needed"},
        {"[0, 0, 1]", "[0, 0, \"1 m\"]", "10:29: joints[0].pin.axis[2]",
         "a number without unit is needed"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void parameters_that_are_wrong(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"0.01", "\"=$c + $d\"", "2:38: parameters.R", "there is no parameter 'd'; possible: c, R"},
        {"0.01", "\"=2*$R\"", "2:38: parameters.R", "is defined by itself: $R -> $R"},
        {"\"R\": 0.01", "\"R\": \"=$x\", \"x\": \"=$y\", \"y\": \"=2*$x\"", "2:50: parameters.x",
         "is defined by itself: $x -> $y -> $x; one of them needs a value"},
        {"\"R\"", "\"2R\"", "2:33: parameters.2R", "'2R' is no parameter name"},
        {"\"R\"", "\"a b\"", "2:33: parameters.a b", "is no parameter name"},
        {"0.01", "\"1 mmm\"", "2:38: parameters.R", "unknown unit 'mmm'"},
        {"0.01", "\"=1 m + 1 kg\"", "2:38: parameters.R", "must have the same dimension"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void bodies_that_cannot_be(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"\"2 kg\"", "0", "4:29: bodies[0].mass", "must be positive, is 0 kg"},
        {"\"2 kg\"", "\"-2 kg\"", "4:29: bodies[0].mass", "must be positive, is -2 kg"},
        {"\"arm\"", "\"ground\"", "4:14: bodies[0].name", "choose another name"},
        {"\"arm\"", "\"my arm\"", "4:14: bodies[0].name", "'my arm' is no name"},
        {"\"inertia\": {\"box\": [1, 1, 1]},", "", "4:5: bodies[0].inertia",
         "is missing; an object with exactly one of box, cylinder"},
        {"\"box\": [1, 1, 1]", "", "4:48: bodies[0].inertia", "is empty; an object with exactly"},
        {"[1, 1, 1]", "[1, 1, 1], \"sphere\": {\"radius\": 1}", "4:48: bodies[0].inertia",
         "has several forms"},
        {"[1, 1, 1]", "[1, 1, -1]", "4:63: bodies[0].inertia.box[2]",
         "is -1 m; a dimension must not be negative"},
        {"\"box\": [1, 1, 1]", "\"principal\": [1, 1, 3]", "4:48: bodies[0].inertia",
         "the largest exceeds the sum of the other two"},
        {"\"box\": [1, 1, 1]", "\"principal\": [1, 1, -1]", "4:48: bodies[0].inertia",
         "must all be positive"},
        {"\"box\": [1, 1, 1]", "\"matrix\": [[1, 1, 0], [0, 1, 0], [0, 0, 1]]",
         "4:48: bodies[0].inertia", "must be symmetric"},
        {"\"box\": [1, 1, 1]", "\"matrix\": [[1, 1, 0]]", "4:59: bodies[0].inertia.matrix",
         "has 1 rows; 3 rows of 3 numbers are needed"},
        {"\"box\": [1, 1, 1]", "\"cylinder\": {\"radius\": 1, \"length\": 1, \"axis\": \"w\"}",
         "4:96: bodies[0].inertia.cylinder.axis", "\"x\", \"y\" or \"z\" is needed"},
        {"[1, 0, 0, 0]", "[0, 0, 0, 0]", "5:44: bodies[0].orientation", "must not all be zero"},
        {"[1, 0, 0, 0]", "{\"axis\": [0, 0, 0], \"angle\": 1}", "5:53: bodies[0].orientation.axis",
         "has no direction; an axis needs a length above 0"},
        {"0, 0, 0]}\n",
         "0, 0, 0]}, {\"name\": \"arm\", \"mass\": 1, \"inertia\": {\"box\": [1, 1, 1]}}\n",
         "5:68: bodies[1].name", "there is another body 'arm'; names must be unique"},
    };
    ASSERT_REFUSALS(base, rows);
    assert_refused_text("{\"bodies\": []}", 14, "1:12: bodies", "at least one body");
    assert_refused_text("{}", 2, "1:1: bodies", "is missing; an array [ ... ] of bodies is needed");
}

static void loads_that_cannot_be(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"\"body\": \"arm\"", "\"body\": \"amr\"", "7:22: loads[0].body",
         "there is no body 'amr'; did you mean"},
        {"\"body\": \"arm\"", "\"body\": \"ground\"", "7:22: loads[0].body", "a body that moves"},
        {", \"force\": [0, \"1 N\", 0]", "", "7:13: loads[0]", "has no force or torque"},
        {"\"1 N\", 0]", "1, 0], \"torque\": [1, 0, 0]", "7:13: loads[0]", "has both"},
        {"\"force\"", "\"at\": [0, 0, 0], \"torque\"", "7:29: loads[0].at",
         "a torque has no point of application; remove it"},
        {"\"1 N\", 0]", "1, 0], \"frame\": \"world\"", "7:58: loads[0].frame",
         "is 'world'; \"global\" or \"body\" is needed"},
        {"[0, \"1 N\", 0]", "{\"times\": [], \"values\": []}", "7:48: loads[0].force.times",
         "is empty; at least one time is needed"},
        {"[0, \"1 N\", 0]", "{\"times\": [0, 1], \"values\": [[0, 0, 0]]}",
         "7:66: loads[0].force.values", "has 1 values for 2 times; one for each time is needed"},
        {"[0, \"1 N\", 0]", "{\"times\": [1, 1], \"values\": [[0, 0, 0], [1, 0, 0]]}",
         "7:38: loads[0].force", "times must increase"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void joints_that_cannot_be(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"\"revolute\"", "\"hinge\"", "9:14: joints[0].type",
         "there is no joint type 'hinge'; possible: revolute"},
        {"\"revolute\"", "\"revolut\"", "9:14: joints[0].type", "did you mean 'revolute'?"},
        {"\"hinge\"", "\"\"", "9:34: joints[0].name", "'' is no name"},
        {"[\"arm\", \"ground\"]", "[\"arm\"]", "9:54: joints[0].between",
         "of the body with the bore, then of that with the pin"},
        {"[\"arm\", \"ground\"]", "[\"arm\", \"wall\"]", "9:62: joints[0].between[1]",
         "there is no body 'wall'; possible: ground, arm"},
        {"[\"arm\", \"ground\"]", "[\"arm\", \"arm\"]", "9:54: joints[0].between",
         "both are 'arm'"},
        {"\"pin\": {\"axis\": [0, 0, 1]}, ", "", "9:5: joints[0].bore", "'bore', 'pin' or both"},
        {"[0, 0, 1]", "[0, 0, 0]", "10:22: joints[0].pin.axis", "has no direction"},
        {"\"axis\": [0, 0, 1]", "\"at\": [0, 0, 0]", "10:13: joints[0].pin.axis", "is missing"},
        {"\"length\": 0.1, ", "", "9:5: joints[0].length",
         "joint 'hinge': must be given: length of the bore"},
        {"\"length\": 0.1", "\"length\": 0", "10:44: joints[0].length", "must be positive, is 0 m"},
        {"\"clearance\": \"$c\"", "\"clearance\": \"-1 um\"", "10:62: joints[0].clearance",
         "joint 'hinge': must be zero or positive, is -1e-06 m"},
        {"\"pin\"", "\"bore\": {\"axis\": [0, 0, 1]}, \"pin\"", "9:5: joints[0]",
         "joint 'hinge': the initial state is outside the clearance"},
        {"\"$c\"}\n",
         "\"$c\"}, {\"type\": \"revolute\", \"name\": \"hinge\", \"between\": [\"ground\", "
         "\"arm\"], "
         "\"pin\": {\"axis\": [0, 0, 1]}, \"length\": 1, \"clearance\": 0.1, \"axial_clearance\": "
         "1}\n",
         "11:61: joints[1].name", "there is another joint 'hinge'; names must be unique"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void runs_that_cannot_be(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"\"1 ms\"", "0", "13:16: run.h", "is 0 s; it must be positive"},
        {"\"1 ms\"", "\"-1 ms\"", "13:16: run.h", "is -0.001 s; it must be positive"},
        {"\"1 s\"", "0", "13:33: run.t_end", "is 0 s; it must be positive"},
        {"\"h\": \"1 ms\"", "\"h_min\": 2, \"h_max\": \"1 s\"", "13:20: run.h_min",
         "is 2 s, above h_max, which is 1 s; it must not be"},
        {"\"h\": \"1 ms\"", "\"scheme\": \"gaus\"", "13:21: run.scheme",
         "unknown scheme 'gaus'; did you mean 'gauss'? Possible: "},
        {"\"h\": \"1 ms\"", "\"step\": \"other\"", "13:19: run.step",
         "unknown step 'other'; possible: fixed, gauss"},
        {"\"h\": \"1 ms\"", "\"solver\": \"other\"", "13:21: run.solver",
         "unknown solver 'other'; possible: auto, structured, ipopt"},
        {"\"h\": \"1 ms\"", "\"rows\": \"linearised\"", "13:19: run.rows",
         "did you mean 'linearized'? Possible: exact, linearized"},
        {"\"h\": \"1 ms\"", "\"theta\": 1.5", "13:20: run.theta", "is 1.5; it must be from 0 to 1"},
        {"\"h\": \"1 ms\"", "\"theta\": \"-10 %\"", "13:20: run.theta",
         "is -0.1; it must be from 0 to 1"},
        {"\"h\": \"1 ms\"", "\"projection\": 1", "13:25: run.projection", "is a number"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void names_of_models_that_cannot_be_folders(void** unused) {
    (void)unused;
    static const char* const names[] = {"", "../x", "a/b", ".hidden", "-x", "a\\nb", "a:b"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char to[40];
        snprintf(to, sizeof to, "{\"name\": \"%s\",\n", names[i]);
        char* text = replaced(base, "{\n", to);
        assert_refused_text(text, strlen(text), "1:10: name", "is no model name");
        free(text);
    }
}

static void settings_that_are_wrong(void** unused) {
    (void)unused;
    const struct {
        FpSetting setting;
        const char* words;
    } rows[] = {
        {{"d", "1"}, "--set d=1: the model has no parameter 'd'; possible: c, R"},
        {{"C", "1"}, "did you mean 'c'?"},
        {{"", "1"}, "--set =1: the model has no parameter ''"},
        {{"c", "1 kg"}, "--set c=1 kg: is a mass (kg); parameter 'c' is a length (m)"},
        {{"c", ""}, "--set c=: '' does not begin with a number"},
        {{"c", "x"}, "'x' does not begin with a number"},
        {{"c", "nan"}, "'nan' does not begin with a number"},
        {{"c", "1e999"}, "too large or too small"},
        {{"c", "1 mmm"}, "unknown unit 'mmm'"},
        {{"c", "=2*$c"}, "is defined by itself: $c -> $c"},
        {{"c", "=2*"}, "ends too early"},
        {{"c", "1\n2"}, "--set c=1?2: "},
    };
    the_base_model_is_fine(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FpStatus status;
        FpMessage message = {0};
        assert_int_equal(load_quietly("base.json", 1, &rows[i].setting, &status, &message), 0);
        assert_int_equal(status, FREEPLAY_INVALID_ARGUMENT);
        if (!strstr(message.text, rows[i].words)) fail_msg("%s", message.text);
        assert_null(strchr(message.text, '\n'));
    }
}

/* A setting may be a value that the model refuses. */
static void settings_that_do_not_fit_the_model(void** unused) {
    (void)unused;
    the_base_model_is_fine(NULL);
    const FpSetting setting = {"c", "-1 mm"}, nameless = {NULL, "1"};
    FpStatus status;
    FpMessage message = {0};
    assert_int_equal(load_quietly("base.json", 1, &setting, &status, &message), 0);
    assert_int_equal(status, FREEPLAY_INVALID_MODEL);
    assert_non_null(
        strstr(message.text,
               "base.json:10:62: joints[0].clearance: joint 'hinge': must be zero or positive"));
    assert_int_equal(load_quietly("base.json", 1, &nameless, &status, &message), 0);
    assert_int_equal(status, FREEPLAY_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_model_is_fine),
        cmocka_unit_test(files_that_are_no_models),
        cmocka_unit_test(json_that_is_wrong),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(fields_that_do_not_exist),
        cmocka_unit_test(values_of_the_wrong_type),
        cmocka_unit_test(quantities_that_are_wrong),
        cmocka_unit_test(parameters_that_are_wrong),
        cmocka_unit_test(bodies_that_cannot_be),
        cmocka_unit_test(loads_that_cannot_be),
        cmocka_unit_test(joints_that_cannot_be),
        cmocka_unit_test(runs_that_cannot_be),
        cmocka_unit_test(names_of_models_that_cannot_be_folders),
        cmocka_unit_test(settings_that_are_wrong),
        cmocka_unit_test(settings_that_do_not_fit_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
