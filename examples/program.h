/* What the nonsmooth examples share: their options, the run with its files, the table at the end.
 * Each example is one file with a mechanism and a const Program; program_main.c makes a program of
 * it, tests and benchmarks use the mechanism alone. */
#ifndef FREEPLAY_EXAMPLES_PROGRAM_H
#define FREEPLAY_EXAMPLES_PROGRAM_H

#include <freeplay.h>

enum { MECHANISM_VELOCITIES = 9 }; /* at most */

/* A mechanism, ready to be stepped. */
typedef struct Mechanism {
    FpLagrangian* lagrangian;
    double h, t_end;  /* s, of the paper */
    double parameter; /* for its callbacks, as it likes */
    int v_count;
    double inertia[MECHANISM_VELOCITIES], force[MECHANISM_VELOCITIES];
} Mechanism;

/* A zeroed one; ends the program when memory is out. */
Mechanism* mechanism_allocate(void);
/* Velocities q' with a constant diagonal mass matrix and constant forces, which are weights; both
 * are copied. Its context is the mechanism. */
FpLagrangianDef mechanism_def(Mechanism* mechanism, int count, const char* const* names,
                              const double* inertia, const double* force);
/* Builds it from its defs. On refusal it is freed, NULL is returned and message says why. */
Mechanism* mechanism_finish(Mechanism* mechanism, const FpLagrangianDef* def, int rows_count,
                            const FpLagrangianRowsDef* rows, FpMessage* message);
void mechanism_free(Mechanism* mechanism);

/* A row that touches: restitution e, and friction mu along so many directions. */
FpRow mechanism_contact(const char* label, double e, double mu, int slip_count);

typedef struct ProgramCase {
    const char *name, *about; /* of --case: "1", "starts at rest" */
} ProgramCase;

/* An option that only this program has. */
typedef struct ProgramOption {
    const char *name, *takes, *about;
    double value; /* unless it is given; > 0 */
    bool is_file; /* takes the name of a file */
} ProgramOption;

enum { PROGRAM_CASES = 8, PROGRAM_OPTIONS = 2 };

/* Values of the own options. */
typedef struct ProgramValues {
    double number[PROGRAM_OPTIONS];
    const char* file[PROGRAM_OPTIONS]; /* NULL if not given */
} ProgramValues;

typedef struct Program {
    const char* name;                       /* "bouncing_ball" */
    const char* about;                      /* lines of --help */
    ProgramCase cases[PROGRAM_CASES];       /* the first is the default; names end with NULL */
    ProgramOption options[PROGRAM_OPTIONS]; /* likewise */
    /* NULL on refusal, with the reason in message. */
    Mechanism* (*create)(int number, const ProgramValues* values, FpMessage* message);
    /* Called instead of the usual run when its last option, a file, is given. Returns a status. */
    FpStatus (*write_file)(Mechanism* mechanism, const FpStepperDef* def, double t_end,
                           const ProgramValues* values, FpMessage* message);
} Program;

/* Case `number` (from 0) with all options left out. */
Mechanism* program_mechanism(const Program* program, int number, FpMessage* message);
/* The exit code: 0, 1 when the run fails, 2 for a wrong option. */
int program_run(const Program* program, int argc, char** argv);

extern const Program bouncing_ball, slider_crank_slot, mass_on_slope, tippedisk, cam_follower,
    painleve_rod;

#endif
