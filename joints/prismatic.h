/* Prismatic joint: a prism that slides in a guide of the same section, theory.md section 4.
 *
 * One body carries the inner prism of length l, whose section is a convex polygon with corners 1,
 * 2,
 * ... n counter-clockwise seen from +z; the other one the endless guide. Every corner of the back
 * face (z = -l/2) and of the front face (z = +l/2) stays inside the two faces of the guide that
 * meet at that corner. Rows, 4 n: back corner 1 against its two faces, back corner 2, ..., then the
 * front. The faces of a corner come in the order of the faces: the one that ends at corner n is
 * the first, then against the order of the corners. (Triangle with the apex 1 on top: bottom,
 * left, right.) Rows, ideal: x and y of the back, x and y of the front, and the roll.
 *
 * Between planar bodies the prism is a block of a given width in a slot: back left, back right,
 * front left, front right, seen along the axis; ideal: back and front. */
#ifndef FREEPLAY_JOINTS_PRISMATIC_H
#define FREEPLAY_JOINTS_PRISMATIC_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FpInner { FREEPLAY_INNER_SLIDER, FREEPLAY_INNER_GUIDE } FpInner;

typedef struct FpPrismaticDef {
    FpJointDef joint; /* body[0] carries the slider, body[1] the guide */
    FpFrameDef slider,
        guide;            /* origin: middle; axis: direction of sliding; x axis: of the profile */
    FpInner inner;        /* which of the two is the inner prism */
    double length;        /* of the inner prism, m, > 0 */
    FpProfileDef profile; /* of the inner prism; not needed if ideal */
    FpProfileDef guide_profile; /* of the guide, with as many corners; or a clearance */
    double clearance;           /* gap between face and face, m; 0 and no guide profile: ideal */
    double width;               /* of the block in the slot, between planar bodies, m */
    double guide_length;        /* m; 0: endless */
    int leaving;                /* FpLeaving: what happens where a face leaves the guide */
} FpPrismaticDef;

FpPrismaticDef fp_prismatic_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_prismatic_add(FpWorld* world, const FpPrismaticDef* def, FpMessage* message);

/* x, y of the n corners of a regular polygon with the given side, the first on +y. */
void fp_profile_regular(int n, double side, double* corners);
/* x, y of the 4 corners of a rectangle, the first where x and y are positive. */
void fp_profile_rectangle(double width, double height, double* corners);

extern const FpJointType fp_prismatic_type;

#ifdef __cplusplus
}
#endif
#endif
