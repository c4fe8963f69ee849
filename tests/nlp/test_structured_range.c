/* Steps of variable length: what the structured solver certifies, against a scan over h, Ipopt from
 * both bounds, and the closed forms of one contact. */
#include "tests/support.h"

#include <math.h>
#include "bench/random_program.h"

#define PROGRAMS 400 /* of each family */
#define SCAN     30  /* steps of the scan over 1/h */
#define BY_IPOPT 40  /* programs of each family that Ipopt solves, too */

static const RandomFamily families[] = {RANDOM_GENERIC, RANDOM_DEGENERATE, RANDOM_REDUNDANT,
                                        RANDOM_BILATERAL, RANDOM_OPEN};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* The program with h between a fifth of its step and that. */
static RandomProgram* create_range(RandomFamily family, uint64_t seed) {
    RandomProgram* p = random_program_create(family, seed);
    assert_non_null(p);
    p->h_lower = p->h_upper / 5;
    random_program_pose(p);
    return p;
}

static double objective_at(RandomProgram* p, double h, FpStatus* status) {
    double lower = p->h_lower, upper = p->h_upper;
    p->h_lower = p->h_upper = h;
    random_program_pose(p);
    RandomAnswer answer = random_program_solve(p, "structured");
    p->h_lower = lower;
    p->h_upper = upper;
    random_program_pose(p);
    *status = answer.status;
    return answer.report.objective;
}

/* No h of the scan is better, none that is larger as good. */
static void check_against_scan(RandomProgram* p, const RandomAnswer* answer) {
    double J = answer->report.objective, s_lower = 1 / p->h_upper, s_upper = 1 / p->h_lower;
    for (int k = 0; k <= SCAN; k++) {
        double h = 1 / (s_lower + (s_upper - s_lower) * k / SCAN);
        FpStatus status;
        double other = objective_at(p, fmin(fmax(h, p->h_lower), p->h_upper), &status);
        if (status) continue;
        double unit = fmax(random_program_unit(p, h), random_program_unit(p, answer->x[0]));
        if (other < J - 1e-8 * unit)
            fail_msg("%s, seed %d: J %.12g at h %.12g, but %.12g at %.12g",
                     random_family_names[p->family], (int)p->seed, J, answer->x[0], other, h);
        if (J == 0 && other == 0 && h > answer->x[0] * (1 + 1e-9))
            fail_msg("%s, seed %d: nothing pushes at h %.12g, nor at %.12g",
                     random_family_names[p->family], (int)p->seed, answer->x[0], h);
    }
}

static void no_step_of_a_scan_is_better(void** unused) {
    (void)unused;
    int declined = 0, inside = 0;
    for (int k = 0; k < FAMILIES; k++)
        for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
            RandomProgram* p = create_range(families[k], seed);
            RandomAnswer answer = random_program_solve(p, "structured");
            /* Shorter steps than the one that it was made for may have no solution. */
            declined += answer.status && answer.status != FREEPLAY_INFEASIBLE;
            inside += !answer.status && answer.x[0] > p->h_lower && answer.x[0] < p->h_upper;
            if (!answer.status) check_against_scan(p, &answer);
            random_program_destroy(p);
        }
    assert_true(declined <= FAMILIES * PROGRAMS / 50);
    assert_true(inside > 0);
}

/* Ipopt finds a local minimum, which one depends on where it starts. */
static double objective_by_ipopt(const RandomProgram* p, double h_start, double* h) {
    RandomAnswer answer;
    FpNlpSolver* solver = fp_nlp_solver_create("ipopt");
    assert_non_null(solver);
    const FpNlpOptions options = {.cold_start = true};
    FpNlpPoint point = {answer.x, answer.y, answer.z};
    random_program_start(p, answer.x);
    answer.x[0] = h_start;
    for (int j = 0; j < p->v_count; j++) answer.x[1 + j] = p->v0[j] + h_start * p->a[j];
    FpStatus status = fp_nlp_solve(solver, &p->nlp, &options, &point, &answer.report);
    fp_nlp_solver_destroy(solver);
    *h = answer.x[0];
    return status ? INFINITY : answer.report.objective;
}

static void ipopt_from_both_bounds_is_never_better(void** unused) {
    (void)unused;
    int compared = 0, worse = 0;
    for (int k = 0; k < FAMILIES; k++)
        for (uint64_t seed = 1; seed <= BY_IPOPT; seed++) {
            RandomProgram* p = create_range(families[k], seed);
            RandomAnswer ours = random_program_solve(p, "structured");
            const double starts[2] = {p->h_lower, p->h_upper};
            for (int from = 0; from < 2 && !ours.status; from++) {
                double h, J = ours.report.objective,
                          other = objective_by_ipopt(p, starts[from], &h);
                if (!isfinite(other)) continue;
                double unit =
                    fmax(random_program_unit(p, h), random_program_unit(p, ours.x[0])) + J;
                compared++;
                worse += other > J + 1e-6 * unit;
                if (J > other + 1e-8 * unit)
                    fail_msg("%s, seed %d: J %.12g at h %.12g, Ipopt %.12g at %.12g",
                             random_family_names[p->family], (int)seed, J, ours.x[0], other, h);
            }
            random_program_destroy(p);
        }
    assert_true(compared > FAMILIES * BY_IPOPT);
    assert_true(worse > 0); /* some of its minima are local ones */
}

/* One contact: a body of mass m at the gap g, approaching with the speed u and pushed on with the
 * acceleration pull. A step of h pushes with m max(0, psi), psi = pull + u/h - g/h^2. */
typedef struct Approach {
    double m, g, u, pull, h_lower, h_upper;
} Approach;

static RandomAnswer solve_approach(const Approach* c) {
    RandomProgram* p = random_program_create(RANDOM_GENERIC, 1);
    assert_non_null(p);
    p->block_count = p->v_count = p->row_count = p->part_count = 1;
    p->blocks[0] = (RandomBlock){.v_count = 1, .M = {c->m}, .inverse = {1 / c->m}};
    p->parts[0] = (FpStructurePart){.row_count = 1, .v_count = 1, .stride = 1};
    p->length = 1;
    p->size = 0.1;
    p->Wt[0][0] = p->row_size[0] = 1;
    p->gap[0] = c->g;
    p->drift[0] = p->force[0] = 0;
    p->bilateral[0] = false;
    p->v0[0] = -c->u;
    p->a[0] = -c->pull;
    p->f[0] = -c->m * c->pull;
    p->h_lower = c->h_lower;
    p->h_upper = c->h_upper;
    random_program_pose(p);
    RandomAnswer answer = random_program_solve(p, "structured");
    random_program_destroy(p);
    assert_int_equal(answer.status, FREEPLAY_OK);
    return answer;
}

static double push_over(const Approach* c, double h) {
    return c->m * fmax(0, c->pull + c->u / h - c->g / (h * h));
}

static void assert_step(const Approach* c, double h) {
    RandomAnswer answer = solve_approach(c);
    double push = push_over(c, h);
    assert_near(answer.x[0], h, 1e-9 * h);
    assert_near(answer.x[2], push, 1e-8 * (push + c->m * c->u / h));
}

static const double masses[] = {0.5, 1, 80}, pulls[] = {0.1, 9.81, 300}, speeds[] = {0.01, 0.7, 20};
static const double spans[] = {1.5, 5, 100}; /* h_upper over h_lower */
enum { VALUES = 3 };

/* Runs `check` over all combinations of the above. */
static void for_approaches(void (*check)(Approach c)) {
    for (int k = 0; k < VALUES * VALUES * VALUES * VALUES; k++)
        check((Approach){.m = masses[k % 3],
                         .u = speeds[k / 3 % 3],
                         .pull = pulls[k / 9 % 3],
                         .h_lower = 2e-4,
                         .h_upper = 2e-4 * spans[k / 27]});
}

/* Free flight ends at h_c = (-u + sqrt(u^2 + 4 pull g))/(2 pull), or at the longest step. */
static void check_landing(Approach c) {
    for (int k = 0; k <= 6; k++) {
        double h = c.h_lower + (1.2 * c.h_upper - c.h_lower) * k / 6;
        c.g = c.u * h + c.pull * h * h;
        RandomAnswer answer = solve_approach(&c);
        double expected = fmin(h, c.h_upper);
        assert_near(answer.x[0], expected, 1e-9 * expected);
        assert_near(answer.report.objective, 0, 1e-12 * c.m * c.u * c.u / (h * h));
    }
}

static void free_flight_ends_on_the_gap_or_at_the_longest_step(void** unused) {
    (void)unused;
    for_approaches(check_landing);
}

/* Both bounds are local minima; g < u h_lower h_upper/(h_lower + h_upper) tells which is global. */
static void check_impact(Approach c) {
    double border = c.u * c.h_lower * c.h_upper / (c.h_lower + c.h_upper);
    double lands = c.u * c.h_lower + c.pull * c.h_lower * c.h_lower;
    static const double parts[] = {0.1, 0.5, 0.9, 0.999, 1.001, 1.05, 1.2};
    for (int k = 0; k < 7; k++) {
        c.g = parts[k] * border;
        if (c.g < 0.999 * lands) assert_step(&c, parts[k] < 1 ? c.h_upper : c.h_lower);
    }
}

static void near_an_impact_the_global_bound_is_taken(void** unused) {
    (void)unused;
    for_approaches(check_impact);
}

static void check_contact(Approach c) {
    assert_step(&c, c.h_upper);
}

static void in_contact_the_longest_step_is_taken(void** unused) {
    (void)unused;
    for_approaches(check_contact);
}

/* The objective is the same for every h. */
static void check_rest(Approach c) {
    c.u = 0;
    assert_step(&c, c.h_upper);
}

static void at_rest_ties_take_the_longest_step(void** unused) {
    (void)unused;
    for_approaches(check_rest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_of_a_scan_is_better),
        cmocka_unit_test(ipopt_from_both_bounds_is_never_better),
        cmocka_unit_test(free_flight_ends_on_the_gap_or_at_the_longest_step),
        cmocka_unit_test(near_an_impact_the_global_bound_is_taken),
        cmocka_unit_test(in_contact_the_longest_step_is_taken),
        cmocka_unit_test(at_rest_ties_take_the_longest_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
