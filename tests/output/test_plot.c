#include "tests/support.h"

#include <math.h>
#include "output/axis_impl.h"
#include "output/curves_impl.h"
#include "output/run_files_impl.h"
#include "tests/output/fake_run.h"

static int set_up(void** run) {
    *run = fake_run_create();
    return 0;
}

static int tear_down(void** run) {
    fake_run_destroy(*run);
    return 0;
}

static void buckets_stay_bounded_and_keep_extremes(void** unused) {
    (void)unused;
    FpCurves* curves = fp_curves_create(2);
    double t = 0.0;
    for (int i = 0; i < 1000000; i++) {
        double spike = i == 123456 ? 1e6 : i == 654321 ? -1e6 : 0.0;
        fp_curves_add(curves, t, (double[]){spike, t});
        t += i % 100 < 50 ? 1e-6 : 1e-3;
        assert_true(fp_curves_bucket_count(curves) <= FREEPLAY_BUCKETS_MAX);
    }
    int count = fp_curves_bucket_count(curves);
    FpRange extent = fp_curves_extent(curves, 0);
    assert_near(extent.low, -1e6, 0.0);
    assert_near(extent.high, 1e6, 0.0);
    /* Fine enough to draw: no bucket is longer than a 1/500 of the whole. */
    assert_true(count >= 500);
    for (int b = 0; b < count; b++) {
        FpRange time = fp_curves_time(curves, b), value = fp_curves_values(curves, 1, b);
        assert_true(time.high - time.low <= t / 500.0);
        assert_near(value.low, time.low, 0.0);
        assert_near(value.high, time.high, 0.0);
        if (b > 0) assert_true(fp_curves_time(curves, b - 1).high < time.low);
    }
    fp_curves_destroy(curves);
}

static void buckets_leave_out_what_cannot_be_drawn(void** unused) {
    (void)unused;
    FpCurves* curves = fp_curves_create(1);
    fp_curves_add(curves, 0.0, (double[]){NAN});
    fp_curves_add(curves, 1.0, (double[]){2.0});
    fp_curves_add(curves, NAN, (double[]){3.0});
    fp_curves_add(curves, 0.5, (double[]){4.0});
    assert_int_equal(fp_curves_bucket_count(curves), 2);
    assert_true(fp_range_is_empty(fp_curves_values(curves, 0, 0)));
    assert_near(fp_curves_extent(curves, 0).high, 2.0, 0.0);
    fp_curves_destroy(curves);
}

static void axes_have_round_ticks_in_a_fitting_unit(void** unused) {
    (void)unused;
    FpAxis axis =
        fp_axis_linear((FpQuantity){.name = "gap", .symbol = "m"}, (FpRange){0.0, 1.1e-3}, 5);
    assert_string_equal(axis.title, "gap (mm)");
    assert_int_equal(axis.tick_count, 3);
    assert_string_equal(axis.ticks[1].label, "0.5");
    assert_near(axis.ticks[1].place, 0.5 / 1.1, 1e-12);
    assert_near(fp_axis_place(&axis, 0.5e-3), 0.5 / 1.1, 1e-12);

    axis = fp_axis_logarithmic((FpQuantity){.name = "step h", .symbol = "s"}, (FpRange){5e-6, 2e-2},
                               4);
    assert_string_equal(axis.title, "step h (ms)");
    assert_string_equal(axis.ticks[0].label, "0.01");
    assert_true(isnan(fp_axis_place(&axis, 0.0)));
}

static void axes_of_any_range_have_ticks(void** unused) {
    (void)unused;
    FpRange ranges[] = {{0.0, 0.0},    {5.0, 5.0},       {-1e300, 1e300},       {1e-300, 1e-300},
                        {0.0, 5e-324}, {1e9, 1e9 + 1.0}, {-3.0, -2.9999999999}, {0.0, 1e-20},
                        {-1e-9, 1e9},  fp_range_empty()};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        FpAxis axis = fp_axis_linear((FpQuantity){.name = "x", .symbol = "m"}, ranges[i], 5);
        assert_in_range(axis.tick_count, 2, FREEPLAY_TICKS_MAX);
        assert_true(axis.range.high > axis.range.low);
        for (int k = 0; k < axis.tick_count; k++) assert_true(strlen(axis.ticks[k].label) < 12);
    }
}

/* The name of a tag ends at a blank, '/' or '>'. */
static size_t name_length(const char* tag) {
    return strcspn(tag, " \n/>");
}

/* Every tag is closed, in order; text has no bare '<' or '&'. */
static void assert_well_formed(const char* svg) {
    const char* open[32];
    int depth = 0;
    for (const char* c = svg; *c; c++) {
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
        if (*c == '&') assert_true(c[1] == '#');
        if (*c != '<') continue;
        const char* end = strchr(c, '>');
        assert_non_null(end);
        if (c[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strncmp(open[depth], c + 2, name_length(c + 2)), 0);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            open[depth++] = c + 1;
        }
        c = end;
    }
    assert_int_equal(depth, 0);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
}

static int occurrences(const char* text, const char* part) {
    int count = 0;
    while ((text = strstr(text, part))) count++, text++;
    return count;
}

static char* finish_plot(FakeRun* run, FpRunFiles* files) {
    assert_int_equal(fp_run_files_close(files, &run->summary, &run->message), FREEPLAY_OK);
    char* svg = read_text(run->folder, "plot.svg");
    assert_well_formed(svg);
    return svg;
}

static char* plot_of_steps(FakeRun* run, int steps) {
    FpRunFiles* files;
    assert_int_equal(fake_open(run, run->folder, 1, &files), FREEPLAY_OK);
    fake_show_steps(run, files, steps);
    return finish_plot(run, files);
}

static void plot_names_axes_units_and_rows(void** state) {
    FakeRun* run = *state;
    run->state->q[0] = 2e-4;
    char* svg = plot_of_steps(run, 20);
    const char* texts[] = {
        "gap (\u00b5m)",      "force (N)", "energy (J)",          "step h (ms)", "time (s)",
        "pin.gap[0]: radial", "E_shadow",  "pin.force[1]: axial", "fake"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_non_null(strstr(svg, texts[i]));
    free(svg);
}

static void plot_copes_with_hardly_anything(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files;
    assert_int_equal(fake_open(run, run->folder, 1, &files), FREEPLAY_OK);
    free(finish_plot(run, files)); /* not even the initial state */
    free(plot_of_steps(run, 0));
    fake_set_rows(run, 2);
    free(plot_of_steps(run, 1));
    fake_set_rows(run, 0);
    char* svg = plot_of_steps(run, 5);
    assert_int_equal(occurrences(svg, "no joints"), 2);
    free(svg);
}

static void plot_copes_with_strange_numbers(void** state) {
    FakeRun* run = *state;
    double numbers[] = {NAN, INFINITY, -1e308, 1e308, 5e-324, 1e-18, -1e18};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        fake_set_rows(run, 2);
        run->state->q[0] = numbers[i];
        run->state->v[0] = numbers[i];
        free(plot_of_steps(run, 5));
    }
}

static void plot_escapes_names(void** state) {
    FakeRun* run = *state;
    char name[] = "<a & \"b\"> \xff\x01 \xc3\xa9";
    run->constraint.name = name;
    run->summary.model = name;
    run->summary.status = FREEPLAY_CANCELLED;
    run->summary.reason = "</svg>";
    char* svg = plot_of_steps(run, 3);
    assert_non_null(strstr(svg, "&#60;a &#38; &#34;b&#34;&#62; ?? \xc3\xa9"));
    assert_non_null(strstr(svg, "ended early: &#60;/svg&#62;"));
    free(svg);
}

static void legend_of_many_rows_is_cut(void** state) {
    FakeRun* run = *state;
    fake_set_rows(run, 25);
    char* svg = plot_of_steps(run, 3);
    assert_int_equal(occurrences(svg, "and 15 more"), 2);
    /* The odd rows push harder, so they are shown first. */
    assert_non_null(strstr(svg, "pin.force[19]"));
    assert_null(strstr(svg, "pin.force[20]"));
    free(svg);
}

static void gaps_of_ideal_rows_are_left_out(void** state) {
    FakeRun* run = *state;
    run->rows[0].kind = FREEPLAY_ROW_BILATERAL;
    char* svg = plot_of_steps(run, 5);
    assert_null(strstr(svg, "pin.gap[0]"));
    assert_non_null(strstr(svg, "pin.gap[1]"));
    assert_non_null(strstr(svg, "pin.force[0]"));
    assert_null(strstr(svg, "no loose rows"));
    free(svg);
    run->rows[1].kind = FREEPLAY_ROW_BILATERAL;
    svg = plot_of_steps(run, 5);
    assert_int_equal(occurrences(svg, "pin.gap["), 0);
    assert_int_equal(occurrences(svg, "no loose rows"), 1);
    free(svg);
}

/* The text of the line that draws a row's curve in a panel: in the legend before its name. */
static void find_stroke(const char* svg, const char* name, char* stroke, size_t size) {
    const char* at = strstr(svg, name);
    assert_non_null(at);
    at = strstr(at, "stroke=");
    assert_non_null(at);
    snprintf(stroke, size, "%.*s", (int)strcspn(at, "/"), at);
}

static void a_row_has_the_same_stroke_in_both_panels(void** state) {
    FakeRun* run = *state;
    run->rows[0].kind = FREEPLAY_ROW_BILATERAL;
    char* svg = plot_of_steps(run, 5);
    char gap[128], force[128], other[128];
    find_stroke(svg, "<title>pin.gap[1]", gap, sizeof gap);
    find_stroke(svg, "<title>pin.force[1]", force, sizeof force);
    find_stroke(svg, "<title>pin.force[0]", other, sizeof other);
    assert_string_equal(gap, force);
    assert_string_not_equal(other, force);
    free(svg);
}

static void torques_are_told_from_forces(void** state) {
    FakeRun* run = *state;
    run->rows[1].unit = FREEPLAY_ROW_ANGLE;
    run->rows[1].kind = FREEPLAY_ROW_BILATERAL;
    char* svg = plot_of_steps(run, 5);
    assert_non_null(strstr(svg, "force (N), torque (N m)"));
    assert_non_null(strstr(svg, "pin.force[0]: radial"));
    assert_non_null(strstr(svg, "pin.force[1], N m: axial"));
    free(svg);
}

static void spikes_are_clipped_and_marked(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files;
    assert_int_equal(fake_open(run, run->folder, 1, &files), FREEPLAY_OK);
    fake_show_steps(run, files, 50);
    run->state->step++;
    run->state->t += 0.125;
    run->state->lambda[0] = 12345.0;
    fake_show(run, files);
    char* svg = finish_plot(run, files);
    assert_non_null(strstr(svg, "beyond the axis, up to 12.35 kN"));
    assert_non_null(strstr(svg, "force (N)"));
    free(svg);
}

static void a_spike_of_a_torque_has_its_unit(void** state) {
    FakeRun* run = *state;
    FpRunFiles* files;
    run->rows[1].unit = FREEPLAY_ROW_ANGLE;
    assert_int_equal(fake_open(run, run->folder, 1, &files), FREEPLAY_OK);
    fake_show_steps(run, files, 50);
    run->state->step++;
    run->state->t += 0.125;
    run->state->lambda[1] = -12345.0;
    fake_show(run, files);
    char* svg = finish_plot(run, files);
    assert_non_null(strstr(svg, "beyond the axis, up to 12.35 kN m"));
    free(svg);
}

static void plot_of_a_long_run_is_no_larger(void** state) {
    FakeRun* run = *state;
    FpPlot* plot = fp_plot_create(&run->system);
    for (long k = 0; k < 50000; k++) {
        run->state->t = 1e-3 * (double)k;
        run->state->h = 1e-3;
        double gaps[2] = {sin((double)k), cos(0.1 * (double)k)};
        FpSample sample = {.state = run->state, .is_initial = k == 0, .gaps = gaps};
        fp_plot_add(plot, &sample);
    }
    FILE* stream = tmpfile();
    assert_int_equal(fp_plot_write(plot, &run->summary, stream), FREEPLAY_OK);
    assert_true(ftell(stream) < 200000);
    fclose(stream);
    fp_plot_destroy(plot);
}

#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_stay_bounded_and_keep_extremes),
        cmocka_unit_test(buckets_leave_out_what_cannot_be_drawn),
        cmocka_unit_test(axes_have_round_ticks_in_a_fitting_unit),
        cmocka_unit_test(axes_of_any_range_have_ticks),
        RUN_TEST(plot_names_axes_units_and_rows),
        RUN_TEST(plot_copes_with_hardly_anything),
        RUN_TEST(plot_copes_with_strange_numbers),
        RUN_TEST(plot_escapes_names),
        RUN_TEST(legend_of_many_rows_is_cut),
        RUN_TEST(gaps_of_ideal_rows_are_left_out),
        RUN_TEST(a_row_has_the_same_stroke_in_both_panels),
        RUN_TEST(torques_are_told_from_forces),
        RUN_TEST(a_spike_of_a_torque_has_its_unit),
        RUN_TEST(spikes_are_clipped_and_marked),
        RUN_TEST(plot_of_a_long_run_is_no_larger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
