/// Places inside a large room, at which a watched way may turn: portals alone lie too far apart to keep behind cover between
/// them.
#ifndef LW_SEARCH_INSIDE_H
#define LW_SEARCH_INSIDE_H

#include "search/charge.h"

/// A lattice over a polygon.
typedef struct lwi_inside {
  const lw_navmesh *mesh;
  uint32_t polygon;
  int columns, rows;    ///< Along x, along z. 0: nothing is to be gained there.
  float x, z;           ///< Of its first place. [m]
  float step_x, step_z; ///< [m]
} lwi_inside;

/// @param charges  For lwi_charges_by_guess(). @param way  How far it is from start to goal. [m]
lwi_inside lwi_inside_of(const lwi_charges *charges, uint32_t polygon, float way);
/// Place `i`, row by row, on the surface. @return false: it is outside the polygon.
bool lwi_inside_place(const lwi_inside *inside, int i, lw_vec3 *at);
/// The places to go to from place `i`: as a knight or a king does. @param[out] next  [16] @return How many.
int lwi_inside_next(const lwi_inside *inside, int i, int *next);
/// Those about a place that need not be one of them. @param[out] next  [16] @return How many.
int lwi_inside_about(const lwi_inside *inside, lw_vec3 at, int *next);
/// As far as one goes to a place from elsewhere, and from there. [m]
static inline float lwi_inside_reach(const lwi_inside *inside) {
  return 2.5f * (inside->step_x > inside->step_z ? inside->step_x : inside->step_z);
}

#endif
