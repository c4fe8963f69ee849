/* A prescribed motion as a function of time, theory.md (16). */
#ifndef FREEPLAY_JOINTS_DRIVE_H
#define FREEPLAY_JOINTS_DRIVE_H

#include "joints/joint.h"

typedef struct FpDrive {
    FpDriveDef def;          /* times and values are the drive's own */
    double *memory, *slopes; /* slopes of the spline at the times */
    double start;            /* value of the table at t = 0 */
} FpDrive;

/* Checks def and copies it; `field` is its name, for the message. */
FpStatus fp_drive_create(const FpDriveDef* def, const char* field, FpDrive* drive,
                         FpMessage* message);
void fp_drive_free(FpDrive* drive);

/* Value, first and second derivative at t; the value is 0 at t = 0. */
void fp_drive_at(const FpDrive* drive, double t, double x[3]);

#endif
