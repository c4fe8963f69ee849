/* A stroboscopic section: where the follower is once per turn of the cam, as CSV and SVG. */
#ifndef FREEPLAY_EXAMPLES_CAM_SECTION_H
#define FREEPLAY_EXAMPLES_CAM_SECTION_H

#include "examples/program.h"

typedef struct CamSection {
    double turn;      /* s, one turn of the cam */
    double t_end;     /* s */
    const char* file; /* FILE; the drawing goes to FILE.svg */
} CamSection;

/* Steps of at most def->h, as many whole ones as make a turn. */
FpStatus cam_section_write(const Mechanism* cam, const FpStepperDef* def, const CamSection* section,
                           FpMessage* message);

#endif
