#include "tests/support.h"

#include <errno.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "output/version.h"
#include "tests/output/fake_run.h"

static const char* const names[] = {"trajectory.csv", "events.csv", "summary.json", "plot.svg"};

static int set_up(void** run) {
    *run = fake_run_create();
    return 0;
}

static int tear_down(void** run) {
    fake_run_destroy(*run);
    return 0;
}

static FpRunFiles* open_here(FakeRun* run, long every) {
    FpRunFiles* files;
    assert_int_equal(fake_open(run, run->folder, every, &files), FREEPLAY_OK);
    return files;
}

static void close_here(FakeRun* run, FpRunFiles* files) {
    assert_int_equal(fp_run_files_close(files, &run->summary, &run->message), FREEPLAY_OK);
}

static void assert_text(FakeRun* run, const char* name, const char* expected) {
    char* text = read_text(run->folder, name);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void assert_no_parts(const char* folder) {
    for (int i = 0; i < 4; i++) {
        char part[64];
        snprintf(part, sizeof part, "%s.part", names[i]);
        assert_false(file_exists(folder, part));
    }
}

static void write_old_files(FakeRun* run) {
    for (int i = 0; i < 4; i++) write_text(run->folder, names[i], "old");
}

static void assert_old_files(FakeRun* run, const char* except) {
    for (int i = 0; i < 4; i++) {
        if (!except || strcmp(names[i], except) != 0) assert_text(run, names[i], "old");
    }
    assert_no_parts(run->folder);
}

#define HEADER                                                                       \
    "t,h,bob.x,bob.y,bob.vx,bob.vy,pin.gap[0],pin.force[0],pin.gap[1],pin.force[1]," \
    "E_kin,E_pot,E_tot,E_shadow\n"

/* E_kin = vx^2 = 9, E_pot = -y = -0.5, and with f.v = 8 vy = 32: E_shadow = 8.5 + h/2 32. */
static void trajectory_has_titles_and_a_row_per_step(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files = open_here(run, 1);
    memcpy(run->state->q, (double[]){0.1, 0.5}, sizeof(double[2]));
    memcpy(run->state->v, (double[]){3.0, 4.0}, sizeof(double[2]));
    fake_show_steps(run, files, 1);
    close_here(run, files);
    assert_text(run, "trajectory.csv",
                HEADER "0,0,0.1,0.5,3,4,0.1,0,0.5,0,9,-0.5,8.5,8.5\n"
                       "0.125,0.125,0.1,0.5,3,4,0.1,1,0.5,2,9,-0.5,8.5,10.5\n");
    assert_no_parts(run->folder);
}

/* Friction stands behind the force of its row: one component in the plane, two in space, a third
 * against drilling. */
static void trajectory_has_the_friction_of_rows_that_have_any(void** state) {
    FakeRun* run = *state;
    fake_set_rows(run, 4);
    fake_set_slips(run, 4, (const int[]){2, 0, 3, 1});
    run->state->q[1] = 0.5;
    FpRunFiles* files = open_here(run, 1);
    fake_show_steps(run, files, 1);
    close_here(run, files);
    assert_text(run, "trajectory.csv",
                "t,h,bob.x,bob.y,bob.vx,bob.vy,pin.gap[0],pin.force[0],pin.t1[0],pin.t2[0],"
                "pin.gap[1],pin.force[1],pin.gap[2],pin.force[2],pin.t1[2],pin.t2[2],pin.drill[2],"
                "pin.gap[3],pin.force[3],pin.t1[3],E_kin,E_pot,E_tot,E_shadow\n"
                "0,0,0,0.5,0,0,0,0,0,0,0.5,0,0,0,0,0,0,0.5,0,0,0,-0.5,-0.5,-0.5\n"
                "0.125,0.125,0,0.5,0,0,0,1,-1,-2,0.5,2,0,1,-3,-4,-5,0.5,2,-6,0,-0.5,-0.5,-0.5\n");
}

static void assert_times(FakeRun* run, const double* times, int count) {
    char* text = read_text(run->folder, "trajectory.csv");
    char* line = strchr(text, '\n') + 1;
    for (int i = 0; i < count; i++) {
        assert_near(strtod(line, NULL), times[i], 0.0);
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "");
    free(text);
}

static void thinning_keeps_every_third_step_and_the_last(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files = open_here(run, 3);
    fake_show_steps(run, files, 8);
    close_here(run, files);
    assert_times(run, (double[]){0.0, 0.375, 0.75, 1.0}, 4);
}

static void thinning_writes_the_last_step_only_once(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files = open_here(run, 3);
    fake_show_steps(run, files, 6);
    close_here(run, files);
    assert_times(run, (double[]){0.0, 0.375, 0.75}, 3);
}

static void show_event(FpRunFiles* files, FpEventKind kind) {
    FpObserver observer = fp_run_files_observer(files);
    FpEvent event = {.t = 0.25,
                     .row = 1,
                     .kind = kind,
                     .energy_before = 1.5,
                     .energy_after = 1.01,
                     .speed = 1.4};
    assert_int_equal(observer.event(observer.context, &event), FREEPLAY_OK);
}

static void events_tell_where_and_what_in_words(void** state) {
    FakeRun* run = *state;
    char name[] = "pin, left";
    run->constraint.name = name;
    FpRunFiles* files = open_here(run, 1);
    show_event(files, FREEPLAY_EVENT_IMPACT);
    show_event(files, FREEPLAY_EVENT_CLOSE);
    show_event(files, FREEPLAY_EVENT_OPEN);
    close_here(run, files);
    assert_text(run, "events.csv",
                "t,joint,row,kind,E_before,E_after,detail\n"
                "0.25,\"pin, left\",1,impact,1.5,1.01,closing at 1.4 m/s; lost 0.49 J\n"
                "0.25,\"pin, left\",1,close,1.5,1.01,closing at 1.4 m/s\n"
                "0.25,\"pin, left\",1,open,1.5,1.01,contact ends\n");
}

static void files_are_the_same_in_a_comma_locale(void** state) {
    FakeRun* run = *state;
    char* texts[2][4];
    for (int i = 0; i < 2; i++) {
        if (i == 1 && !setlocale(LC_ALL, "de_DE.UTF-8")) setlocale(LC_ALL, "C");
        FpRunFiles* files = open_here(run, 1);
        run->state->step = 0;
        run->state->q[0] = 1.0 / 3.0;
        run->summary.totals.wall_seconds = 0.7;
        fake_show_steps(run, files, 5);
        show_event(files, FREEPLAY_EVENT_IMPACT);
        close_here(run, files);
        setlocale(LC_ALL, "C");
        for (int f = 0; f < 4; f++) texts[i][f] = read_text(run->folder, names[f]);
        fake_set_rows(run, 2);
    }
    for (int f = 0; f < 4; f++) {
        assert_string_equal(texts[0][f], texts[1][f]);
        free(texts[0][f]);
        free(texts[1][f]);
    }
}

static json_t* summary_of(const FpRunSummary* summary) {
    char* text = fp_run_summary_json(summary);
    assert_non_null(text);
    json_t* root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(root);
    return root;
}

static double number_at(json_t* object, const char* key) {
    json_t* value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void summary_has_the_promised_keys(void** state) {
    FakeRun* run = *state;
    run->summary.totals = (FpTotals){
        .steps = 4,
        .wall_seconds = 0.1,
        .solves_ipopt = 5,
        .max_penetration = 1e-17,
        .initial = {.total = 2.0, .shadow = 2.5},
        .final = {.total = 1.5, .shadow = 2.25},
    };
    json_t* root = summary_of(&run->summary);
    const char* keys[] = {"status",
                          "model",
                          "scheme",
                          "solver",
                          "rows",
                          "step",
                          "t_end",
                          "warnings",
                          "steps",
                          "rejected",
                          "solves",
                          "h",
                          "ipopt_iterations",
                          "wall_seconds",
                          "us_per_step",
                          "max_penetration",
                          "max_certificate",
                          "max_norm_defect",
                          "wedged_steps",
                          "max_motion_residual",
                          "energy",
                          "versions"};
    size_t count = sizeof keys / sizeof keys[0];
    for (size_t i = 0; i < count; i++) assert_non_null(json_object_get(root, keys[i]));
    assert_int_equal(json_object_size(root), count);
    assert_string_equal(json_string_value(json_object_get(root, "status")), "ok");
    assert_near(number_at(root, "us_per_step"), 25000.0, 1e-9);
    assert_near(number_at(root, "wall_seconds"), 0.1, 0.0);
    assert_near(number_at(root, "max_penetration"), 1e-17, 0.0);
    assert_near(number_at(json_object_get(root, "solves"), "ipopt"), 5.0, 0.0);
    assert_near(number_at(json_object_get(root, "solves"), "structured"), 0.0, 0.0);
    assert_near(number_at(json_object_get(root, "solves"), "retried"), 0.0, 0.0);
    json_t* energy = json_object_get(root, "energy");
    assert_near(number_at(energy, "initial"), 2.0, 0.0);
    assert_near(number_at(energy, "final"), 1.5, 0.0);
    assert_near(number_at(energy, "drift"), -0.5, 0.0);
    assert_near(number_at(energy, "shadow_drift"), -0.25, 0.0);
    json_decref(root);
}

static void summary_has_warnings_and_the_assembly(void** state) {
    FakeRun* run = *state;
    const char* const warnings[] = {"no friction", "no play"};
    const FpAssembly assembly = {
        .before = 1e-3, .after = 1e-17, .moved = 2e-3, .speed_changed = 0.5};
    json_t* root = summary_of(&run->summary);
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 0);
    assert_null(json_object_get(root, "assembled"));
    json_decref(root);
    run->summary.warning_count = 2;
    run->summary.warnings = warnings;
    run->summary.assembled = &assembly;
    root = summary_of(&run->summary);
    json_t* list = json_object_get(root, "warnings");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_array_get(list, 1)), "no play");
    json_t* assembled = json_object_get(root, "assembled");
    assert_int_equal(json_object_size(assembled), 4);
    assert_near(number_at(assembled, "before"), 1e-3, 0.0);
    assert_near(number_at(assembled, "after"), 1e-17, 0.0);
    assert_near(number_at(assembled, "moved"), 2e-3, 0.0);
    assert_near(number_at(assembled, "speed_changed"), 0.5, 0.0);
    json_decref(root);
}

static void summary_of_a_failed_run_gives_the_reason(void** state) {
    FakeRun* run = *state;
    run->summary.status = FREEPLAY_INFEASIBLE;
    run->summary.reason = "step 7: \"pin\" jams \xff"; /* and a byte that is no UTF-8 */
    run->summary.totals.max_certificate = INFINITY;
    json_t* root = summary_of(&run->summary);
    assert_string_equal(json_string_value(json_object_get(root, "status")),
                        fp_status_text(FREEPLAY_INFEASIBLE));
    assert_string_equal(json_string_value(json_object_get(root, "reason")),
                        "step 7: \"pin\" jams ?");
    assert_true(json_is_null(json_object_get(root, "us_per_step"))); /* 0 s / 0 steps */
    assert_true(json_is_null(json_object_get(root, "max_certificate")));
    json_decref(root);
}

static void versions_start_with_freeplay(void** state) {
    (void)state;
    int count;
    const FpVersion* versions = fp_versions(&count);
    assert_string_equal(versions[0].name, "freeplay");
    for (int i = 0; i < count; i++) assert_true(strlen(versions[i].version) > 0);
}

static void old_files_stay_until_the_new_ones_are_complete(void** state) {
    FakeRun* run = *state;
    write_old_files(run);
    FpRunFiles* files = open_here(run, 1);
    fake_show_steps(run, files, 3);
    for (int i = 0; i < 4; i++) assert_text(run, names[i], "old");
    close_here(run, files);
    for (int i = 0; i < 4; i++) {
        char* text = read_text(run->folder, names[i]);
        assert_string_not_equal(text, "old");
        free(text);
    }
    assert_no_parts(run->folder);
}

static void discarding_leaves_old_files(void** state) {
    FakeRun* run = *state;
    write_old_files(run);
    FpRunFiles* files = open_here(run, 1);
    fake_show_steps(run, files, 3);
    fp_run_files_discard(files);
    assert_old_files(run, NULL);
    fp_run_files_discard(NULL);
}

static void folders_are_made_with_parents_and_removed_when_discarded(void** state) {
    FakeRun* run = *state;
    char path[128];
    snprintf(path, sizeof path, "%s//deep/er/", run->folder);
    FpRunFiles* files;
    assert_int_equal(fake_open(run, path, 1, &files), FREEPLAY_OK);
    assert_true(file_exists(run->folder, "deep/er/plot.svg.part"));
    fp_run_files_discard(files);
    assert_false(file_exists(run->folder, "deep"));
    assert_true(file_exists(run->folder, "."));

    assert_int_equal(fake_open(run, path, 1, &files), FREEPLAY_OK);
    close_here(run, files);
    assert_true(file_exists(run->folder, "deep/er/plot.svg"));
}

static void assert_refused(FakeRun* run, const char* path, const char* words) {
    FpRunFiles* files;
    assert_int_equal(fake_open(run, path, 1, &files), FREEPLAY_FILE_ERROR);
    assert_null(files);
    assert_non_null(strstr(run->message.text, words));
}

static void a_file_in_place_of_the_folder_is_refused(void** state) {
    FakeRun* run = *state;
    char path[128];
    write_text(run->folder, "taken", "old");
    snprintf(path, sizeof path, "%s/taken", run->folder);
    assert_refused(run, path, "taken\": a file of that name is in the way");
    snprintf(path, sizeof path, "%s/taken/below", run->folder);
    assert_refused(run, path, "taken\": a file of that name is in the way");
    assert_text(run, "taken", "old");
}

static void a_folder_in_place_of_a_file_is_refused(void** state) {
    FakeRun* run = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/summary.json", run->folder);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_refused(run, run->folder, "summary.json\": a folder of that name is in the way");
    assert_no_parts(run->folder);
}

/* The last file fails, after the others could have been renamed. */
static void a_late_failure_leaves_all_old_files(void** state) {
    FakeRun* run = *state;
    write_old_files(run);
    FpRunFiles* files = open_here(run, 1);
    fake_show_steps(run, files, 3);
    char path[128];
    snprintf(path, sizeof path, "%s/plot.svg", run->folder);
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0777), 0);
    FpStatus status = fp_run_files_close(files, &run->summary, &run->message);
    assert_int_equal(status, FREEPLAY_FILE_ERROR);
    assert_non_null(strstr(run->message.text, "plot.svg"));
    assert_old_files(run, "plot.svg");
}

/* A limit on the size of files acts like a full disk, for root too. */
static void a_full_disk_ends_the_run_and_leaves_old_files(void** state) {
    FakeRun* run = *state;
    write_old_files(run);
    FpRunFiles* files = open_here(run, 1);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){8192, before.rlim_max});
    FpStatus step = fake_show_steps(run, files, 100000);
    FpStatus status = fp_run_files_close(files, &run->summary, &run->message);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(step, FREEPLAY_FILE_ERROR);
    assert_int_equal(status, FREEPLAY_FILE_ERROR);
    assert_non_null(strstr(run->message.text, "trajectory.csv"));
    assert_non_null(strstr(run->message.text, strerror(EFBIG)));
    assert_old_files(run, NULL);
}

static void two_runs_do_not_write_the_same_files(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files = open_here(run, 1);
    pid_t child = fork();
    if (child == 0) {
        FpRunFiles* other;
        FpStatus status = fake_open(run, run->folder, 1, &other);
        _exit(status == FREEPLAY_FILE_ERROR && strstr(run->message.text, "another run") ? 0 : 1);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    fake_show_steps(run, files, 1);
    close_here(run, files);
}

static void meaningless_requests_are_refused(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files;
    assert_int_equal(fake_open(run, run->folder, 0, &files), FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(run->message.field, "every");
    assert_int_equal(fake_open(run, "", 1, &files), FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(run->message.field, "directory");
}

#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        RUN_TEST(trajectory_has_titles_and_a_row_per_step),
        RUN_TEST(trajectory_has_the_friction_of_rows_that_have_any),
        RUN_TEST(thinning_keeps_every_third_step_and_the_last),
        RUN_TEST(thinning_writes_the_last_step_only_once),
        RUN_TEST(events_tell_where_and_what_in_words),
        RUN_TEST(files_are_the_same_in_a_comma_locale),
        RUN_TEST(summary_has_the_promised_keys),
        RUN_TEST(summary_has_warnings_and_the_assembly),
        RUN_TEST(summary_of_a_failed_run_gives_the_reason),
        RUN_TEST(versions_start_with_freeplay),
        RUN_TEST(old_files_stay_until_the_new_ones_are_complete),
        RUN_TEST(discarding_leaves_old_files),
        RUN_TEST(folders_are_made_with_parents_and_removed_when_discarded),
        RUN_TEST(a_file_in_place_of_the_folder_is_refused),
        RUN_TEST(a_folder_in_place_of_a_file_is_refused),
        RUN_TEST(a_late_failure_leaves_all_old_files),
        RUN_TEST(a_full_disk_ends_the_run_and_leaves_old_files),
        RUN_TEST(two_runs_do_not_write_the_same_files),
        RUN_TEST(meaningless_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
