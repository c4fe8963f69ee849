/* freeplay: mechanisms whose joints have play. All a user includes. */
#ifndef FREEPLAY_H
#define FREEPLAY_H

#include "nlp/status.h"
#include "engine/vec3.h"
#include "engine/body.h"
#include "engine/world.h"
#include "engine/lagrangian.h"
#include "engine/state.h"
#include "engine/assembly.h"
#include "engine/stepper.h"
#include "engine/simulation.h"
#include "joints/joint.h"
#include "joints/contact.h"
#include "joints/cylindrical.h"
#include "joints/distance.h"
#include "joints/driver.h"
#include "joints/fixed.h"
#include "joints/gear.h"
#include "joints/planar.h"
#include "joints/point_on.h"
#include "joints/prismatic.h"
#include "joints/revolute.h"
#include "joints/spherical.h"
#include "joints/universal.h"
#include "model/model.h"
#include "model/write_state.h"
#include "output/assembly.h"
#include "output/run_files.h"
#include "output/version.h"

#endif
