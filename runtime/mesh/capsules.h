/// Where the outlines of capsules meet. A capsule is what the centre of a disc of radius `keep` has to stay out
/// of, about a piece of wall. All in xz.
#ifndef LW_MESH_CAPSULES_H
#define LW_MESH_CAPSULES_H

#include "mesh/region.h"

/// The place on a wall's capsule straight away from the wall. @return false: `from` is not within the capsule.
bool lwi_capsule_away(const lwi_barrier *wall, lwi_point2 from, double keep, lwi_point2 *away);

#define LWI_MEETINGS_MAX 17
/// Where the outlines of two capsules meet, on the walkable side of walls. Some of the places lie within either
/// capsule, or beside the straight part of an outline.
/// @param[out] points  [LWI_MEETINGS_MAX] @return How many.
int lwi_capsules_meet(const lwi_barrier *a, const lwi_barrier *b, double keep, lwi_point2 *points);

#endif
