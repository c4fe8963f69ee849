/* The program of one example; PROGRAM is its name. */
#include "examples/program.h"

int main(int argc, char** argv) {
    return program_run(&PROGRAM, argc, argv);
}
