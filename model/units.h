/* Units of measurement, understood by UDUNITS, which is taught some that it lacks (deg, rev, Nm)
 * or misreads (mph, oz). Any number of threads may use units of their own at once: UDUNITS keeps
 * state of its own, so its calls are serialised by a lock. */
#ifndef FREEPLAY_MODEL_UNITS_H
#define FREEPLAY_MODEL_UNITS_H

#include "model/quantity.h"

typedef struct FpUnits FpUnits;

/* Reads the database of UDUNITS, some 10 ms. On failure *units is NULL. */
FpStatus fp_units_create(FpUnits** units, FpMessage* message);
void fp_units_destroy(FpUnits* units);

/* The unit spelled by the first `length` bytes of text: its size in SI and its dimension. */
FpStatus fp_units_read_unit(FpUnits* units, const char* text, size_t length, FpQuantity* unit,
                            FpMessage* message);
/* A number with or without a unit behind it: "0.1 mm", "0.2mm", "3". */
FpStatus fp_units_read_quantity(FpUnits* units, const char* text, FpQuantity* quantity,
                                FpMessage* message);
/* number times unit, rounded once where the unit is a simple fraction: 0.3 mm is 0.0003 m. */
FpQuantity fp_units_apply(double number, const FpQuantity* unit);

#endif
