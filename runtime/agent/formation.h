/// The places of a formation, which member gets which, and where they are on the navmesh.
#ifndef LW_AGENT_FORMATION_H
#define LW_AGENT_FORMATION_H

#include "agent/orca.h"
#include "leeward/group.h"
#include "leeward/navmesh.h"

/// A place in the frame of a formation. [m]
typedef struct lwi_formation_offset {
  float ahead, right;
} lwi_formation_offset;

/// Which places a formation has.
typedef struct lwi_formation_shape {
  lw_formation formation;
  float spacing; ///< [m]
  const lw_vec3 *points;
  int point_count;
  int count; ///< Of places, <= LW_GROUP_MEMBERS_MAX.
} lwi_formation_shape;

/// @param[out] places  [shape->count] The first one is the leader's.
void lwi_formation_places(const lwi_formation_shape *shape, lwi_formation_offset *places);

/// Assign places at the lowest sum of distances, so that no two straight lines to them cross (Kuhn 1955,
/// Munkres 1957).
/// @param from, to  [count, <= LW_GROUP_MEMBERS_MAX] @param[out] place  [count] In `to`, by index in `from`.
void lwi_formation_assign(const lwi_vec2 *from, const lwi_vec2 *to, int count, int *place);

/// How a formation is laid out about a point of its path: how far it is moved to the right, and how much its
/// width is compressed.
typedef struct lwi_formation_fit {
  float shift; ///< [m]
  float scale; ///< [0..1]
  bool is_narrow;
} lwi_formation_fit;

/// A formation on the ground.
typedef struct lwi_formation_ground {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  const lwi_formation_offset *places; ///< [count]
  int count;
  float apart; ///< Two places are not nearer. [m]
  float inset; ///< They stay so far from what ends the ground. [m]
} lwi_formation_ground;

/// Where a place of the formation is, as far as the ground leads there straight. @param heading  [rad]
lw_location lwi_formation_place(const lwi_formation_ground *ground, lw_location frame, float heading,
                                const lwi_formation_fit *fit, int place);
/// How the formation fits about a point.
lwi_formation_fit lwi_formation_fit_at(const lwi_formation_ground *ground, lw_location frame, float heading);

#endif
