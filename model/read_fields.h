/* Reading one field of a joint's def by its kind. */
#ifndef FREEPLAY_MODEL_READ_FIELDS_H
#define FREEPLAY_MODEL_READ_FIELDS_H

#include "joints/joint.h"
#include "model/reader.h"

/* Reads the field of that name, if the joint has it, to its place in def. What it points to lives
 * as long as the file, or until fp_free_field. */
FpStatus fp_read_field(FpReader* reader, const FpNode* joint, const FpField* field, void* def);
/* Frees what reading the field has allocated, on failure too. */
void fp_free_field(const FpField* field, void* def);

/* Sections and motions, which have several forms. The arrays that they point to are new. */
FpStatus fp_read_profile(FpReader* reader, const FpNode* node, FpProfileDef* profile);
FpStatus fp_read_drive(FpReader* reader, const FpNode* node, const char* unit, FpDriveDef* drive);

#endif
