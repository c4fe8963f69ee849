/* The freedom of a joint as a number: how far it has turned about its axis or slid along it,
 * theory.md (15). Drivers prescribe it, gears couple two of them. */
#ifndef FREEPLAY_JOINTS_COORDINATE_H
#define FREEPLAY_JOINTS_COORDINATE_H

#include "joints/joint_impl.h"

typedef enum FpFreedom { FREEPLAY_FREEDOM_ROTATION, FREEPLAY_FREEDOM_TRANSLATION } FpFreedom;

typedef struct FpCoordinate {
    FpGeometry geometry; /* its value at the start is 0 */
    const FpBodyKind* kind[2];
    int body[2];
} FpCoordinate;

/* Finds a joint of the world and makes its coordinate; refuses a joint that does not exist or has
 * not that freedom. `field` is where the joint is named. */
FpStatus fp_coordinate_create(const FpWorld* world, const char* joint, FpFreedom freedom,
                              const char* field, FpCoordinate* coordinate, FpMessage* message);

/* Within -pi and pi for a rotation. q are the coordinates of its two bodies. */
double fp_coordinate_value(const FpCoordinate* c, const double* const q[2]);
/* Adds weight times the gradient, and the second derivative. */
void fp_coordinate_gradient(const FpCoordinate* c, const double* const q[2], double weight,
                            double* const row[2]);
void fp_coordinate_hessian(const FpCoordinate* c, const double* const q[2], double weight,
                           const int at[2], double* H, int width);

/* x less whole turns, within -pi and pi. */
double fp_wrap_angle(double x);

#endif
